"""The measurements, tables and plots of `profile.py`."""

from __future__ import annotations

import argparse
import os
import shutil
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count, cycle
from pathlib import Path

import numpy as np
import report
from objects import SHIP, random_object
from oneshot_clocks import observed, teach_from_graph
from scenes import speed_scene
from stages import REST, SEE, TEACH, Stages, breakdown

import unrender

SMALL, USUAL = (12.0, 24.0), (16.0, 60.0)  # px, sizes of the shapes
SIDES = (84, 256, 512, 1024)  # of the picture, with FEW shapes
FEW = 5
COUNTS = (10, 25, 50, 100)  # of the shapes, in 1024x1024
PARTS = (2, 4, 8, 16)  # of the object that is taught
PICTURES = 7  # of each sort that are looked at: one alone may be hard or easy
KNOWN = 10  # objects, the ship among them
GOALS = [(84, 5, SMALL, 0.030), (256, 10, USUAL, 0.120), (1024, 100, USUAL, 2.0)]  # ..., seconds at most
TEACH_GOAL = 1.0  # seconds


@dataclass(frozen=True)
class Profile:
    """Seconds by stage of the run with the median total."""

    label: str
    stages: dict[str, float]
    best: float  # the total of the shortest run
    work: float  # of the processors, in the run that needed the least

    @property
    def total(self) -> float:
        return sum(self.stages.values())

    def line(self, goal: float | None = None) -> report.Line:
        """Milliseconds, with the share of each stage."""
        cells = {"processors": f"{1e3 * self.work:.0f} ms"}
        cells |= {stage: f"{100 * s / self.total:.0f} %" for stage, s in self.stages.items()}
        goals = ("", None) if goal is None else (f"≤ {1e3 * goal:g} ms", self.total <= goal)
        measured = f"{1e3 * self.total:.0f} ms (best {1e3 * self.best:.0f})"
        return report.Line(self.label, goals[0], measured, goals[1], cells)


def profile(label: str, run: Callable[[], object], stages: Stages, budget: float) -> Profile:
    """After a warm-up, 3 to 15 runs, as many as the budget in seconds allows."""
    run()
    runs: list[dict[str, float]] = []
    work = []
    while len(runs) < 3 or (sum(sum(one.values()) for one in runs) < budget and len(runs) < 15):
        start = time.process_time()
        runs.append(breakdown(run, stages))
        work.append(time.process_time() - start)
    runs.sort(key=lambda one: sum(one.values()))
    return Profile(label, runs[len(runs) // 2], sum(runs[0].values()), min(work))


def seeing(
    brain: unrender.Brain, seed: int, side: int, shapes: int, sizes: tuple[float, float], budget: float
) -> Profile:
    """`see` of one picture after the other."""
    images = cycle([speed_scene(seed + n, side, shapes, sizes).image for n in range(PICTURES)])
    return profile(f"{side}x{side}, {shapes} shapes", lambda: brain.see(next(images)), SEE, budget)


def teaching(file: Path, seed: int, side: int, parts: int, budget: float) -> Profile:
    """`teach` of a scene as a whole, under another name every time, in a copy of the brain."""
    shapes = speed_scene(seed, side, parts, SMALL if side < SIDES[1] else USUAL).shapes
    scene = unrender.Scene(side, side, observed(shapes))
    names = (f"thing{i}" for i in count())
    with unrender.open(shutil.copy(file, file.with_name(f"{side}-{parts}.brain"))) as brain:
        return profile(
            f"{side}x{side}, {parts} parts", lambda: brain.teach(scene, next(names)), TEACH, budget
        )


def stacked(path: Path, title: str, sweeps: Mapping[str, Sequence[Profile]]) -> str:
    """A bar for every profile, its stages one upon the other; a panel for every sweep."""
    figure, panels = report.subplots(1, len(sweeps), size=(11, 4.2))
    stages = list(next(iter(sweeps.values()))[0].stages)
    for axes, (label, profiles) in zip(panels, sweeps.items(), strict=True):
        bottom = np.zeros(len(profiles))
        for i, stage in enumerate(stages):
            heights = 1e3 * np.array([one.stages[stage] for one in profiles])
            colour = "lightgrey" if stage == REST else f"C{i}"
            axes.bar([one.label for one in profiles], heights, 0.6, bottom, label=stage, color=colour)
            bottom += heights
        axes.set_title(label)
        axes.set_ylabel("milliseconds")
        axes.tick_params(axis="x", labelrotation=20)
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles[::-1], labels[::-1], loc="outside right upper")
    return report.picture(figure, path, title)


def main(doc: str | None) -> None:
    """Measure, print and write."""
    options = report.parser(doc, "profile").parse_args()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "profile.brain"
        rng = np.random.default_rng([options.seed, KNOWN])
        with unrender.open(file) as brain:
            for blueprint in [SHIP, *(random_object(f"object{i}", rng) for i in range(KNOWN - 1))]:
                teach_from_graph(brain, blueprint)
        blocks = [*see_blocks(file, options), *teach_blocks(file, options)]
    threads = os.environ.get("OMP_NUM_THREADS", "as many as cores")
    report.publish(
        options.out,
        "Where the time goes",
        f"Wall time with {threads} thread(s) on {len(os.sched_getaffinity(0))} cores: the "
        "median run, each of another picture, its stages in percent (a stage inside another counts for "
        "itself only), the best run, and the least time of the processors, which tells more where the "
        "machine is busy with other things. "
        f"The brain is a file that knows {KNOWN} objects, so that routing has work to do.",
        *blocks,
    )


def see_blocks(file: Path, options: argparse.Namespace) -> list[str | report.Table]:
    """`see` against its goals, the picture's size and the number of shapes."""
    seed, quick, budget = options.seed, options.quick, 0.0 if options.quick else 6.0
    with unrender.open(file) as brain:
        goals = [
            seeing(brain, seed, side, shapes, sizes, budget).line(goal)
            for side, shapes, sizes, goal in (GOALS[:1] if quick else GOALS)
        ]
        sides = [seeing(brain, seed, side, FEW, SMALL, budget) for side in (SIDES[:2] if quick else SIDES)]
        side, numbers = (256, COUNTS[:1]) if quick else (1024, COUNTS)
        counts = [seeing(brain, seed, side, number, USUAL, budget) for number in numbers]
    sweeps = {"against the size of the picture": sides, "against the number of shapes": counts}
    plot = stacked(options.out / "see.png", "Seeing by stage", sweeps)
    every = [one.line() for one in [*sides, *counts]]
    return [report.Table(goals, "see, goals"), report.Table(every, "see"), plot]


def teach_blocks(file: Path, options: argparse.Namespace) -> list[str | report.Table]:
    """`teach` against its goal, the picture's size and the number of parts."""
    seed, quick, budget = options.seed, options.quick, 0.0 if options.quick else 6.0
    sides = [teaching(file, seed, side, FEW, budget) for side in (SIDES[:2] if quick else SIDES)]
    parts = [teaching(file, seed, 512, number, budget) for number in (PARTS[:2] if quick else PARTS)]
    sweeps = {"against the size of the picture": sides, "against the number of parts": parts}
    plot = stacked(options.out / "teach.png", "Teaching by stage", sweeps)
    return [report.Table([one.line(TEACH_GOAL) for one in [*sides, *parts]], "teach"), plot]
