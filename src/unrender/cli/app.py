"""The commands, each in a file of its own."""

from __future__ import annotations

from typing import Annotated

import typer

from unrender import __version__
from unrender.cli.demo import demo
from unrender.cli.draw import draw
from unrender.cli.see import see
from unrender.cli.train import train
from unrender.cli.world import worlds

app = typer.Typer(
    help="Turn a picture back into the scene it was drawn from, and draw that scene again.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"unrender {__version__}")
        raise typer.Exit


@app.callback(epilog="Example:  unrender see frame.png")
def start(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit."),
    ] = False,
) -> None:
    """Turn a picture back into the scene it was drawn from, and draw that scene again."""


app.command(epilog="Example:  unrender see frame.png -o scene.json")(see)
app.command(epilog="Example:  unrender draw circle red=1 thickness=0.2 filled=0 -o ring.png")(draw)
app.command(epilog="Example:  unrender demo -o out/demo")(demo)
app.command(epilog="Example:  unrender train circle --steps 3000 --seed 1")(train)
app.add_typer(worlds, name="world", epilog="Example:  unrender world asteroids -n 100 -o asteroids --seed 7")
