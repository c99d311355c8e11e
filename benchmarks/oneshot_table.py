"""The table of `oneshot.py`: what is measured, what it must reach, and how that is written down."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from matching import median
from oneshot_scoring import Score
from rich.table import Table

HEADER = ["task", "goal", "unrender", "", "template bank", "SIFT + RANSAC", "time", "template", "SIFT"]


@dataclass(frozen=True)
class Line:
    """One line of the table. `passed` is None where nothing was measured."""

    task: str
    goal: str
    measured: str
    passed: bool | None = None
    rivals: dict[str, str] = field(default_factory=dict)
    times: dict[str, str] = field(default_factory=dict)

    def cells(self) -> list[str]:
        verdict = {True: "pass", False: "FAIL", None: ""}[self.passed]
        rivals = [self.rivals.get(name, "") for name in ("template", "sift")]
        times = [self.times.get(name, "") for name in ("unrender", "template", "sift")]
        return [self.task, self.goal, self.measured, verdict, *rivals, *times]


@dataclass(frozen=True)
class Goal:
    """A figure of a score, what it must reach, and in which direction."""

    label: str
    target: float
    value: Callable[[Score], float]
    at_most: bool = False
    note: Callable[[Score], str] = lambda _: ""

    def reached(self, result: Score) -> bool:
        """Never by a figure that does not exist."""
        value = self.value(result)
        return value <= self.target if self.at_most else value >= self.target

    def text(self) -> str:
        return f"{self.label} {'≤' if self.at_most else '≥'} {self.target:g}"

    def measured(self, result: Score) -> str:
        value, note = self.value(result), self.note(result)
        return "" if math.isnan(value) else f"{value:.3g}" + (f" ({note})" if note else "")


def lines(task: str, goals: Sequence[Goal], scores: dict[str, Score]) -> list[Line]:
    """A line a goal; `scores` by finder."""
    ours = scores.get("unrender")
    pictures = next(iter(scores.values())).pictures
    result = []
    for i, goal in enumerate(goals):
        result.append(
            Line(
                f"{task} ({pictures})" if i == 0 else "",
                goal.text(),
                goal.measured(ours) or "none" if ours else "",
                goal.reached(ours) if ours else None,
                {name: goal.measured(score) for name, score in scores.items()},
                {name: milliseconds(median(s.seconds)) for name, s in scores.items()} if i == 0 else {},
            )
        )
    return result


def milliseconds(seconds: float) -> str:
    return f"{seconds * 1e3:.0f} ms"


def markdown(rows: Sequence[Line]) -> str:
    """The table for a report."""
    used = _used(rows)
    cells = [HEADER, ["---"] * len(HEADER), *(line.cells() for line in rows)]
    return "\n".join(f"| {' | '.join(row[i] for i in used)} |" for row in cells) + "\n"


def _used(rows: Sequence[Line]) -> list[int]:
    """The columns in which anything stands."""
    return [i for i in range(len(HEADER)) if any(line.cells()[i] for line in rows)]


def printed(rows: Sequence[Line], title: str) -> Table:
    """The table for a terminal."""
    used = _used(rows)
    table = Table(*(HEADER[i] for i in used), title=title)
    for line in rows:
        cells = line.cells()
        style = {True: "green", False: "red", None: "dim"}[line.passed]
        cells[3] = f"[{style}]{cells[3]}[/]" if cells[3] else ""
        table.add_row(*(cells[i] for i in used))
    return table
