"""A scene at a glance: the input, what was drawn again, the parts, the tree."""

from __future__ import annotations

import colorsys
from typing import TYPE_CHECKING

import numpy as np

from unrender.exports.fonts import families
from unrender.exports.names import legal
from unrender.scene import Observation, Scene

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SIDE = 3.6  # inches of a panel
LINES = 24  # of the tree in a panel at full font size
FONT = 9.0  # pt
GOLDEN = 0.618034  # of a turn: neighbours on the colour wheel are far apart in the tree

Colour = tuple[float, float, float]


def plot(scene: Scene) -> Figure:
    """A figure of pyplot with three panels, or with four where the input was kept in `scene.picture`."""
    from matplotlib import pyplot

    images = {} if scene.picture is None else {"input": scene.picture}
    images["redrawn"] = scene.image
    figure, axes = pyplot.subplots(
        1, len(images) + 2, figsize=(SIDE * (len(images) + 2), SIDE), layout="constrained", squeeze=False
    )
    *shown, parts, tree = axes[0]
    for panel, (title, image) in zip(shown, images.items(), strict=True):
        panel.imshow(image)
        panel.set_title(title)
    colours = {id(node): distinct(i) for i, node in enumerate(scene.observations)}
    _parts(parts, scene, colours)
    _tree(tree, scene, colours)
    for panel in axes[0]:
        panel.set_axis_off()
    return figure


def distinct(i: int) -> Colour:
    """The i-th colour of a list without an end."""
    return colorsys.hsv_to_rgb(i * GOLDEN % 1.0, 0.55, 0.95)


def _parts(panel: Axes, scene: Scene, colours: dict[int, Colour]) -> None:
    """The pixels of every primitive in its own colour."""
    image = np.full((scene.height, scene.width, 3), 0.12)
    for leaf in scene.primitives:
        image[leaf.mask] = colours[id(leaf)]
    panel.imshow(image)
    panel.set_title("parts")


def _tree(panel: Axes, scene: Scene, colours: dict[int, Colour]) -> None:
    """One line per node, its parts below it and to the right, a line from each part to its whole."""
    rows = {id(node): i for i, node in enumerate(scene.observations)}
    levels = [0]
    size = FONT * min(1.0, LINES / max(len(rows), 1))

    def grow(node: Observation, level: int) -> None:
        row = rows[id(node)]
        levels.append(level)
        for part in node.parts:
            below = rows[id(part)]
            panel.plot([level, level, level + 1], [row, below, below], color="0.7", linewidth=1, zorder=1)
            grow(part, level + 1)
        panel.plot(level, row, "s" if node.parts else "o", color=colours[id(node)], markersize=size * 0.7)
        label = f"{' '.join(legal(node.symbol).split())}  {node.p:.2f}"
        panel.text(
            level + 0.25, row, label, va="center", fontsize=size, family=families(label), parse_math=False
        )

    for axiom in scene.axioms:
        grow(axiom, 0)
    panel.set_title("tree")
    panel.set_xlim(-0.5, max(levels) + 4)
    panel.set_ylim(max(len(rows), LINES / 2) - 0.5, -0.5)
