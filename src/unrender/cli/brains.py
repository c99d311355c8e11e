"""The brain that a command works with: one rule for all of them.

It is the file that -b names, or else that of the variable UNRENDER_BRAIN, or else my.brain in this folder.
What only looks does without one if my.brain is not there; what learns makes it.
"""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from unrender.cli.console import console
from unrender.errors import UnrenderError

if TYPE_CHECKING:
    from unrender.brain import Brain

VARIABLE = "UNRENDER_BRAIN"
OWN = Path("my.brain")
NONE = ":memory:"  # what -b names to do without a brain


def _option(help: str, default: str) -> Any:
    return typer.Option("--brain", "-b", envvar=VARIABLE, metavar="FILE", help=help, show_default=default)


BrainOption = Annotated[
    Path | None,
    _option(f"The brain file with what has been learned; {NONE} for none.", f"{OWN} if it is there"),
]
StoredBrainOption = Annotated[Path | None, _option("The brain file.", str(OWN))]
LearningBrainOption = Annotated[
    Path | None, _option("The brain file to keep it in, made if it is not there.", str(OWN))
]
PRIMITIVES = ("arc", "circle", "curve", "edge", "path", "square", "triangle")
"""Names that the shell completes without starting all of us."""


def known_brain(path: Path | None) -> Path | None:
    """The brain to look with, which must be there; None to know primitives only. One that nobody has named is
    told, since what is seen depends on it."""
    if path is not None:
        return None if str(path) == NONE else existing_brain(path)
    if not OWN.exists():
        return None
    console(stderr=True).print(f"Using {OWN}.", style="dim")
    return OWN


def existing_brain(path: Path | None) -> Path:
    """The brain to look into, which must be there."""
    path = path or OWN
    if not path.exists():
        raise UnrenderError(f'There is no brain file "{path}"; "unrender teach" makes one.')
    return path


def learning_brain(path: Path | None) -> Path:
    """The brain to keep lessons in, whether it is there or not."""
    if path is not None and str(path) == NONE:
        raise UnrenderError("What is learned is kept in a file; name one with -b.")
    return path or OWN


def remove_empty(path: Path) -> None:
    """Leave no brain file behind in which nothing was ever learned."""
    from unrender.memory import Store

    with Store.open(path) as store:
        learned = store.read().lessons
    if not learned:
        path.unlink()


def say_first_time() -> None:
    """Whoever waits for the first picture after an installation is told why."""
    kept = any(Path(__file__).parents[1].glob("__pycache__/*/*.ready"))  # a quick first answer
    if kept or not sys.stderr.isatty():
        return
    from unrender.perception.warmup import is_ready

    if not is_ready():
        console(stderr=True).print(
            "The first picture takes a minute or two: its loops are compiled for this machine, once."
        )


def open_brain(path: Path | None) -> Brain:
    """The brain in a file that is there, or one that knows primitives only."""
    import unrender

    say_first_time()
    return unrender.open() if path is None else unrender.open(path)


def complete_symbol(context: typer.Context, incomplete: str) -> list[str]:
    """For the shell: the primitives and what the brain has learned, as far as it is named already."""
    from unrender.memory import Store

    path = context.params.get("brain") or os.environ.get(VARIABLE) or OWN
    names = list(PRIMITIVES)
    if Path(path).is_file():
        with suppress(UnrenderError), Store.open(path) as store:
            names += store.read().symbols
    return [name for name in names if name.startswith(incomplete)]
