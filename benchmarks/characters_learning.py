"""How people vary, learned from alphabets: the deformations between drawings of one character, and how sure a
judge of matches may be."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from characters_data import Alphabets, Run, drawn_lines
from numpy.random import Generator
from numpy.typing import NDArray
from safetensors.numpy import save_file
from scipy.optimize import minimize

from unrender.matching.drawing import Drawing
from unrender.matching.judge import FILE, Judge
from unrender.matching.match import Match, bent
from unrender.matching.people import People
from unrender.scene.line import Line

Doubles = NDArray[np.float64]
Matches = list[list[Match]]  # of every drawing that is to be named with every known one

START = People(0.14, 0.17, (1.0, 0.5), (0.25, 0.12))  # wide, so that every match is found that people make
PAIRS = 300  # of drawings of one character by two people, for how they differ
ALIKE = 0.9  # of these pairs, which tell how people vary
CARD = {
    "what": "How far drawings of one character by several people are bent, and networks that judge matches of"
    " drawings (judge.safetensors).",
    "source": "Omniglot, both small background sets: eight alphabets, each character drawn by twenty people.",
    "licence": "MIT, Copyright (c) 2015 Brenden Lake.",
    "made by": "benchmarks/characters.py --learn",
}


@dataclass
class Drawings:
    """The drawings of alphabets, ready to be matched; the lines of each are found once."""

    drawn: Alphabets
    people: People
    lines: dict[tuple[str, int, int], list[Line]] = field(default_factory=dict)
    ready: dict[tuple[str, int, int], Drawing] = field(default_factory=dict)

    def of(self, alphabet: str, character: int, person: int) -> Drawing:
        key = alphabet, character, person
        if key not in self.lines:
            self.lines[key] = drawn_lines(self.drawn[alphabet][character][person])
        if key not in self.ready:
            self.ready[key] = Drawing.of(self.lines[key], self.people)
        return self.ready[key]

    def by(self, people: People) -> Drawings:
        """The same for other people."""
        return Drawings(self.drawn, people, self.lines)

    def matches(self, one: Run) -> Matches:
        known = [self.of(one.alphabet, c, one.teacher) for c in one.characters]
        named = [self.of(one.alphabet, c, one.writer) for c in one.characters]
        return [[Match.of(model, seen, self.people.linear) for model in known] for seen in named]


def deformations(drawings: Drawings, names: Sequence[str], rng: Generator, pairs: int = PAIRS) -> People:
    """People whose deformations are as large as those that matches between drawings of one character find.
    The least alike are left out: some people drew something else."""
    people, found = drawings.people, []
    for _ in range(pairs):
        name = names[int(rng.integers(len(names)))]
        character = int(rng.integers(len(drawings.drawn[name])))
        one, other = rng.permutation(len(drawings.drawn[name][character]))[:2].tolist()
        model, seen = drawings.of(name, character, one), drawings.of(name, character, other)
        parts = bent(model, seen, people.linear)[2]
        smooth = parts[:, 3:] @ model.field[:, 3:].T
        found.append([(parts[:, 0] ** 2).mean(), (parts[:, 1:3] ** 2).mean(), (smooth**2).mean()])
    shift, linear, bend = np.sqrt(np.sort(found, 0)[: int(ALIKE * pairs)].mean(0)).tolist()
    grown = bend / float(np.linalg.norm(people.amplitudes))
    return replace(
        people,
        shift=round(people.shift * shift, 4),
        linear=round(people.linear * linear, 4),
        amplitudes=tuple(round(amplitude * grown, 4) for amplitude in people.amplitudes),
    )


def odds(judge: Judge, matches: Matches) -> Doubles:
    """(named, known): log odds."""
    return np.array([judge.log_odds(row) for row in matches])


def calibrated(tables: Sequence[Doubles]) -> tuple[float, float]:
    """Scale and bias that turn log odds (named, known) of alphabets that were not learned from into true
    ones, as many drawings of the same as of others, all told."""
    same = np.concatenate([table.diagonal() for table in tables])
    other = np.concatenate([table[~np.eye(len(table), dtype=bool)] for table in tables])

    def unlikely(how: Doubles) -> float:
        scale, bias = how
        losses = np.logaddexp(0, -scale * same - bias).mean() + np.logaddexp(0, scale * other + bias).mean()
        return float(losses)

    scale, bias = minimize(unlikely, np.array([1.0, 0.0]), method="Nelder-Mead").x.tolist()
    return scale, bias


def scaled(tensors: Mapping[str, NDArray[Any]], scale: float, bias: float) -> dict[str, NDArray[Any]]:
    """A judge whose log odds are calibrated."""
    last = {name: tensors[name] * np.float32(scale) for name in ("last", "linear", "bias")}
    last["bias"] += np.float32(bias)
    return {**tensors, **last}


def write(
    path: Path, people: People, tensors: Mapping[str, NDArray[Any]], names: Sequence[str], seed: int
) -> None:
    """The table that the package reads, with its card, and the judge beside it."""
    card = {**CARD, "alphabets": sorted(names), "seed": seed, "people": people.to_dict()}
    path.write_text(json.dumps(card, indent=2) + "\n", "utf-8")
    save_file(
        {name: np.ascontiguousarray(t, np.float32) for name, t in tensors.items()}, path.with_name(FILE)
    )
