"""How it works, in one figure: a picture goes in, a graph and a question come out, an answer goes back."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

import unrender
from unrender import Scene

PICTURES = Path(__file__).parent / "pictures"
INK, PALE = "#2b3245", "#eef0f6"
BLUE, ROSE = "#4f5bd5", "#c2415b"


def diagram() -> Figure:
    """The way of one picture through the capsules, and back."""
    with unrender.open() as brain:
        brain.teach(brain.see(PICTURES / "ship.png"), "ship")
        scene = brain.see(PICTURES / "ship.png")
    assert scene.picture is not None
    figure = Figure(figsize=(12, 4.3), dpi=110, facecolor="white")
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_xlim(0, 120)
    axes.set_ylim(0, 43)
    axes.set_axis_off()
    for image, x, title in ((scene.picture, 1, "picture"), (_parts(scene), 33, "primitives")):
        _image(axes, image, x, 19, title)
    _tree(axes, scene, 69, 19)
    _image(axes, scene.image, 101, 19, "drawn again")
    _arrow(
        axes,
        (19.5, 28),
        (32.5, 28),
        "γ",
        "primitive capsules:\na first estimate, refined\nagainst the pixels",
    )
    _arrow(axes, (51.5, 28), (68.5, 28), "γ", "semantic capsules:\nparts that agree\non one whole")
    _arrow(axes, (87.5, 28), (100.5, 28), "g", "every whole says\nwhere its parts are,\ndown to pixels")
    _box(axes, 33, 2, 36, "What new noun best describes them?", "what is left over becomes a question")
    _box(axes, 78, 2, 22, '"ship"', "one word is a lesson, kept for good")
    _bent(axes, (42, 18.2), (47, 11.5), INK)
    _arrow(axes, (69.6, 7.5), (77.4, 7.5), "", "")
    _bent(axes, (86, 11.5), (60, 22.3), ROSE, 0.12)
    return figure


def _image(axes: Axes, image: np.ndarray, x: float, y: float, title: str) -> None:
    axes.imshow(image, extent=(x, x + 18, y, y + 18), aspect="auto", zorder=2)
    axes.text(x + 9, y + 19, title, ha="center", va="bottom", color=INK, fontsize=11, weight="bold")


def _parts(scene: Scene) -> np.ndarray:
    """Every primitive in a colour of its own."""
    colours = ((231, 111, 81), (42, 157, 143), (233, 196, 106), (79, 91, 213), (194, 65, 91))
    image = np.full((scene.height, scene.width, 3), 30, np.uint8)
    for leaf, colour in zip(scene.primitives, colours, strict=True):
        image[leaf.mask] = colour
    return image


def _tree(axes: Axes, scene: Scene, x: float, y: float) -> None:
    axes.add_patch(FancyBboxPatch((x, y), 18, 18, "round,pad=0,rounding_size=1", fc=PALE, ec="none"))
    axes.text(x + 9, y + 19, "scene graph", ha="center", va="bottom", color=INK, fontsize=11, weight="bold")
    (ship,) = scene.axioms
    lines = [f"{ship.symbol}  p {ship.p:.2f}  {ship.rotation:.0f}°"]
    lines += [f"{'└' if part is ship.parts[-1] else '├'} {part.symbol}" for part in ship.parts]
    for i, line in enumerate(lines):
        axes.text(x + 1.5, y + 15 - 2.6 * i, line, color=INK, fontsize=8.5, family="monospace")


def _box(axes: Axes, x: float, y: float, width: float, text: str, below: str) -> None:
    axes.add_patch(FancyBboxPatch((x, y + 2), width, 7, "round,pad=0,rounding_size=1", fc=PALE, ec="none"))
    axes.text(x + width / 2, y + 5.5, text, ha="center", va="center", color=INK, fontsize=10, style="italic")
    axes.text(x + width / 2, y + 0.4, below, ha="center", va="center", color=INK, fontsize=8)


def _arrow(axes: Axes, start: tuple[float, float], end: tuple[float, float], name: str, text: str) -> None:
    axes.add_patch(FancyArrowPatch(start, end, arrowstyle="-|>", mutation_scale=14, color=INK, lw=1.5))
    middle = (start[0] + end[0]) / 2
    axes.text(middle, start[1] + 1.4, name, ha="center", color=BLUE, fontsize=13, weight="bold")
    axes.text(middle, start[1] - 1.4, text, ha="center", va="top", color=INK, fontsize=7.5)


def _bent(
    axes: Axes, start: tuple[float, float], end: tuple[float, float], colour: str, bend: float = -0.2
) -> None:
    arrow = FancyArrowPatch(
        start,
        end,
        arrowstyle="-|>",
        mutation_scale=14,
        color=colour,
        lw=1.5,
        connectionstyle=f"arc3,rad={bend}",
    )
    axes.add_patch(arrow)


if __name__ == "__main__":
    diagram().savefig(PICTURES / "how.png")
