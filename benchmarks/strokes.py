"""How well strokes, outlines and curves are read: icons, line drawings, polygons, games, handwriting.

    python benchmarks/strokes.py --icons FOLDER              every row, seed 0, 40 pictures a row
    python benchmarks/strokes.py --rows paths --sizes 128 --gallery out/worst
    npm install --prefix out/icons heroicons @tabler/icons   where the icons come from

Writes `results.md` and `scores.csv`, a line a picture, to --out.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from report import Line, Table, parsed_with_rows, parser, publish, run
from seer_pictures import CLOCKS
from strokes_gallery import gallery
from strokes_icons import HOW, Case, by_resvg, case, chromium, icons
from strokes_measuring import (
    Measured,
    beside,
    explained,
    f1,
    leanness,
    measure,
    pace,
    slowest,
    ssim,
    write_scores,
)

import unrender

ABOUT = """Lines are compared by points every quarter of a pixel along them and their distance to the other
line: precision and recall within 0.3 px, F1 of each picture, and the mean of these. A stroke is compared by
its centre line, what is filled by its outline. VTracer, potrace and LSD, which tell outlines, are compared
with the outlines of all that is painted; the skeleton (of the picture four times as fine, thresholded) has no
shapes and shows what position alone is worth. SSIM is that of the SVG file drawn by resvg. Numbers are those
in the shapes of the SVG file (places, sizes, radii, widths of strokes) for one of the original, in which a
circle, a rectangle or a line that is written as a path counts as what it is, and a width that stands in the
header does not count."""


@dataclass(frozen=True)
class Mark:
    """A figure, its goal, and the gate below which it must not stay."""

    label: str
    value: Callable[[Sequence[Measured]], float]
    goal: float
    gate: float | None = None
    at_most: bool = False

    def line(self, what: str, many: Sequence[Measured]) -> Line:
        value = self.value(many)
        sign = "≤" if self.at_most else "≥"
        more = {}
        if self.gate is not None:
            more["gate"] = f"{sign} {self.gate:g}: {'pass' if self._reaches(value, self.gate) else 'FAIL'}"
        return Line(
            what, f"{self.label} {sign} {self.goal:g}", f"{value:.3f}", self._reaches(value, self.goal), more
        )

    def _reaches(self, value: float, goal: float) -> bool:
        return value <= goal if self.at_most else value >= goal


TIME = (
    Mark("median time in VTracer's", pace, 6, 12, True),
    Mark("slowest in VTracer's", slowest, 20, 40, True),
)
EXPLAINED = Mark("explained pixels", explained, 0.99)
ICONS: dict[str, tuple[Mark, ...]] = {
    "circles": (
        Mark("line F1", f1, 0.99),
        Mark("SSIM", ssim, 0.99),
        Mark("numbers for one", leanness, 1.3, 2, True),
    ),
    "lines": (
        Mark("line F1", f1, 0.985),
        Mark("SSIM", ssim, 0.99),
        Mark("numbers for one", leanness, 1.3, 2, True),
    ),
    "paths": (
        Mark("line F1", f1, 0.95, 0.9),
        Mark("SSIM", ssim, 0.985, 0.975),
        Mark("numbers for one", leanness, 1.5, 2, True),
    ),
    "solid": (
        Mark("line F1", f1, 0.95, 0.9),
        Mark("SSIM", ssim, 0.985, 0.975),
        Mark("numbers for one", leanness, 1.5, 2, True),
    ),
}
WORDS = {
    "circles": "icons of circles and rectangles",
    "lines": "icons with lines",
    "paths": "icons with paths",
    "solid": "filled icons",
}


@dataclass(frozen=True)
class Wanted:
    """What is to be measured, and how."""

    seed: int
    count: int  # pictures a row
    sizes: tuple[int, ...]
    icons: Path
    clock: str
    gallery: Path | None


@dataclass
class Results:
    """What was found, row by row."""

    goals: list[Line] = field(default_factory=list)
    beside: list[Line] = field(default_factory=list)
    scores: dict[str, list[Measured]] = field(default_factory=dict)
    remarks: list[str] = field(default_factory=list)


def icon_cases(row: str, side: int, wanted: Wanted) -> Iterator[Case]:
    """Icons of a row, drawn by resvg and by Chromium in turn; the same ones at every size."""
    rng = np.random.default_rng([wanted.seed, list(ICONS).index(row)])
    several = icons(wanted.icons, rng, {row: wanted.count})[row]
    with chromium() as browser:
        for k, icon in enumerate(several):
            yield case(icon, side, browser if browser and k % 2 else by_resvg, rng)


def look_at(
    brain: Any, name: str, cases: Iterator[Case], marks: Sequence[Mark], wanted: Wanted, found: Results
) -> None:
    """Measure the pictures of a row, whose lines are known."""
    pictures = list(cases)
    brain.see(pictures[0].image)  # load and warm up off the clock
    many = [measure(brain, one, CLOCKS[wanted.clock]) for one in pictures]
    first, *others = (*marks, *TIME, EXPLAINED)
    found.goals += [first.line(f"{name} ({len(many)})", many), *(mark.line("", many) for mark in others)]
    found.beside += beside(name, many)
    found.scores[name] = many
    if wanted.gallery is not None:
        gallery(wanted.gallery, name, many)


def main() -> None:
    options = _options()
    sizes = tuple(int(side) for side in options.sizes.split(","))
    wanted = Wanted(
        options.seed,
        1 if options.quick else options.count,
        sizes[:1] if options.quick else sizes,
        options.icons,
        options.clock,
        options.gallery,
    )
    found, brain = Results(), unrender.open(":memory:")
    for row in options.rows:
        if row in ICONS and not wanted.icons.is_dir():
            found.remarks.append(f"The row {row} is left out, for there are no icons: {HOW}.")
        elif row in ICONS:
            for side in wanted.sizes:
                name = f"{WORDS[row]}, {side} px"
                look_at(brain, name, icon_cases(row, side, wanted), ICONS[row], wanted, found)
    write_scores(options.out / "scores.csv", found.scores)
    tables = [Table(found.goals, "pictures"), Table(found.beside, "pictures", "way")]
    publish(options.out, "Strokes", ABOUT, *found.remarks, *tables)


def _options() -> argparse.Namespace:
    made = parser(__doc__, "strokes")
    made.add_argument("--count", type=int, default=40, help="pictures a row")
    made.add_argument("--sizes", default="128,48,96,256", help="sides of the icons in px, comma separated")
    made.add_argument("--icons", type=Path, default=Path("out") / "icons", help=f"folder of: {HOW}")
    made.add_argument("--clock", choices=sorted(CLOCKS), default="wall", help="which seconds count")
    made.add_argument("--gallery", type=Path, help="folder for pictures of the worst of each row")
    return parsed_with_rows(made, list(ICONS), list(ICONS))


if __name__ == "__main__":
    run(main)
