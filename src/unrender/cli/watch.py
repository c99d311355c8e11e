"""unrender watch: a film from a video, an animation or a folder of frames."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unrender.batch.output import make_folder
from unrender.cli import INTERRUPTED
from unrender.cli.brains import BrainOption, known_brain, open_brain
from unrender.cli.console import console
from unrender.paths import check_readable

if TYPE_CHECKING:
    from unrender.film.film import Film

BAR = 24  # columns


def watch_film(
    source: Annotated[
        Path, typer.Argument(help="A video, an animated picture, or a folder of frames.", metavar="SOURCE")
    ],
    output: Annotated[
        list[Path] | None,
        typer.Option(
            "-o",
            "--output",
            help="A file, its format chosen by its suffix (.lottie.json .svg .tscn .gif .mp4 .json); may be "
            "given again.",
            show_default="nothing is written",
        ),
    ] = None,
    fps: Annotated[
        float | None,
        typer.Option(help="Frames a second.", show_default="as the source says, or 25"),
    ] = None,
    brain: BrainOption = None,
) -> None:
    """Watch a film: say who moves how and what each does, and with -o write it for other programs.

    Ctrl+C stops; what has been seen by then is written.
    """
    from unrender.exports.save import check
    from unrender.film.exports.save import exporter_of

    if not source.is_dir():
        check_readable(source)
    goals = output or []
    for goal in goals:
        exporter_of(goal.name)
        make_folder(goal.parent)
        check(goal)
    known, screen = known_brain(brain), console()
    with _bar() as progress:
        film = open_brain(known).watch(source, fps, progress=progress)
    for goal in goals:
        film.save(goal)
    if film.stopped:
        wrote = f" Wrote {', '.join(map(str, goals))}." if goals else ""
        console(stderr=True).print(f"{film.notes[-1]}{wrote}", soft_wrap=True)
        raise typer.Exit(INTERRUPTED)
    _show(film)
    for goal in goals:
        screen.print(f"Wrote {goal}", soft_wrap=True)


def _show(film: Film) -> None:
    from rich.table import Table

    from unrender.film.motion.motion import motion_of

    screen = console()
    table = Table("track", "symbol", "frames", "motion", "does", box=None, padding=(0, 2, 0, 0))
    for track in film.tracks:
        does = ", ".join(dict.fromkeys(doing.verb for doing in film.doings.get(track.number, [])))
        span = f"{track.first}-{track.last}"
        table.add_row(str(track.number), track.symbol, span, motion_of(film, track).kind, does)
    screen.print(table)
    for said in (film.describe(), film.question):
        if said is not None:
            screen.print(str(said), soft_wrap=not screen.is_terminal)


@contextmanager
def _bar() -> Iterator[Callable[[int, int | None], None]]:
    """A bar on the terminal that says how many frames were seen."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    screen = console(stderr=True)
    columns = (TextColumn("Watching"), BarColumn(BAR), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=screen, disable=not screen.is_terminal, transient=True) as bar:
        task = bar.add_task("Watching", total=None)
        yield lambda done, of: bar.update(task, completed=done, total=of)
