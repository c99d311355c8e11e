"""How people vary, learned from alphabets: the deformations between drawings of one character, and what the
terms of a match are worth."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from characters_data import Alphabets, Run, drawn_lines, runs
from characters_embedding import Alphabet, Lines
from counting import mean
from numpy.random import Generator
from numpy.typing import NDArray
from safetensors.numpy import save_file
from scipy.optimize import minimize

from unrender.matching.drawing import Drawing
from unrender.matching.embedding import FILE, Embedding
from unrender.matching.lines import Line
from unrender.matching.match import bent, terms
from unrender.matching.people import TERMS, People

Doubles = NDArray[np.float64]

# wide, so that every match is found that people make
START = People(0.14, 0.17, (1.0, 0.5), (0.25, 0.12), {"misfit": 1.0}, 0.0)
PAIRS = 300  # of drawings of one character by two people, for how they differ
ALIKE = 0.9  # of these pairs, which tell how people vary
RUNS = 10  # of every alphabet, for the weights
STEPS, FURTHER = (
    1200,
    400,
)  # of learning an embedding: from half of the alphabets, then from all but those tested
PENALTY = 1e-3  # of the squared weights, each for a term in units of its spread
CARD = {
    "what": "How drawings of one character by several people differ, what terms of a match are worth,"
    " and an embedding of drawings (embedding.safetensors).",
    "source": "Omniglot, both small background sets: eight alphabets, each character drawn by twenty people.",
    "licence": "MIT, Copyright (c) 2015 Brenden Lake.",
    "made by": "benchmarks/characters.py --learn",
}


@dataclass
class Drawings:
    """The drawings of alphabets, ready to be matched; the lines of each are found once."""

    drawn: Alphabets
    people: People
    embedding: Embedding
    lines: dict[tuple[str, int, int], list[Line]] = field(default_factory=dict)
    ready: dict[tuple[str, int, int], Drawing] = field(default_factory=dict)

    def of(self, alphabet: str, character: int, person: int) -> Drawing:
        key = alphabet, character, person
        if key not in self.lines:
            self.lines[key] = drawn_lines(self.drawn[alphabet][character][person])
        if key not in self.ready:
            self.ready[key] = Drawing.of(self.lines[key], self.people, self.embedding)
        return self.ready[key]

    def by(self, people: People, embedding: Embedding | None = None) -> Drawings:
        """The same for other people, or by another embedding."""
        return Drawings(self.drawn, people, embedding or self.embedding, self.lines)

    def sampled(self) -> Alphabet:
        """All drawings, as an embedding learns from them."""
        found: dict[str, Lines] = {}
        for name, own in self.drawn.items():
            every = [[self.of(name, c, p) for p in range(len(own[c]))] for c in range(len(own))]
            fields = [
                [[value(one) for one in row] for row in every]
                for value in (
                    lambda one: one.points.T,
                    lambda one: one.tangents.T,
                    lambda one: one.ends,
                    lambda one: [one.length],
                )
            ]
            points, tangents, ends, length = (torch.tensor(np.array(f, np.float32)) for f in fields)
            found[name] = points, tangents, ends, length
        return found

    def terms(self, one: Run) -> Doubles:
        """(named, known, T): of every drawing that is to be named with every known one."""
        known = [self.of(one.alphabet, c, one.teacher) for c in one.characters]
        named = [self.of(one.alphabet, c, one.writer) for c in one.characters]
        linear = self.people.linear
        return np.array([[terms(model, seen, linear) for model in known] for seen in named])


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


def weighed(people: People, tables: Sequence[Doubles]) -> People:
    """People with the weights under which the right names are likeliest, given the terms (named, known, T) of
    runs; then the bias under which the odds of all pairs are."""
    spread = np.mean([np.abs(t - t.mean(1, keepdims=True)).mean((0, 1)) for t in tables], 0) + 1e-9
    scaled = [table / spread for table in tables]
    named = sum(len(table) for table in tables)

    def loss(weights: Doubles) -> tuple[float, Doubles]:
        total, slope = 0.0, np.zeros_like(weights)
        for table in scaled:
            odds = -table @ weights
            odds -= odds.max(1, keepdims=True)
            share = np.exp(odds)
            share /= share.sum(1, keepdims=True)
            total -= float(np.log(share.diagonal() + 1e-300).sum())
            slope -= np.einsum("ij,ijt->t", share - np.eye(len(share)), table)
        return total / named + PENALTY * float(weights @ weights), slope / named + 2 * PENALTY * weights

    first = np.full(len(TERMS), 0.1)
    weights = minimize(loss, first, jac=True, method="L-BFGS-B", bounds=[(0, None)] * len(TERMS)).x
    cost = [table @ weights for table in scaled]
    same = np.concatenate([c.diagonal() for c in cost])
    other = np.concatenate([c[~np.eye(len(c), dtype=bool)] for c in cost])

    def unlikely(bias: Doubles) -> float:
        """As many drawings of the same as of others, all told."""
        return float(np.logaddexp(0, same - bias[0]).mean() + np.logaddexp(0, bias[0] - other).mean())

    bias = float(minimize(unlikely, np.array([np.median(same)]), method="Nelder-Mead").x[0])
    named_weights = {name: round(float(w), 4) for name, w in zip(TERMS, weights / spread, strict=True)}
    return replace(people, weights=named_weights, bias=round(bias, 3))


def learn_weights(drawings: Drawings, names: Sequence[str], rng: Generator, count: int = RUNS) -> People:
    """What the terms are worth, by alphabets from which the embedding was not learned."""
    tables = [drawings.terms(one) for name in names for one in runs(drawings.drawn, name, rng, count)]
    return weighed(drawings.people, tables)


def averaged(people: People, several: Sequence[People]) -> People:
    """People with the mean weights of others."""
    weights = {name: round(mean([one.weights[name] for one in several]), 4) for name in TERMS}
    return replace(people, weights=weights, bias=round(mean([one.bias for one in several]), 3))


def write(
    path: Path, people: People, tensors: Mapping[str, NDArray[Any]], names: Sequence[str], seed: int
) -> None:
    """The table that the package reads, with its card, and the embedding beside it."""
    card = {**CARD, "alphabets": sorted(names), "seed": seed, "people": people.to_dict()}
    path.write_text(json.dumps(card, indent=2) + "\n", "utf-8")
    save_file(dict(tensors), path.with_name(FILE))
