"""unrender brain: look inside what has been learned, and change it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unrender.batch.output import make_folder
from unrender.cli.brains import StoredBrainOption, complete_symbol, existing_brain, open_brain
from unrender.cli.console import console
from unrender.errors import UnrenderError

if TYPE_CHECKING:
    from rich.table import Table

    from unrender.brain import Brain

GRAPHS = (".png", ".svg")
DOTS = 150  # per inch of a picture

brains = typer.Typer(help="Look inside what has been learned, and change it.", no_args_is_help=True)
Known = Annotated[
    str,
    typer.Argument(
        help="A symbol that has been learned.", show_default=False, autocompletion=complete_symbol
    ),
]


@brains.callback()
def start() -> None:
    """Look inside what has been learned, and change it."""


@brains.command(epilog="Example:  unrender brain show -b my.brain")
def show(brain: StoredBrainOption = None) -> None:
    """Show every symbol with its routes, their parts and its attributes."""
    brain = existing_brain(brain)
    with open_brain(brain) as opened:
        screen = console()
        if opened.symbols:
            screen.print(symbols(opened))
        known, taught = (len(own) for own in (opened.symbols, opened.lessons))
        told = f"{known} symbol{'s' * (known != 1)}, {taught} lesson{'s' * (taught != 1)}: {brain}"
        screen.print(told, soft_wrap=True)


@brains.command(epilog="Example:  unrender brain lessons -b my.brain")
def lessons(brain: StoredBrainOption = None) -> None:
    """List all lessons, the oldest first."""
    from rich.table import Table
    from rich.text import Text

    with open_brain(existing_brain(brain)) as opened:
        rows = Table(box=None, pad_edge=False)
        for title in ("lesson", "when", "kind", "what"):
            rows.add_column(title, overflow="fold")
        for lesson in opened.lessons:
            rows.add_row(str(lesson.id), lesson.at[:16].replace("T", " "), lesson.kind, Text(lesson.title))
        console().print(rows if opened.lessons else "Nothing has been taught yet.")


@brains.command(epilog="Example:  unrender brain undo -b my.brain")
def undo(brain: StoredBrainOption = None) -> None:
    """Take back the last lesson."""
    with open_brain(existing_brain(brain)) as opened:
        console().print(f"Took back: {opened.undo().title}")


@brains.command(epilog="Example:  unrender brain rename object1 ship -b my.brain")
def rename(
    old: Known,
    new: Annotated[str, typer.Argument(help="Its new name.", show_default=False)],
    brain: StoredBrainOption = None,
) -> None:
    """Give a symbol another name, everywhere."""
    with open_brain(existing_brain(brain)) as opened:
        opened.rename(old, new)
    console().print(f"{old} is now called {new}")


@brains.command(epilog="Example:  unrender brain forget ship -b my.brain")
def forget(name: Known, brain: StoredBrainOption = None) -> None:
    """Unlearn a symbol."""
    with open_brain(existing_brain(brain)) as opened:
        opened.forget(name)
    console().print(f"Forgot {name}")


@brains.command(epilog="Example:  unrender brain allow car stretch -b my.brain")
def allow(
    name: Known,
    variants: Annotated[list[str], typer.Argument(help="mirrored, stretch, or both.", show_default=False)],
    brain: StoredBrainOption = None,
) -> None:
    """Let a symbol be found mirrored or stretched, though no example was shown."""
    with open_brain(existing_brain(brain)) as opened:
        opened.allow(name, *variants)
        console().print(opened.lessons[-1].title)


@brains.command(epilog="Example:  unrender brain grammar -b my.brain > ships.grammar")
def grammar(brain: StoredBrainOption = None) -> None:
    """Print what is known as a grammar, which Grammar.parse and brain.learn_grammar read."""
    with open_brain(existing_brain(brain)) as opened:
        console().print(str(opened.grammar).rstrip(), soft_wrap=True)


@brains.command(epilog="Example:  unrender brain matrix -b my.brain")
def matrix(brain: StoredBrainOption = None) -> None:
    """Print the decision matrix: which features of a question have come with which cause."""
    with open_brain(existing_brain(brain)) as opened:
        console().print(str(opened.matrix), soft_wrap=True)


@brains.command(epilog="Example:  unrender brain graph -b my.brain -o brain.svg")
def graph(
    output: Annotated[Path, typer.Option("-o", "--output", help="A .png or .svg file.")] = Path("brain.png"),
    brain: StoredBrainOption = None,
) -> None:
    """Draw the capsule network as a picture: primitives on the left, arrows from parts to wholes."""
    from unrender.exports.save import check, write

    path = existing_brain(brain)
    if output.suffix.lower() not in GRAPHS:
        raise UnrenderError(f'Cannot write "{output}": use a name that ends in .png or .svg.')
    make_folder(output.parent)
    check(output)
    with open_brain(path) as opened:
        write(output, _graph(opened, output.suffix.lower()))
    console().print(f"Wrote {output}", soft_wrap=True)


def _graph(brain: Brain, suffix: str) -> bytes:
    """The file with the picture."""
    from unrender.exports.capsules import capsule_graph_png, capsule_graph_svg

    return capsule_graph_svg(brain).encode() if suffix == ".svg" else capsule_graph_png(brain, DOTS)


def symbols(brain: Brain) -> Table:
    """A line for each route."""
    from rich.table import Table
    from rich.text import Text

    rows = Table(box=None, pad_edge=False)
    for title in ("symbol", "route", "parts", "attributes", "examples"):
        rows.add_column(title, overflow="fold")
    for name, routes in brain.symbols.items():
        for route in routes:
            first = route is routes[0]
            rows.add_row(
                Text(name if first else "", "bold"),
                route.name,
                Text(" ".join(route.parts)),
                Text(" ".join(brain.knows(name) or ()) if first else ""),
                str(len(route.memory)),
            )
    return rows
