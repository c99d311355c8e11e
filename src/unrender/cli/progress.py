"""How far the work on many pictures has come, how it is stopped, and what went wrong with some of them."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

import typer

from unrender.batch.look import Report, View
from unrender.batch.sources import Source, unread
from unrender.cli import INTERRUPTED
from unrender.cli.console import console
from unrender.errors import UnrenderError

if TYPE_CHECKING:
    from rich.console import Console

T = TypeVar("T")
SOME, ALL = 1, 2  # exit codes
BAR = 24  # columns: the "^C" that a terminal shows must fit beside it, or the bar could not be taken away
REMEMBERED = 600.0  # s: pictures of which time the speed is taken from


def shown(
    reports: Iterable[Report[T]], wanted: int, before: int = 0, screen: Console | None = None
) -> Generator[Report[T]]:
    """The same reports, with a bar on the terminal that says how many of the sources `wanted` are done, and
    how long the others will take.

    before: how many were done before this. screen: where the bar is, if not on stderr.
    """
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    screen = screen or console(stderr=True)
    columns = (
        TextColumn("Looking"),
        BarColumn(BAR),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("left; Ctrl+C stops"),
    )
    bar = Progress(
        *columns,
        console=screen,
        disable=not screen.is_terminal,
        transient=True,
        speed_estimate_period=REMEMBERED,
        redirect_stdout=False,  # what is printed meanwhile is for another program
        redirect_stderr=False,
    )
    done: set[Source] = set()
    with bar:
        task = bar.add_task("Looking", total=wanted, completed=before)
        for report in reports:
            done.add(report.view.source)
            bar.update(task, completed=before + len(done))
            yield report


@dataclass
class Stop:
    """Whether somebody has stopped the work."""

    pressed: bool = False


@contextmanager
def stoppable() -> Iterator[Stop]:
    """Ctrl+C ends the block and nothing else, so that what has been seen by then can be told."""
    stop = Stop()
    try:
        yield stop
    except KeyboardInterrupt:
        stop.pressed = True


def stopped(done: int, wanted: int, then: str = "") -> None:
    """Say how far the work has come, and leave."""
    console(stderr=True).print(f"Stopped after {done} of {wanted}{then}.", soft_wrap=True)
    raise typer.Exit(INTERRUPTED)


def ended_unread(wanted: Sequence[Source]) -> None:
    """Leave if none of the files can be read; otherwise those that cannot are told with the others."""
    failed = unread_reports(wanted)
    if len(failed) == len(wanted):
        ended(failed, len(failed), len(wanted))


def unread_reports(wanted: Sequence[Source]) -> list[Report[Any]]:
    """The reports of files that cannot be read, as far as can be told without opening them."""
    return [Report(View(source), error=why) for source in wanted if (why := unread(source)) is not None]


def ended(failed: Sequence[Report[T]], reports: int, wanted: int) -> None:
    """List all failures; a single picture that failed is an error, and some of many are exit code 1.

    reports: how many there were in all, of how many sources that were `wanted`.
    """
    if not failed:
        return
    if reports == 1:
        raise UnrenderError(failed[0].error or "")
    list_failures(failed, wanted)
    raise typer.Exit(ALL if len(failed) == reports else SOME)


def list_failures(failed: Sequence[Report[T]], wanted: int) -> None:
    """Each in a line on stderr."""
    screen = console(stderr=True)
    screen.print(f"{len(failed)} of {wanted} failed:", style="red")
    for report in failed:
        screen.print(f"  {report.error}", soft_wrap=True)
