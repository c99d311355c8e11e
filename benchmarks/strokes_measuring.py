"""Pictures with known lines, looked at by unrender and by the others, and what came of it."""

from __future__ import annotations

import csv
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from counting import mean, median
from report import Line as Row
from strokes_icons import Case
from strokes_painting import outlines
from strokes_paths import Line
from strokes_scoring import NEAR, Lines, compare, likeness
from strokes_sight import OUTLINES, Clock, Told, by_scene, by_skeleton, by_unrender

US = "unrender"
HEADS = "row name precision recall f1 ssim numbers true_numbers explained ms times"


@dataclass(frozen=True)
class Looked:
    """One way with one picture."""

    told: Told
    lines: Lines
    ssim: float  # of the redrawn picture; NaN where there is none


@dataclass(frozen=True)
class Measured:
    """A picture and what each way made of it."""

    case: Case
    true: list[Line]
    ways: dict[str, Looked] = field(default_factory=dict)

    @property
    def ours(self) -> Looked:
        return self.ways[US]

    @property
    def slower(self) -> float:
        """How many times VTracer's time was needed; NaN if it was not asked."""
        if "vtracer" not in self.ways:
            return float("nan")
        return self.ours.told.seconds / max(self.ways["vtracer"].told.seconds, 1e-6)


def measure(brain: Any, case: Case, now: Clock = time.perf_counter) -> Measured:
    """Ours and the skeleton's lines against the true ones; the others', who trace outlines, against these."""
    height, width = case.image.shape[:2]
    true = [line for mark in case.marks for line in mark.visible()]
    found = Measured(case, true)
    edges = outlines(case.marks, width, height)
    found.ways[US] = looked(by_unrender(brain, case, now), true, case)
    found.ways["skeleton"] = looked(by_skeleton(case, now), true, case)
    for way, look in OUTLINES.items():
        found.ways[way] = looked(look(case, now), edges, case)
    return found


def looked(told: Told, true: Sequence[Line], case: Case) -> Looked:
    clean = case.image if case.clean is None else case.clean
    ssim = float("nan") if told.redrawn is None else likeness(told.redrawn, clean)
    return Looked(told, compare(told.lines, true), ssim)


def ours_alone(
    case: Case, scene: Any, lines: Sequence[Line], true: Sequence[Line], near: float = NEAR
) -> Measured:
    """What we told of a picture, and nobody else; lines: those of the scene that are to be compared."""
    told = replace(by_scene(scene), lines=list(lines))
    assert told.redrawn is not None
    looked = Looked(told, compare(lines, true, near), likeness(told.redrawn, case.image))
    return Measured(case, list(true), {US: looked})


# Figures of many pictures


def f1(many: Sequence[Measured], way: str = US) -> float:
    return mean([one.ways[way].lines.f1 for one in many])


def ssim(many: Sequence[Measured], way: str = US) -> float:
    return mean([one.ways[way].ssim for one in many])


def leanness(many: Sequence[Measured]) -> float:
    """Numbers in our SVG files for one in the drawings."""
    return sum(one.ours.told.numbers for one in many) / max(1, sum(one.case.numbers for one in many))


def pace(many: Sequence[Measured]) -> float:
    """Our median time in VTracer's."""
    ours, theirs = ([one.ways[way].told.seconds for one in many] for way in (US, "vtracer"))
    return median(ours) / max(median(theirs), 1e-6)


def slowest(many: Sequence[Measured]) -> float:
    return max(one.slower for one in many)


def explained(many: Sequence[Measured]) -> float:
    return mean([one.ours.told.explained for one in many])


def beside(what: str, many: Sequence[Measured]) -> list[Row]:
    """All ways, one below the other."""
    rows: list[Row] = []
    for way in many[0].ways:
        looked = [one.ways[way] for one in many]
        drawn = not np.isnan(looked[0].ssim)
        more: Mapping[str, str] = {
            "precision": f"{mean([one.lines.precision for one in looked]):.3f}",
            "recall": f"{mean([one.lines.recall for one in looked]):.3f}",
            "F1": f"{f1(many, way):.3f}",
            "SSIM": f"{ssim(many, way):.4f}" if drawn else "",
            "numbers": f"{mean([one.told.numbers for one in looked]):.0f}" if way != "skeleton" else "",
            "median": f"{1e3 * median([one.told.seconds for one in looked]):.1f} ms",
        }
        rows.append(Row("" if rows else what, measured=way, more=more))
    return rows


def write_scores(path: Path, rows: Mapping[str, Sequence[Measured]]) -> None:
    """Every picture in a line of its own, to compare two runs."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(HEADS.split())
        for row, many in rows.items():
            for one in many:
                ours = one.ours
                figures = (ours.lines.precision, ours.lines.recall, ours.lines.f1, ours.ssim)
                numbers = ours.told.numbers, one.case.numbers, f"{ours.told.explained:.4f}"
                times = f"{1e3 * ours.told.seconds:.1f}", f"{one.slower:.1f}"
                writer.writerow([row, one.case.name, *(f"{x:.4f}" for x in figures), *numbers, *times])
