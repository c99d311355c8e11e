"""A bar while many pictures are looked at, and what went wrong with some of them at the end."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

import typer

from unrender.cli.console import console
from unrender.cli.sources import Source
from unrender.errors import UnrenderError

if TYPE_CHECKING:
    from unrender.cli.watch import Report

T = TypeVar("T")
SOME, ALL = 1, 2  # exit codes


def shown(reports: Iterable[Report[T]], wanted: Sequence[Source], what: str) -> Iterator[Report[T]]:
    """The same reports, with a bar on the terminal that says how far they are."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    screen = console(stderr=True)
    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), TextColumn("left"))
    done: set[Source] = set()
    with Progress(*columns, console=screen, disable=not screen.is_terminal, transient=True) as bar:
        task = bar.add_task(what, total=len(wanted))
        for report in reports:
            done.add(report.view.source)
            bar.update(task, completed=len(done))
            yield report


def ended(reports: Sequence[Report[T]]) -> None:
    """List all failures; a single picture that failed is an error, and some of many are exit code 1."""
    failed = [report for report in reports if report.error is not None]
    if not failed:
        return
    if len(reports) == 1:
        raise UnrenderError(failed[0].error or "")
    screen = console(stderr=True)
    screen.print(f"{len(failed)} of {len({report.view.source for report in reports})} failed:", style="red")
    for report in failed:
        screen.print(f"  {report.error}", soft_wrap=True)
    raise typer.Exit(ALL if len(failed) == len(reports) else SOME)
