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


def shown(reports: Iterable[Report[T]], wanted: int, before: int = 0) -> Iterator[Report[T]]:
    """The same reports, with a bar on the terminal that says how many of the sources `wanted` are done.

    before: how many were done before this.
    """
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    screen = console(stderr=True)
    columns = (
        TextColumn("Looking"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("left"),
    )
    done: set[Source] = set()
    with Progress(*columns, console=screen, disable=not screen.is_terminal, transient=True) as bar:
        task = bar.add_task("Looking", total=wanted, completed=before)
        for report in reports:
            done.add(report.view.source)
            bar.update(task, completed=before + len(done))
            yield report


def ended(failed: Sequence[Report[T]], reports: int, wanted: int) -> None:
    """List all failures; a single picture that failed is an error, and some of many are exit code 1.

    reports: how many there were in all, of how many sources that were `wanted`.
    """
    if not failed:
        return
    if reports == 1:
        raise UnrenderError(failed[0].error or "")
    screen = console(stderr=True)
    screen.print(f"{len(failed)} of {wanted} failed:", style="red")
    for report in failed:
        screen.print(f"  {report.error}", soft_wrap=True)
    raise typer.Exit(ALL if len(failed) == reports else SOME)
