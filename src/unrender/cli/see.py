"""unrender see: the scenes that pictures and videos were drawn from."""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unrender.cli.brains import BrainOption, check_brain, open_brain
from unrender.cli.console import console
from unrender.cli.failures import ended, shown
from unrender.cli.goals import Goal, goal_of
from unrender.cli.sources import Source, sources
from unrender.cli.tree import tree
from unrender.cli.watch import Report, View, watch

if TYPE_CHECKING:
    from rich.table import Table

    from unrender.scene import Scene

LISTED = 40  # pictures that are listed one by one

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
            help="A file, its format chosen by its suffix (.svg .json .tscn .png .coco.json), or a folder.",
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
    lines: Lines = False,
) -> None:
    """See what is in pictures and videos, and write it as scene graphs or draw it again.

    One picture is shown as a tree with its objects, many as a table. Exit code 1: some of them failed.
    """
    wanted = sources(paths)
    quiet = lines and output is None and not formats
    goal = Goal() if quiet else goal_of(output, formats or (), wanted)
    check_brain(brain)
    if lines:
        _print_lines(wanted, brain, goal, jobs)
    elif len(wanted) == 1 and not wanted[0].video:
        _show_one(wanted[0], brain, goal)
    else:
        _show_many(wanted, brain, goal, jobs)


@dataclass(frozen=True)
class Seen:
    """What is kept of one scene."""

    size: str
    found: dict[str, list[float]] = field(default_factory=dict)  # the p of every object, by symbol
    wrote: Sequence[str] = ()
    line: str = ""


@dataclass(frozen=True)
class Keep:
    """Write a scene where it belongs, and say what was in it; with `lines`, all of it as JSON."""

    goal: Goal
    lines: bool = False

    def __call__(self, scene: Scene, view: View) -> Seen:
        wrote = self.goal.save(scene, view)
        found: dict[str, list[float]] = {}
        for axiom in scene.axioms:
            found.setdefault(axiom.symbol, []).append(axiom.p)
        line = json.dumps(place(view) | scene.to_dict()) if self.lines else ""
        return Seen(f"{scene.width}x{scene.height}", found, wrote, line)


def place(view: View) -> dict[str, object]:
    """Which picture or frame a line of JSON is about."""
    return {"image": str(view.source.path)} | ({} if view.frame is None else {"frame": view.frame})


def _print_lines(wanted: Sequence[Source], brain: Path | None, goal: Goal, jobs: int) -> None:
    reports: list[Report[Seen]] = []
    for report in watch(wanted, brain, Keep(goal, lines=True), jobs):
        seen = report.result
        line = json.dumps(place(report.view) | {"error": report.error}) if seen is None else seen.line
        sys.stdout.write(line + "\n")
        sys.stdout.flush()
        reports.append(Report(report.view, None if seen is None else Seen(seen.size), report.error))
    ended(reports)


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


def _show_many(wanted: Sequence[Source], brain: Path | None, goal: Goal, jobs: int) -> None:
    begin = time.monotonic()
    reports = list(shown(watch(wanted, brain, Keep(goal), jobs), wanted, "Looking"))
    screen, took = console(), time.monotonic() - begin
    if len(reports) <= LISTED:
        screen.print(listed(reports))
        screen.print()
    screen.print(totals(reports))
    done = [report.result for report in reports if report.result is not None]
    what = "frames" if any(source.video for source in wanted) else "pictures"
    screen.print(f"\n{len(done)} {what} in {took:.1f} s, {len(done) / max(took, 1e-9):.1f} a second")
    files = sum(len(seen.wrote) for seen in done)
    if files:
        screen.print(f"Wrote {files} files to {goal.folder}", soft_wrap=True)
    ended(reports)


def listed(reports: Iterable[Report[Seen]]) -> Table:
    """What is in each picture."""
    from rich.table import Table
    from rich.text import Text

    rows = Table(box=None, pad_edge=False)
    for name in ("picture", "size", "what is in it"):
        rows.add_column(name, overflow="fold")
    for report in reports:
        if report.result is None:
            rows.add_row(Text(str(report.view)), "", Text("failed", "red"))
        else:
            what = ", ".join(f"{len(ps)} {symbol}" for symbol, ps in sorted(report.result.found.items()))
            rows.add_row(Text(str(report.view)), report.result.size, Text(what or "nothing"))
    return rows


def totals(reports: Iterable[Report[Seen]]) -> Table:
    """Every kind of object: how many there are, in how many pictures, and how sure."""
    from rich.table import Table
    from rich.text import Text

    found = [report.result.found for report in reports if report.result is not None]
    pictures = Counter(symbol for one in found for symbol in one)
    rows = Table(box=None, pad_edge=False)
    rows.add_column("symbol")
    for name in ("objects", "pictures", "mean p"):
        rows.add_column(name, justify="right")
    for symbol, count in sorted(pictures.items()):
        ps = [p for one in found for p in one.get(symbol, ())]
        rows.add_row(Text(symbol, "bold"), str(len(ps)), str(count), f"{sum(ps) / len(ps):.2f}")
    return rows
