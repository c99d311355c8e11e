"""unrender see: the scene that a picture was drawn from."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unrender.cli.output import make_folder, save_picture, write_text
from unrender.errors import UnrenderError

if TYPE_CHECKING:
    from rich.text import Text
    from rich.tree import Tree

    from unrender.scene import Observation, Scene

SUFFIXES = (".png", ".json")
COLUMNS = 120  # of the tree, where no terminal says how wide it is
_SHOWN = {"red", "green", "blue", "filled", "thickness"}  # attributes that have words of their own


def see(
    image: Annotated[Path, typer.Argument(help="A picture in any format that Pillow reads.")],
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            help="The file to write: .png is the redrawn picture, .json the scene graph.",
            show_default="NAME.redrawn.png beside the picture",
        ),
    ] = None,
) -> None:
    """Find the primitives in a picture, print them as a tree, and draw the scene again."""
    goal = output or image.with_name(f"{image.stem}.redrawn.png")
    check_goal(goal, image)

    from rich.console import Console
    from rich.text import Text

    import unrender

    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = COLUMNS
    with console.status("Looking"):
        scene = unrender.open().see(image)
        make_folder(goal.parent)
        if goal.suffix.lower() == ".json":
            write_text(json.dumps(scene.to_dict(), indent=1) + "\n", goal)
        else:
            save_picture(scene.image, goal)
    if scene.axioms:
        console.print(tree(scene, image.name))
    else:
        console.print(Text(f"Nothing was found in {image.name} ({scene.width}x{scene.height} pixels)."))
    console.print(Text.assemble("Wrote ", (str(goal), "bold")), soft_wrap=True)


def check_goal(goal: Path, image: Path) -> None:
    """Refuse to write over the picture itself, or a format that we cannot write."""
    if goal.suffix.lower() not in SUFFIXES:
        raise UnrenderError(f'Cannot write "{goal}": use a name that ends in .png or .json.')
    try:
        same = goal.samefile(image)
    except OSError:  # one of them is not there
        same = False
    if same:
        raise UnrenderError(f'"{goal}" is the picture itself; choose another name for the output.')


def tree(scene: Scene, name: str) -> Tree:
    """The observed parse-trees, the front-most object first."""
    from rich.text import Text
    from rich.tree import Tree

    count = len(scene.axioms)
    things = "1 object" if count == 1 else f"{count} objects, the front-most first"
    root = Tree(Text.assemble((name, "bold"), f"  {scene.width}x{scene.height} pixels, {things}"))
    for axiom in reversed(scene.axioms):
        _grow(root, axiom)
    return root


def _grow(branch: Tree, node: Observation) -> None:
    leaf = branch.add(line(node))
    for part in reversed(node.parts):
        _grow(leaf, part)


def line(node: Observation) -> Text:
    """What is to be said about one observation."""
    from rich.text import Text

    (x, y), (width, height) = node.position, node.size
    said = Text.assemble(
        (f"{node.symbol:8}", "bold"),
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
    return said
