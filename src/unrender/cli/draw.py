"""unrender draw: one symbol as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from unrender.cli.output import assignments, save_picture, sides


def draw(
    symbol: Annotated[str, typer.Argument(help="A primitive, or a symbol of the grammar.")],
    attributes: Annotated[
        list[str] | None,
        typer.Argument(metavar="ATTRIBUTE=VALUE", help="x, y, width, height, rotation, red, filled, ..."),
    ] = None,
    output: Annotated[Path, typer.Option("-o", "--output", help="The picture to write.")] = Path("out.png"),
    grammar: Annotated[
        Path | None, typer.Option("--grammar", "-g", help="A grammar file that defines the symbol.")
    ] = None,
    canvas: Annotated[str, typer.Option("--canvas", help="Width x height in pixels.")] = "84x84",
) -> None:
    """Draw a primitive, or a symbol of a grammar file.

    Without x and y it stands in the middle; without a colour it is white.
    """
    values, size = assignments(attributes or []), sides(canvas)

    from unrender.grammar.grammar import Grammar
    from unrender.grammar.pixels import terminals

    known = Grammar.load(grammar) if grammar else Grammar(terminals().values())
    save_picture(known.draw(symbol, values, size), output)

    from rich.console import Console
    from rich.markup import escape

    drew = f"Drew \\[{symbol}] on {size[0]}x{size[1]} pixels: [bold]{escape(str(output))}[/]"
    Console(highlight=False).print(drew)
