"""How well characters drawn by hand are named after one drawing of each, by another person.

    python benchmarks/characters.py --data FOLDER            where the zip files of Omniglot are
    python benchmarks/characters.py --data FOLDER --runs 3 --taught 0
    python benchmarks/characters.py --data FOLDER --learn src/unrender/matching/people.json

What is known of how people vary is learned anew, from alphabets that are not tested; --learn, after that,
learns from all of them and writes the table of the package. Without data, --quick invents some.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add
from pathlib import Path
from typing import Any

import numpy as np
from characters_data import Alphabets, Pixels, Run, alphabets, invented, runs
from characters_judge import STEPS, Examples, learn_judge
from characters_learning import START, Drawings, calibrated, deformations, odds, scaled, write
from counting import mean
from numpy.random import Generator
from numpy.typing import NDArray
from report import Goal, Line, Table, parser, publish, run
from scipy.spatial.distance import cdist

import unrender
from unrender.matching import people as package
from unrender.matching.judge import Judge, learned_judge
from unrender.matching.people import People

ABOUT = """20 characters of one alphabet, each drawn once by one person, and 20 drawings of the same by
another person to be named, one by one. What is tested on a quarter of the alphabets is learned from the
others: deformations from the half that it is not in, the judge of matches from all other quarters. Two of
the ten alphabets of the small sets are in both, and count once; Tagalog has 17 characters. Characters are
chosen at random, and so are people, each as often as every other; among them are some who drew something
else. The deviation is that of the mean, from run to run. The modified Hausdorff distance compares the ink,
with both drawings at their centres. Taught: the same through brain.see, brain.teach and brain.classify, with
the table of the package, which was learned from all of these alphabets; beside it the same drawings matched
as they are, with that table, too."""

ERROR, GATE, SECONDS = 0.05, 0.08, 1.0  # goals
LEARNED = 12  # runs of every alphabet, for the judge


@dataclass(frozen=True)
class Named:
    """Which share of the drawings of a run were named wrongly."""

    run: Run
    ours: float
    hausdorff: float
    odds: NDArray[np.float64]  # (named, known), log


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


def examples(drawings: Drawings, names: Sequence[str], rng: Generator, count: int) -> dict[str, Examples]:
    """Of every alphabet some, for a judge to learn from."""
    return {
        name: Examples.of([drawings.matches(one) for one in runs(drawings.drawn, name, rng, count)])
        for name in names
    }


def learned(
    drawn: Alphabets, first: Drawings, found: Sequence[Named], seed: int
) -> tuple[People, dict[str, NDArray[Any]]]:
    """What the package ships: deformations and a judge from all alphabets; how sure it may be, by what others
    like it said of alphabets that they had not seen."""
    names, rng = sorted(drawn), np.random.default_rng([seed, 2])
    people = deformations(first, names, rng)
    several = examples(first.by(people), names, rng, LEARNED)
    tensors = learn_judge(reduce(add, several.values()), rng)
    return people, scaled(tensors, *calibrated([one.odds for one in found]))


def tested(first: Drawings, seed: int, count: int, many: int, steps: int) -> list[Named]:
    """Runs of every alphabet, by what was learned from others, from many runs of each."""
    drawn, found = first.drawn, []
    names = sorted(drawn)
    for number, half in enumerate((names[0::2], names[1::2])):
        rng = np.random.default_rng([seed, number, 1])
        people = deformations(first, [name for name in names if name not in half], rng)
        drawings = first.by(people)
        several = examples(drawings, names, rng, many)
        for quarter in filter(None, (half[0::2], half[1::2])):
            others = [several[name] for name in names if name not in quarter]
            judge = Judge.from_tensors(learn_judge(reduce(add, others), rng, steps))
            for name in quarter:
                for one in runs(drawn, name, rng, count):
                    table = odds(judge, drawings.matches(one))
                    found.append(Named(one, wrong(-table), hausdorff(drawn, one), table))
    return found


def taught(drawn: Alphabets, several: Sequence[Run]) -> tuple[float, float, float]:
    """The error of a brain that was shown the characters of each run, and its seconds to name one; the error
    of the same judge where the drawings themselves are matched."""
    errors, seconds, direct = [], [], []
    drawings = Drawings(drawn, package.learned())
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
        direct.append(wrong(-odds(learned_judge(), drawings.matches(one))))
    return mean(errors), mean(seconds), mean(direct)


def main() -> None:
    options = _options()
    drawn = invented(np.random.default_rng(options.seed)) if options.quick else alphabets(options.data)
    first = Drawings(drawn, START)
    count, many, steps = (1, 1, 2) if options.quick else (options.runs, LEARNED, STEPS)
    found = tested(first, options.seed, count, many, steps)
    if options.learn is not None:
        write(options.learn, *learned(drawn, first, found, options.seed), sorted(drawn), options.seed)
    each = {name: [one for one in found if one.run.alphabet == name] for name in sorted(drawn)}
    lines = []
    for name, own in each.items():
        more = {"modified Hausdorff": f"{100 * mean([one.hausdorff for one in own]):.1f} %"}
        lines.append(
            Line(name.replace("_", " "), "", f"{100 * mean([one.ours for one in own]):.1f} %", None, more)
        )
    total = [mean([one.ours for one in own]) for own in each.values()]
    theirs = [mean([one.hausdorff for one in own]) for own in each.values()]
    spread = [float(np.std([one.ours for one in own])) / math.sqrt(len(own)) for own in each.values()]
    deviation = f"± {math.hypot(*spread) / len(spread):.4f}"
    for target in (GATE, ERROR):
        goal: Goal[Sequence[float]] = Goal("error", target, mean, True, lambda _: deviation)
        lines.append(goal.line("mean of all", total, {"modified Hausdorff": f"{100 * mean(theirs):.1f} %"}))
    lines.append(Line("median run", "", f"{100 * float(np.median([one.ours for one in found])):.1f} %"))
    if options.taught:
        rng = np.random.default_rng([options.seed, 99])
        several = [one for name in sorted(drawn) for one in runs(drawn, name, rng, options.taught)]
        error, seconds, direct = taught(drawn, several)
        lines.append(Line(f"taught, {len(several)} runs", "", f"{100 * error:.1f} %"))
        lines.append(Line("the same drawings, matched as they are", "", f"{100 * direct:.1f} %"))
        clock: Goal[float] = Goal("CPU seconds", SECONDS, lambda s: s, at_most=True)
        lines.append(clock.line("20 known, one to name", seconds))
    publish(options.out, "Characters", ABOUT, Table(lines, f"alphabet ({count} runs each)", "error"))


def _options() -> argparse.Namespace:
    made = parser(__doc__, "characters")
    made.add_argument("--data", type=Path, default=Path("out") / "omniglot", help="folder of its zip files")
    made.add_argument("--runs", type=int, default=20, help="of each alphabet")
    made.add_argument("--taught", type=int, default=2, help="runs of each alphabet by teaching a brain")
    made.add_argument("--learn", type=Path, help="write the table of the package, too")
    options = made.parse_args()
    options.taught = 0 if options.quick else options.taught
    return options


if __name__ == "__main__":
    run(main)
