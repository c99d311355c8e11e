"""unrender find: which pictures contain an object, and where."""

from __future__ import annotations

import json
import sys
from contextlib import closing
from dataclasses import asdict, dataclass
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Annotated

import typer

from unrender.batch.brains import knowledge
from unrender.batch.look import Report, View, watch
from unrender.batch.sources import sources
from unrender.batch.summary import place
from unrender.cli.brains import PRIMITIVES, BrainOption, complete_symbol, known_brain
from unrender.cli.console import console
from unrender.cli.progress import ended, ended_unread, list_failures, shown, stoppable, stopped
from unrender.cli.see import Jobs, Lines, Paths
from unrender.errors import UnrenderError, nearest
from unrender.names import composed

if TYPE_CHECKING:
    from rich.table import Table

    from unrender.memory import Snapshot
    from unrender.scene import Scene

NOT_FOUND = 1  # the exit code, as grep has it
GROUP = "unrender.primitives"  # entry points of other packages


def find(
    name: Annotated[
        str,
        typer.Argument(
            help="A symbol: a primitive, or an object that was taught.", autocompletion=complete_symbol
        ),
    ],
    paths: Paths,
    brain: BrainOption = None,
    least: Annotated[float, typer.Option("--p", min=0, max=1, help="The least probability.")] = 0.0,
    jobs: Jobs = 1,
    lines: Lines = False,
) -> None:
    """Find an object in many pictures and videos, the surest first. Exit code 1: it is in none of them.

    Ctrl+C stops, with what has been found by then.
    """
    wanted, name = sources(paths), composed(name)
    ended_unread(wanted)
    known = knowledge(known_brain(brain))
    check_name(name, known)
    reports: list[Report[list[Hit]]] = []
    seen = shown(watch(wanted, known, Search(name), jobs), len(wanted))
    with stoppable() as stop, closing(seen):
        for report in seen:
            reports.append(report)
    hits = [(report.view, hit) for report in reports for hit in report.result or () if hit.p >= least]
    hits.sort(key=lambda found: -found[1].p)
    if lines:
        for view, hit in hits:
            sys.stdout.write(json.dumps(place(view) | asdict(hit)) + "\n")
    elif hits:
        console().print(table(hits))
    else:
        console().print(f"No {name} was found.")
    failed = [report for report in reports if report.error is not None]
    if stop.pressed:
        if failed:
            list_failures(failed, len(wanted))
        stopped(len({report.view.source for report in reports}), len(wanted))
    ended(failed, len(reports), len(wanted))
    if not hits:
        raise typer.Exit(NOT_FOUND)


def check_name(name: str, known: Snapshot | None) -> None:
    """Whether there is anything of that name to look for."""
    names = [*PRIMITIVES, *(known.symbols if known is not None else ())]
    if name not in names and entry_points(group=GROUP):  # of which only importing them tells the names
        from unrender.primitives.registry import primitives

        names += primitives()
    if name not in names:
        raise UnrenderError(f"Nothing called {name} is known.{nearest(name, set(names))}")


@dataclass(frozen=True)
class Hit:
    """One object that was found."""

    p: float
    x: float
    y: float
    width: float
    height: float
    rotation: float
    route: str | None
    track: int | None


@dataclass(frozen=True)
class Search:
    """All objects of one name in a scene, parts of others included."""

    name: str

    def __call__(self, scene: Scene, view: View) -> list[Hit]:
        return [
            Hit(node.p, *node.position, *node.size, node.rotation, node.route, node.track)
            for node in scene.observations
            if node.symbol == self.name
        ]


def table(hits: list[tuple[View, Hit]]) -> Table:
    """One line for each object."""
    from rich.table import Table
    from rich.text import Text

    rows = Table(box=None, pad_edge=False)
    rows.add_column("p", justify="right")
    rows.add_column("picture", overflow="fold")
    for title in ("x", "y", "width", "height", "rotation"):
        rows.add_column(title, justify="right")
    for view, hit in hits:
        pose = (f"{number:.1f}" for number in (hit.x, hit.y, hit.width, hit.height, hit.rotation))
        rows.add_row(f"{hit.p:.2f}", Text(str(view), "bold"), *pose)
    return rows
