"""unrender draw: one symbol as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from unrender.batch.output import assignments, check_place, picture_kind, save_picture, sides
from unrender.cli.brains import PRIMITIVES, BrainOption, complete_symbol, known_brain, open_brain
from unrender.cli.console import console
from unrender.errors import UnrenderError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


def draw(
    symbol: Annotated[
        str,
        typer.Argument(
            help="A primitive, a symbol of the grammar, or one that the brain has learned.",
            autocompletion=complete_symbol,
        ),
    ],
    attributes: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="ATTRIBUTE=VALUE",
            help="x, y, width, height (of an edge: length, width), rotation, red, ...",
        ),
    ] = None,
    output: Annotated[Path, typer.Option("-o", "--output", help="The picture to write.")] = Path("out.png"),
    grammar: Annotated[
        Path | None, typer.Option("--grammar", "-g", help="A grammar file that defines the symbol.")
    ] = None,
    brain: BrainOption = None,
    canvas: Annotated[str, typer.Option("--canvas", help="Width x height in pixels.")] = "84x84",
) -> None:
    """Draw a primitive, a symbol of a grammar file, or an object that was taught.

    Without x and y it stands in the middle; without a colour it is white, or as it was taught.
    """
    values, size = assignments(attributes or []), sides(canvas)
    picture_kind(output)
    check_place(output)
    known = None if grammar is not None or symbol in PRIMITIVES else known_brain(brain)

    from unrender.grammar.grammar import Grammar
    from unrender.grammar.pixels import terminals

    if grammar is not None:
        picture = Grammar.load(grammar).draw(symbol, values, size)
    elif known is not None and symbol not in terminals():
        picture = draw_known(symbol, values, size, known)
    else:
        picture = Grammar(terminals().values()).draw(symbol, values, size)
    save_picture(picture, output)
    console().print(f"Drew [{symbol}] on {size[0]}x{size[1]} pixels: {output}", soft_wrap=True)


def draw_known(
    symbol: str, values: dict[str, float], canvas: tuple[int, int], brain: Path
) -> NDArray[np.uint8]:
    """An object that a brain has learned."""
    given: dict[str, Any] = dict(values)
    if {"x", "y"} & given.keys():
        given["position"] = (given.pop("x", canvas[0] / 2), given.pop("y", canvas[1] / 2))
    if {"width", "height"} & given.keys():
        if not {"width", "height"} <= given.keys():
            raise UnrenderError("Give both the width and the height of an object that was taught, or none.")
        given["size"] = (given.pop("width"), given.pop("height"))
    with open_brain(brain) as opened:
        return opened.draw(symbol, canvas=canvas, **given)
