"""unrender see: the scenes that pictures and videos were drawn from."""

from __future__ import annotations

import sys
import time
from collections.abc import Generator, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unrender.batch.brains import knowledge
from unrender.batch.destinations import Goal, goal_of
from unrender.batch.journal import joined
from unrender.batch.look import Report, View, watch
from unrender.batch.resume import keep_for, results_of
from unrender.batch.sources import Source, sources
from unrender.batch.summary import Seen, place
from unrender.batch.tally import Tally
from unrender.cli.brains import BrainOption, known_brain, open_brain
from unrender.cli.console import console
from unrender.cli.progress import (
    ended,
    ended_unread,
    list_failures,
    shown,
    stoppable,
    stopped,
    unread_reports,
)
from unrender.cli.tree import show
from unrender.errors import UnrenderError

if TYPE_CHECKING:
    from unrender.memory import Snapshot

Paths = Annotated[
    list[str],
    typer.Argument(
        help="Pictures, videos, folders, or patterns in quotes.", metavar="PATHS", show_default=False
    ),
]
Jobs = Annotated[
    int, typer.Option("--jobs", "-j", min=0, help="Processes; 0 for as many as the work is worth.")
]
Lines = Annotated[bool, typer.Option("--json", help="Print JSON, a line for each picture or frame.")]


def see(
    paths: Paths,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            help="A file, its format chosen by its suffix (.svg .json .tscn .png .coco.json), a folder, or "
            "one file for all pictures (.jsonl .parquet).",
            show_default="nothing is written",
        ),
    ] = None,
    formats: Annotated[
        list[str] | None,
        typer.Option(
            "--format",
            "-f",
            help="The format of the files in a folder; may be given again.",
            show_default="json",
        ),
    ] = None,
    brain: BrainOption = None,
    jobs: Jobs = 1,
    cluster: Annotated[
        str | None,
        typer.Option(
            help="The scheduler of a Dask cluster that does the work: tcp://host:port.", show_default=False
        ),
    ] = None,
    max_seconds: Annotated[
        float | None,
        typer.Option(
            "--max-seconds",
            metavar="S",
            help="For each picture; what was read by then is told.",
            show_default="no limit",
        ),
    ] = None,
    remember: Annotated[
        bool,
        typer.Option(
            "--remember",
            help="Keep in the brain file how sure each part of a known object was.",
        ),
    ] = False,
    again: Annotated[
        bool, typer.Option("--again", help="Begin anew where -o already holds results of these pictures.")
    ] = False,
    lines: Lines = False,
) -> None:
    """See what is in pictures and videos: print it, and with -o write it as scene graphs or draw it again.

    One picture is shown as a tree with its objects, many as a table. Exit code 1: some of them failed.

    Ctrl+C stops, with what has been seen by then; with -o the same command goes on from there.
    """
    wanted = sources(paths)
    if cluster is not None and jobs != 1:
        raise UnrenderError("The work is done by --jobs on this machine or by a --cluster; choose one.")
    if max_seconds is not None and not max_seconds > 0:
        raise UnrenderError(f"--max-seconds must be more than 0, not {max_seconds:g}.")
    if lines and len(unread := unread_reports(wanted)) == len(wanted):
        _print_lines(unread, Tally())
    ended_unread(wanted)
    quiet = lines and output is None and not formats
    goal = Goal() if quiet else goal_of(output, formats or (), wanted)
    brain = known_brain(brain)
    if remember and brain is None:
        raise UnrenderError("What is remembered is kept in a brain file; name one with -b.")
    if len(wanted) == 1 and not wanted[0].video and not (lines or cluster or goal.table):
        _show_one(wanted[0], brain, goal, max_seconds, remember)
        return
    way = Way(jobs, cluster, max_seconds, again, lines, brain if remember else None)
    _see_many(wanted, knowledge(brain), goal, way)


@dataclass(frozen=True)
class Way:
    """How many pictures are to be looked at."""

    jobs: int
    cluster: str | None
    max_seconds: float | None
    again: bool
    lines: bool  # of JSON, instead of tables
    remember: Path | None  # the brain file that is to remember them


def _see_many(wanted: Sequence[Source], known: Snapshot | None, goal: Goal, way: Way) -> None:
    tally, begin = Tally(), time.monotonic()
    with results_of(goal, known, way.again, way.max_seconds) as results:
        left = [source for source in wanted if str(source.path) not in results.done]
        before = len(wanted) - len(left)
        if before:
            console(stderr=True).print(f"{before} of {len(wanted)} were done before.")
        keep = keep_for(goal, way.lines, way.remember is not None)
        reports = results.kept(watch(left, known, keep, way.jobs, way.cluster, way.max_seconds))
        if way.remember is not None:
            reports = _remembered(reports, way.remember)
        if not (way.lines and sys.stdout.isatty()):  # where a bar would stand between the lines
            reports = shown(reports, len(wanted), before)
        with stoppable() as stop, closing(reports):
            if way.lines:
                _print_lines(reports, tally)
            else:
                for report in reports:
                    tally.add(report)
        if not stop.pressed:
            results.finish(bool(tally.failed))
    if tally.reports and not way.lines:
        _show_many(tally, goal, any(one.video for one in wanted), time.monotonic() - begin)
    if stop.pressed:
        if tally.failed:
            list_failures(tally.failed, len(wanted))
        stopped(before + tally.sources, len(wanted), "; the same command goes on" if goal.kept else "")
    if goal.table is not None and left and not way.lines:
        console().print(f"Wrote {goal.table}", soft_wrap=True)
    ended(tally.failed, tally.reports + before, len(wanted))


def _remembered(reports: Iterable[Report[Seen]], brain: Path) -> Generator[Report[Seen]]:
    """The same reports, each once the brain file remembers it."""
    from unrender.knowledge import Knowledge

    with closing(Knowledge(brain, "paper")) as known:
        known.check_remembers()
        for report in reports:
            if report.result is not None:
                known.remember(report.result.observed)
            yield report


def _print_lines(reports: Iterable[Report[Seen]], tally: Tally) -> None:
    for report in reports:
        tally.add(report)
        body = {"error": report.error} if report.result is None else report.result.text
        sys.stdout.write(joined(place(report.view), body) + "\n")
        sys.stdout.flush()


def _show_one(
    source: Source, brain: Path | None, goal: Goal, max_seconds: float | None, remember: bool
) -> None:
    from rich.text import Text

    screen = console()
    view = View(source)
    with screen.status("Looking"):
        scene = open_brain(brain).see(source.path, remember=remember, max_seconds=max_seconds)
        wrote = goal.save(scene, view)
    show(screen, scene, source.path.name)
    for path in wrote:
        screen.print(Text.assemble("Wrote ", (path, "bold")), soft_wrap=True)


def _show_many(tally: Tally, goal: Goal, films: bool, seconds: float) -> None:
    """Tables of what was found, and what was written; seconds: that it took."""
    screen = console()
    listed = tally.listed()
    if listed is not None:
        screen.print(listed)
        screen.print()
    screen.print(tally.table())
    what, rate = "frames" if films else "pictures", tally.seen / max(seconds, 1e-9)
    screen.print(f"\n{tally.seen} {what} in {seconds:.1f} s, {rate:.1f} a second")
    if tally.unfinished:
        screen.print(f"Time was up before all was read in {tally.unfinished} of them")
    if tally.files:
        screen.print(f"Wrote {tally.files} files to {goal.folder}", soft_wrap=True)
