"""A scene as a tree on the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.text import Text
    from rich.tree import Tree

    from unrender.scene import Observation, Scene
    from unrender.scene.addresses import Address

_SHOWN = {"red", "green", "blue", "filled", "thickness"}  # attributes that have words of their own


def tree(scene: Scene, name: str) -> Tree:
    """The observed parse-trees, the front-most object first, each node with its number and its name."""
    from rich.text import Text
    from rich.tree import Tree

    from unrender.scene.addresses import addresses

    count = len(scene.axioms)
    things = "1 object" if count == 1 else f"{count} objects, the front-most first"
    root = Tree(Text.assemble((name, "bold"), f"  {scene.width}x{scene.height} pixels, {things}"))
    branches = [root]
    for address in addresses(scene):
        branches[address.level + 1 :] = [branches[address.level].add(line(address))]
    return root


def line(address: Address) -> Text:
    """What is to be said about one observation."""
    from rich.text import Text

    node = address.node
    (x, y), (width, height) = node.position, node.size
    said = Text.assemble(
        (f"{address.number:<3}", "dim"),
        (f"{address.name:10}", "bold"),
        f" p {node.p:.2f}  at {x:5.1f}, {y:5.1f}  {width:5.1f} x {height:5.1f} px  {node.rotation:6.1f}°",
    )
    if {"red", "green", "blue"} <= node.attributes.keys():
        colour = "#" + "".join(f"{round(255 * node.attributes[c]):02x}" for c in ("red", "green", "blue"))
        said.append("  ").append("  ", f"on {colour}").append(f" {colour}")
    if "filled" in node.attributes:
        filled = node.attributes["filled"]
        said.append({0.0: "  outlined", 1.0: "  filled"}.get(filled, f"  {filled:.0%} filled"))
    if stroke := node.attributes.get("thickness", 0.0) * min(width, height):
        said.append(f" {stroke:.1f} px")
    for own, value in node.attributes.items():
        if own not in _SHOWN:
            said.append(f"  {own} {value:.2f}")
    return said.append(_hidden(node))


def _hidden(node: Observation) -> str:
    return "  hidden: " + ", ".join(part.symbol for part in node.hidden) if node.hidden else ""
