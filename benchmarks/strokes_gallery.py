"""The pictures that were told worst: as given, redrawn with the told lines over it, and the true lines."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import report
from strokes_icons import Pixels
from strokes_measuring import Measured
from strokes_paths import Line

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WORST = 8  # pictures of a row
TOLD, TRUE = "#ff00aa", "#00a0ff"


def gallery(folder: Path, row: str, many: Sequence[Measured]) -> None:
    """FOLDER/row.png: the worst by F1, one a line."""
    worst = sorted(many, key=lambda one: one.ours.lines.f1)[:WORST]
    figure, axes = report.subplots(len(worst), 3, size=(13.5, 4.7 * len(worst)))
    for one, panels in zip(worst, zip(*[iter(axes)] * 3, strict=True), strict=True):
        ours, height, width = one.ours, *one.case.image.shape[:2]
        scores = f"P {ours.lines.precision:.2f} R {ours.lines.recall:.2f} SSIM {ours.ssim:.3f}"
        numbers = f"{ours.told.numbers} numbers for {one.case.numbers}" if one.case.numbers else ""
        numbers += f", {one.slower:.0f} x vtracer" if "vtracer" in one.ways else ""
        shown: tuple[tuple[Pixels | None, list[Line], str, str], ...] = (
            (one.case.image, one.true, TRUE, f"{one.case.name}, true lines"),
            (ours.told.redrawn, ours.told.lines, TOLD, scores),
            (ours.told.redrawn, [], TOLD, numbers),
        )
        for panel, (image, lines, colour, title) in zip(panels, shown, strict=True):
            if image is not None:
                panel.imshow(image, extent=(0, width, height, 0), interpolation="nearest")
            draw(panel, lines, colour)
            panel.set_xlim(0, width)
            panel.set_ylim(height, 0)
            panel.set_title(title, fontsize=9)
            panel.set_axis_off()
    report.picture(figure, folder / f"{row.replace(' ', '-').replace(',', '')}.png", row)


def draw(panel: Axes, lines: Sequence[Line], colour: str) -> None:
    """Thin lines with their corners and ends."""
    for line in lines:
        panel.plot(*line.points.T, color=colour, linewidth=0.8)
        panel.plot(*line.corners.T, ".", color=colour, markersize=3)
