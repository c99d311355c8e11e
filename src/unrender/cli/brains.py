"""The brain that a command works with."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unrender.cli.console import console
from unrender.errors import UnrenderError

if TYPE_CHECKING:
    from unrender.brain import Brain
    from unrender.memory import Snapshot

VARIABLE = "UNRENDER_BRAIN"

BrainOption = Annotated[
    Path | None,
    typer.Option(
        "--brain",
        "-b",
        envvar=VARIABLE,
        help="The brain file with what has been learned.",
        show_default="only primitives are known",
    ),
]
OwnBrainOption = Annotated[
    Path,
    typer.Option("--brain", "-b", envvar=VARIABLE, help="The brain file with what has been learned."),
]
PRIMITIVES = ("circle", "square", "triangle")  # names that the shell completes without starting all of us
OWN = Path("my.brain")  # what a command that needs a brain takes if none is named


def check_brain(path: Path | None) -> Path | None:
    """The path of a brain that is there already."""
    if path is not None and not path.exists():
        raise UnrenderError(f'There is no brain file "{path}"; "unrender teach" makes one.')
    return path


def say_first_time() -> None:
    """Whoever waits for the first picture after an installation is told why."""
    kept = any((Path(__file__).parents[1] / "capsules").glob("__pycache__/*.ready"))  # a quick first answer
    if kept or not sys.stderr.isatty():
        return
    from unrender.capsules.ready import is_ready

    if not is_ready():
        console(stderr=True).print(
            "The first time takes about 20 seconds: some loops are compiled for this machine."
        )


def open_brain(path: Path | None) -> Brain:
    """The brain in a file that must be there, or one that knows primitives only."""
    import unrender

    path = check_brain(path)
    say_first_time()
    return unrender.open() if path is None else unrender.open(path)


def knowledge(path: Path | None) -> Snapshot | None:
    """What a brain file that must be there holds now: other processes and machines can be given it."""
    from unrender.memory import Store

    path = check_brain(path)
    if path is None:
        return None
    with Store.open(path) as store:
        return store.read()


def recalled(known: Snapshot | None) -> Brain:
    """A brain in memory that knows this, or primitives only."""
    from unrender.brain import Brain

    return Brain() if known is None else Brain.recall(known)


def complete_symbol(context: typer.Context, incomplete: str) -> list[str]:
    """For the shell: the primitives and what the brain has learned, as far as it is named already."""
    from unrender.memory import Store

    path = context.params.get("brain") or os.environ.get(VARIABLE) or OWN
    names = list(PRIMITIVES)
    if Path(path).is_file():
        with suppress(UnrenderError), Store.open(path) as store:
            names += store.read().symbols
    return [name for name in names if name.startswith(incomplete)]
