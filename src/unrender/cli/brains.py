"""The brain that a command works with."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unrender.errors import UnrenderError

if TYPE_CHECKING:
    from unrender.brain import Brain

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
OWN = Path("my.brain")  # what a command that needs a brain takes if none is named


def check_brain(path: Path | None) -> Path | None:
    """The path of a brain that is there already."""
    if path is not None and not path.exists():
        raise UnrenderError(f'There is no brain file "{path}"; "unrender teach" makes one.')
    return path


def open_brain(path: Path | None) -> Brain:
    """The brain in a file that must be there, or one that knows primitives only."""
    import unrender

    path = check_brain(path)
    return unrender.open() if path is None else unrender.open(path)
