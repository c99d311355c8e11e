"""unrender see: the scenes that pictures and videos were drawn from."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from unrender.cli.brains import BrainOption, check_brain, knowledge, open_brain
from unrender.cli.console import console
from unrender.cli.failures import ended, shown
from unrender.cli.goals import Goal, goal_of
from unrender.cli.journal import joined
from unrender.cli.keep import Seen, place
from unrender.cli.keeping import keep_for, results_of
from unrender.cli.sources import Source, sources
from unrender.cli.tally import Tally
from unrender.cli.tree import tree
from unrender.cli.watch import Report, View, watch
from unrender.errors import UnrenderError

Paths = Annotated[
    list[str],
    typer.Argument(
        help="Pictures, videos, folders, or patterns in quotes.", metavar="PATHS", show_default=False
    ),
]
Jobs = Annotated[int, typer.Option("--jobs", "-j", min=0, help="Processes; 0 for one on each core.")]
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
            show_default="NAME.redrawn.png beside a single picture",
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
    again: Annotated[
        bool, typer.Option("--again", help="Begin anew where -o already holds results of these pictures.")
    ] = False,
    lines: Lines = False,
) -> None:
    """See what is in pictures and videos, and write it as scene graphs or draw it again.

    One picture is shown as a tree with its objects, many as a table. What was stopped goes on where it was
    if the same command is given again. Exit code 1: some of them failed.
    """
    wanted = sources(paths)
    if cluster is not None and jobs != 1:
        raise UnrenderError("The work is done by --jobs on this machine or by a --cluster; choose one.")
    quiet = lines and output is None and not formats
    goal = Goal() if quiet else goal_of(output, formats or (), wanted)
    check_brain(brain)
    if len(wanted) == 1 and not wanted[0].video and not (lines or cluster or goal.table):
        _show_one(wanted[0], brain, goal)
        return
    known = knowledge(brain)
    with results_of(goal, known, again) as results:
        left = [source for source in wanted if str(source.path) not in results.done]
        before, tally = len(wanted) - len(left), Tally()
        if before:
            console(stderr=True).print(f"{before} of {len(wanted)} were done before.")
        reports = results.kept(watch(left, known, keep_for(goal, lines), jobs, cluster))
        if lines:
            _print_lines(reports, tally)
        elif left:
            _show_many(shown(reports, len(wanted), before), tally, goal, any(one.video for one in wanted))
        results.finish(bool(tally.failed))
    ended(tally.failed, tally.reports + before, len(wanted))


def _print_lines(reports: Iterator[Report[Seen]], tally: Tally) -> None:
    for report in reports:
        tally.add(report)
        body = {"error": report.error} if report.result is None else report.result.text
        sys.stdout.write(joined(place(report.view), body) + "\n")
        sys.stdout.flush()


def _show_one(source: Source, brain: Path | None, goal: Goal) -> None:
    from rich.text import Text

    screen = console()
    view = View(source)
    with screen.status("Looking"):
        scene = open_brain(brain).see(source.path)
        wrote = goal.save(scene, view)
    if scene.axioms:
        screen.print(tree(scene, source.path.name), soft_wrap=not screen.is_terminal)
    else:
        screen.print(f"Nothing was found in {source.path.name} ({scene.width}x{scene.height} pixels).")
    for path in wrote:
        screen.print(Text.assemble("Wrote ", (path, "bold")), soft_wrap=True)


def _show_many(reports: Iterator[Report[Seen]], tally: Tally, goal: Goal, films: bool) -> None:
    begin = time.monotonic()
    for report in reports:
        tally.add(report)
    screen, took = console(), time.monotonic() - begin
    listed = tally.listed()
    if listed is not None:
        screen.print(listed)
        screen.print()
    screen.print(tally.table())
    what, rate = "frames" if films else "pictures", tally.seen / max(took, 1e-9)
    screen.print(f"\n{tally.seen} {what} in {took:.1f} s, {rate:.1f} a second")
    if tally.files:
        screen.print(f"Wrote {tally.files} files to {goal.folder}", soft_wrap=True)
    if goal.table is not None:
        screen.print(f"Wrote {goal.table}", soft_wrap=True)
