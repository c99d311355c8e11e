"""The commands, each in a file of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

import typer

from unrender import __version__
from unrender.cli.bench import bench
from unrender.cli.brain import brains
from unrender.cli.demo import demo
from unrender.cli.describe import ask, describe
from unrender.cli.draw import draw
from unrender.cli.edit import edit
from unrender.cli.find import find
from unrender.cli.learn import learn
from unrender.cli.see import see
from unrender.cli.studio import studio
from unrender.cli.teach import teach
from unrender.cli.train import train
from unrender.cli.watch import watch_film
from unrender.cli.world import worlds

app = typer.Typer(
    help="Turn a picture back into the scene it was drawn from, and draw that scene again.",
    no_args_is_help=True,
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


def _add(command: Callable[..., None], example: str, **settings: Any) -> None:
    """Add a command, with an example in its help."""
    app.command(epilog=f"Example:  unrender {example}", **settings)(command)


_add(see, 'see frames/ "clips/*.mp4" -o scenes -f svg --jobs 0')
_add(watch_film, "watch clip.mp4 -o clip.lottie.json -b my.brain", name="watch")
_add(describe, "describe frame.png -b my.brain")
_add(ask, 'ask frame.png "how many asteroids are left of the ship?" -b my.brain')
_add(find, "find ship frames/ -b my.brain")
_add(teach, "teach frame.png ship --parts 1,2,3 -b my.brain")
_add(
    edit, 'edit frame.png "ship.1.red=1" "asteroid.*.rotation+=30" "remove triangle.2" -b my.brain -o out.png'
)
_add(draw, "draw circle red=1 thickness=0.2 filled=0 -o ring.png")
app.add_typer(brains, name="brain", epilog="Example:  unrender brain show -b my.brain")
_add(learn, "learn frames/ -b my.brain")
_add(studio, "studio frames/ -b my.brain")
_add(demo, "demo -o out/demo")
_add(train, "train circle --steps 3000 --seed 1")
app.add_typer(worlds, name="world", epilog="Example:  unrender world asteroids -n 100 -o asteroids --seed 7")
_add(
    bench,
    "bench oneshot --quick",
    context_settings={"allow_extra_args": True, "allow_interspersed_args": False},
)
