"""A scene as a tree on the terminal, in lines of at most 80 columns where no terminal says otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text
    from rich.tree import Tree

    from unrender.scene import Observation, Scene
    from unrender.scene.addresses import Address

COLUMNS = 80


def show(screen: Console, scene: Scene, name: str) -> None:
    """Print the tree, and what is to be borne in mind about it."""
    from unrender.scene.language.describe import caveats

    if scene.axioms:
        screen.print(tree(scene, name), width=screen.width if screen.is_terminal else COLUMNS)
    else:
        screen.print(f"Nothing was found in {name} ({scene.width}x{scene.height} pixels).")
    for caveat in caveats(scene):
        screen.print(caveat, soft_wrap=not screen.is_terminal)


def tree(scene: Scene, name: str) -> Tree:
    """The observed parse-trees, the front-most object first, each node with its number and its name."""
    from rich.text import Text
    from rich.tree import Tree

    from unrender.scene.addresses import addresses

    count, known = len(scene.axioms), addresses(scene)
    things = "1 object" if count == 1 else f"{count} objects, the front-most first"
    root = Tree(Text.assemble((name, "bold"), f"  {scene.width}x{scene.height} pixels, {things}"))
    branches = [root]
    for address, line in zip(known, lines(known), strict=True):
        branches[address.level + 1 :] = [branches[address.level].add(line)]
    return root


def listed(shown: Sequence[Address]) -> list[Text]:
    """Lines about nodes that are shown without a tree."""
    return lines([replace(address, level=0) for address in shown])


def lines(shown: Sequence[Address]) -> list[Text]:
    """What is to be said about each node: number, name, p, centre, width x height in pixels, rotation, looks.

    Numbers stand below one another, and names below those of the same level.
    """
    from rich.cells import cell_len
    from rich.text import Text

    names: dict[int, int] = {}  # columns, by level
    for one in shown:
        names[one.level] = max(names.get(one.level, 0), cell_len(one.name))
    poses = [[f"{round(value, 1) + 0.0:.1f}" for value in _pose(one.node)] for one in shown]  # no "-0.0"
    wide = [max(map(len, column)) for column in zip(*poses, strict=True)]
    digits = len(str(shown[-1].number)) if shown else 0
    said = []
    for one, pose in zip(shown, poses, strict=True):
        x, y, width, height, rotation = (text.rjust(own) for text, own in zip(pose, wide, strict=True))
        name = one.name + " " * (names[one.level] - cell_len(one.name))
        line = Text.assemble((f"{one.number:<{digits}} ", "dim"), (name, "bold"))
        line.append(f" p {one.node.p:.2f}  {x},{y}  {width}x{height}  {rotation}°")
        said.append(_with_looks(line, one.node))
    return said


def _pose(node: Observation) -> tuple[float, ...]:
    return (*node.position, *node.size, node.rotation)


def _swatch(line: Text, shade: Sequence[float]) -> None:
    """A field of a colour, and its code."""
    colour = "#" + "".join(f"{round(255 * channel):02x}" for channel in shade)
    line.append(" ").append(" ", f"on {colour}").append(colour)


def _with_looks(line: Text, node: Observation) -> Text:
    """The line with colours, stroke, attributes of the node's own, and what is hidden."""
    from unrender.grammar.attribute import STROKE_NAMES
    from unrender.scene.language.words import BASIC, border, has_colour, shown
    from unrender.scene.pixels import stroke_width

    if has_colour(node.attributes):
        _swatch(line, shown(node.attributes))
    if 0 < (filled := node.attributes.get("filled", 1.0)) < 1:
        line.append(f" {filled:.0%} filled")
    stroke = 0.0 if node.parts else stroke_width(node)
    if stroke:
        line.append(f" line {stroke:.1f}")
        if border(node.attributes):
            _swatch(line, [node.attributes[name] for name in STROKE_NAMES])
    for own, value in node.attributes.items():
        if own not in BASIC:
            line.append(f"  {own} {value:.2f}")
    if node.hidden:
        line.append("  hidden: " + ", ".join(part.symbol for part in node.hidden))
    return line
