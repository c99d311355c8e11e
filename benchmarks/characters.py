"""How well characters drawn by hand are named after one drawing of each, by another person.

    python benchmarks/characters.py --data FOLDER            where the zip files of Omniglot are
    python benchmarks/characters.py --data FOLDER --runs 3 --taught 0
    python benchmarks/characters.py --data FOLDER --learn src/unrender/matching/people.json

What is known of how people vary is learned anew, from alphabets that are not tested; --learn writes what all
of them tell. Without data, --quick invents some.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from characters_data import Alphabets, Pixels, Run, alphabets, invented, runs
from characters_embedding import Alphabet, Network, embedding, learn_embedding, tensors
from characters_learning import (
    FURTHER,
    RUNS,
    START,
    STEPS,
    Drawings,
    averaged,
    deformations,
    learn_weights,
    write,
)
from counting import mean
from numpy.typing import NDArray
from report import Goal, Line, Table, parser, publish, run
from scipy.spatial.distance import cdist

import unrender
from unrender.matching.embedding import learned_embedding
from unrender.matching.people import People

ABOUT = """20 characters of one alphabet, each drawn once by one person, and 20 drawings of the same by
another person to be named, one by one. What is tested on a quarter of the alphabets is learned from the
others: deformations and an embedding from the half that it is not in, what they are worth from the other
quarter of its own half, from which the embedding learns in the end, too. Two of the ten alphabets of the
small sets are in both, and count once; Tagalog has 17 characters. People and characters are chosen at
random, among them people who drew something else. The modified Hausdorff distance compares the ink, with
both drawings at their centres. Taught: the same through brain.see, brain.teach and brain.classify, which
know only the strokes that were told, with the table of the package, which was learned from all of these
alphabets."""

ERROR, SECONDS = 0.05, 1.0  # goals


@dataclass(frozen=True)
class Named:
    """Which share of the drawings of a run were named wrongly."""

    run: Run
    ours: float
    hausdorff: float


def wrong(cost: NDArray[np.float64]) -> float:
    """The share of drawings (named, known) whose least costly name is not their own."""
    return float(np.mean(cost.argmin(1) != np.arange(len(cost))))


def hausdorff(drawn: Alphabets, one: Run) -> float:
    """The error of the modified Hausdorff distance."""
    own = [drawn[one.alphabet][c] for c in one.characters]
    known, named = ([_ink(own[k][person]) for k in range(len(own))] for person in (one.teacher, one.writer))
    return wrong(np.array([[_modified(seen, model) for model in known] for seen in named]))


def _ink(image: Pixels) -> NDArray[np.float64]:
    points = np.argwhere(image < 128).astype(np.float64)
    return points - points.mean(0)


def _modified(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    far = cdist(one, other)
    return float(max(far.min(0).mean(), far.min(1).mean()))


@dataclass(frozen=True)
class Fold:
    """What was learned for a quarter of the alphabets: deformations and an embedding from the half that it is
    not in, weights from the other quarter of its own half."""

    tested: list[str]
    learned: list[str]  # all others
    drawings: Drawings
    sampled: Alphabet
    network: Network
    people: People


def folds(drawn: Alphabets, seed: int, learning: int) -> Iterator[Fold]:
    """All quarters, or halves where there are too few alphabets."""
    names = sorted(drawn)
    first = Drawings(drawn, START, learned_embedding())  # whose vectors are not used
    sampled = first.sampled()
    for number, half in enumerate((names[0::2], names[1::2])):
        rng = np.random.default_rng([seed, number, 1])
        other = [name for name in names if name not in half]
        network = learn_embedding(sampled, other, rng, learning * STEPS // RUNS)
        drawings = first.by(deformations(first, other, rng), embedding(network, sampled, other))
        for quarter in filter(None, (half[0::2], half[1::2])):
            rest = [name for name in half if name not in quarter] or other
            people = learn_weights(drawings, rest, rng, learning)
            yield Fold(quarter, [n for n in names if n not in quarter], drawings, sampled, network, people)


def learned(drawn: Alphabets, seed: int) -> tuple[People, dict[str, NDArray[Any]]]:
    """What the package ships: deformations and an embedding from all alphabets, mean weights of all folds."""
    names, several = sorted(drawn), list(folds(drawn, seed, RUNS))
    rng, last = np.random.default_rng([seed, 2]), several[-1]
    every = Drawings(drawn, START, learned_embedding(), last.drawings.lines)
    people = averaged(deformations(every, names, rng), [fold.people for fold in several])
    network = learn_embedding(last.sampled, names, rng, FURTHER, last.network)
    return people, tensors(network, last.sampled, names)


def tested(drawn: Alphabets, seed: int, count: int, learning: int) -> list[Named]:
    """Every alphabet, by what was learned from the other half."""
    found = []
    for fold in folds(drawn, seed, learning):
        rng = np.random.default_rng([seed, len(found)])
        further = learn_embedding(fold.sampled, fold.learned, rng, learning * FURTHER // RUNS, fold.network)
        drawings = fold.drawings.by(fold.people, embedding(further, fold.sampled, fold.learned))
        for name in fold.tested:
            for one in runs(drawn, name, rng, count):
                cost = -fold.people.log_odds(drawings.terms(one))
                found.append(Named(one, wrong(cost), hausdorff(drawn, one)))
    return found


def taught(drawn: Alphabets, several: Sequence[Run]) -> tuple[float, float]:
    """The error of a brain that was shown the characters of each run, and its seconds to name one."""
    errors, seconds = [], []
    for one in several:
        brain, own = unrender.open(), drawn[one.alphabet]
        for c in one.characters:
            brain.teach(brain.see(own[c][one.teacher]), f"character {c}")
        brain.classify(own[one.characters[0]][one.writer])  # draws what is known, once
        for c in one.characters:
            begun = time.process_time()
            best = brain.classify(own[c][one.writer])[0]
            seconds.append(time.process_time() - begun)
            errors.append(float(best.symbol != f"character {c}"))
    return mean(errors), mean(seconds)


def main() -> None:
    options = _options()
    drawn = invented(np.random.default_rng(options.seed)) if options.quick else alphabets(options.data)
    if options.learn is not None:
        write(options.learn, *learned(drawn, options.seed), sorted(drawn), options.seed)
        return
    count, learning = (1, 1) if options.quick else (options.runs, RUNS)
    found = tested(drawn, options.seed, count, learning)
    each = {name: [one for one in found if one.run.alphabet == name] for name in sorted(drawn)}
    lines = []
    for name, own in each.items():
        more = {"modified Hausdorff": f"{100 * mean([one.hausdorff for one in own]):.1f} %"}
        lines.append(
            Line(name.replace("_", " "), "", f"{100 * mean([one.ours for one in own]):.1f} %", None, more)
        )
    total = [mean([one.ours for one in own]) for own in each.values()]
    theirs = [mean([one.hausdorff for one in own]) for own in each.values()]
    goal: Goal[Sequence[float]] = Goal("error", ERROR, mean, at_most=True)
    half: Goal[Sequence[float]] = Goal("error", ERROR, lambda all_: float(np.median(all_)), at_most=True)
    lines.append(goal.line("mean of all", total, {"modified Hausdorff": f"{100 * mean(theirs):.1f} %"}))
    lines.append(Line("median run", "", half.measured([one.ours for one in found])))
    if options.taught:
        rng = np.random.default_rng([options.seed, 99])
        several = [one for name in sorted(drawn)[: options.taught] for one in runs(drawn, name, rng, 1)]
        error, seconds = taught(drawn, several)
        lines.append(Line(f"taught, {len(several)} runs", "", f"{100 * error:.1f} %"))
        clock: Goal[float] = Goal("CPU seconds", SECONDS, lambda s: s, at_most=True)
        lines.append(clock.line("20 known, one to name", seconds))
    publish(options.out, "Characters", ABOUT, Table(lines, f"alphabet ({count} runs each)", "error"))


def _options() -> argparse.Namespace:
    made = parser(__doc__, "characters")
    made.add_argument("--data", type=Path, default=Path("out") / "omniglot", help="folder of its zip files")
    made.add_argument("--runs", type=int, default=20, help="of each alphabet")
    made.add_argument("--taught", type=int, default=4, help="runs by teaching a brain")
    made.add_argument("--learn", type=Path, help="write the table of the package, and nothing else")
    options = made.parse_args()
    options.taught = 0 if options.quick else options.taught
    return options


if __name__ == "__main__":
    run(main)
