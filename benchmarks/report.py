"""What all benchmarks share: their options, tables with goals and verdicts, plots, and the report.

A benchmark is a script in this folder that ends in `if __name__ == "__main__": run(main)`, where

    def main() -> None:
        options = parser(__doc__, "many").parse_args()        # --seed, --quick, --out; add more as needed
        lines = [Line("two workers", "≥ 1.5 x one", "1.8 x", True)]
        publish(options.out, "Many pictures", "Pictures per second.", Table(lines, "workers"))

`publish` prints it and writes FOLDER/results.md, which `unrender bench` collects in docs/results.md.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    import rich.table
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

S = TypeVar("S")

VERDICTS = {True: "pass", False: "FAIL", None: ""}
STYLES = {"pass": "green", "FAIL": "bold red"}
COLUMNS = 200  # where no terminal says how wide it is
DOTS = 100  # per inch of a plot
PLOTS: dict[Any, Any] = {  # how plots look
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlesize": 11,
    "grid.alpha": 0.3,
    "legend.frameon": False,
    "font.size": 10,
}


# How a benchmark is started


def parser(doc: str | None, name: str, seed: int = 0) -> argparse.ArgumentParser:
    """The options that every benchmark has; `doc` is what the script says about itself."""
    made = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawTextHelpFormatter)
    made.add_argument("--seed", type=int, default=seed, help=f"of all that is random (default {seed})")
    made.add_argument("--quick", action="store_true", help="tiny sizes, a few seconds: does it run at all?")
    made.add_argument("--out", type=Path, default=Path("out") / name, help="folder of results.md and plots")
    return made


def parsed_with_rows(
    made: argparse.ArgumentParser, rows: Sequence[str], tiny: Sequence[str]
) -> argparse.Namespace:
    """The options given, and `rows` among them: those asked for, or `tiny` with --quick, or all."""
    made.add_argument("--rows", help=f"comma separated, of: {', '.join(rows)}")
    options = made.parse_args()
    options.rows = options.rows.split(",") if options.rows else list(tiny if options.quick else rows)
    unknown = sorted(set(options.rows) - set(rows))
    if unknown:
        made.error(f"no such row: {', '.join(unknown)}")
    return options


def run(main: Callable[[], None]) -> None:
    """A benchmark as a program: what the user can mend is one line, and Ctrl-C ends it without any."""
    from unrender.errors import UnrenderError

    try:
        main()
    except UnrenderError as error:
        print(error, file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)


# Goals and tables


@dataclass(frozen=True)
class Goal(Generic[S]):
    """A figure of a score, what it must reach, and in which direction."""

    label: str
    target: float
    value: Callable[[S], float]
    at_most: bool = False
    note: Callable[[S], str] = lambda _: ""

    def reached(self, score: S) -> bool:
        """Never by a figure that does not exist."""
        value = self.value(score)
        return value <= self.target if self.at_most else value >= self.target

    def text(self) -> str:
        return f"{self.label} {'≤' if self.at_most else '≥'} {self.target:g}"

    def measured(self, score: S) -> str:
        """The figure with its note; empty where there is none."""
        value, note = self.value(score), self.note(score)
        return "" if math.isnan(value) else f"{value:.4g}" + (f" ({note})" if note else "")

    def line(self, what: str, score: S, more: Mapping[str, str] | None = None) -> Line:
        """The line of the table that tells it."""
        return Line(what, self.text(), self.measured(score) or "none", self.reached(score), more or {})


@dataclass(frozen=True)
class Line:
    """One line of a table: what was measured, the goal, and whether it was reached.

    `passed` is None where there is no goal; `more` are cells by the heads of their columns.
    """

    what: str
    goal: str = ""
    measured: str = ""
    passed: bool | None = None
    more: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Table:
    """Lines under heads: of the first column, of what was measured, and of `more`, by default as they come.

    A column in which nothing stands is left out.
    """

    lines: Sequence[Line]
    what: str = "what"
    measured: str = "measured"
    more: Sequence[str] | None = None

    def cells(self) -> list[list[str]]:
        """All rows, the heads first."""
        more = self.more or list(dict.fromkeys(head for line in self.lines for head in line.more))
        heads = [self.what, "goal", self.measured, "verdict", *more]
        rows = [
            [line.what, line.goal, line.measured, VERDICTS[line.passed]]
            + [line.more.get(head, "") for head in more]
            for line in self.lines
        ]
        used = [i for i in range(len(heads)) if i == 0 or any(row[i] for row in rows)]
        return [[row[i] for i in used] for row in (heads, *rows)]

    def markdown(self) -> str:
        heads, *rows = ([cell.replace("|", "\\|") for cell in row] for row in self.cells())
        return "\n".join(f"| {' | '.join(row)} |" for row in (heads, ["---"] * len(heads), *rows))

    def printed(self) -> rich.table.Table:
        """For a terminal, verdicts in colour."""
        import rich.table
        from rich.text import Text

        heads, *rows = self.cells()
        made = rich.table.Table(*heads)
        for row in rows:
            made.add_row(*(Text(cell, STYLES.get(cell, "")) for cell in row))
        return made


def ahead(
    label: str, ours: float, rivals: Mapping[str, float], best: float = 1.0, equal: bool = False
) -> Line:
    """Whether a figure that is better when larger is ahead of every rival's.

    Where a rival is perfect (`best`), nobody can be ahead, and being as good is enough; so it is if `equal`.
    """
    theirs = max(rivals.values())
    passed = ours > theirs or (ours >= theirs and (equal or theirs >= best))
    goal = f"{label} {'not behind' if equal else 'ahead of'} {' and '.join(rivals)}"
    against = ", ".join(f"{value:.3f}" for value in rivals.values())
    perfect = " (nobody can be ahead)" if theirs >= best and not equal else ""
    return Line("", goal, f"{ours:.3f} against {against}{perfect}", passed)


def milliseconds(seconds: float) -> str:
    return f"{seconds * 1e3:.0f} ms"


# The report


def publish(folder: Path, heading: str, *blocks: str | Table) -> None:
    """Print tables and sentences, and write them to FOLDER/results.md under a heading of level 2."""
    from rich.console import Console

    write(folder, heading, *blocks)
    console = Console(highlight=False, markup=False, emoji=False)
    if not console.is_terminal:
        console.width = COLUMNS
    console.print(heading, style="bold")
    for block in blocks:
        if not (isinstance(block, str) and block.startswith("![")):
            console.print(block if isinstance(block, str) else block.printed())
    console.print(f"Written: {folder / 'results.md'}", soft_wrap=True)


def write(folder: Path, heading: str, *blocks: str | Table) -> None:
    """FOLDER/results.md alone, as `publish` writes it."""
    texts = [block if isinstance(block, str) else block.markdown() for block in blocks]
    folder.mkdir(parents=True, exist_ok=True)
    text = "\n\n".join([f"## {heading}", *texts]) + "\n"
    (folder / "results.md").write_text(text, encoding="utf-8")


def subplots(
    rows: int = 1, columns: int = 1, size: tuple[float, float] = (8.0, 3.6)
) -> tuple[Figure, list[Axes]]:
    """A figure of `size` inches in the style of all plots, and its axes row by row."""
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context(PLOTS):
        figure = Figure(figsize=size, layout="constrained")
        return figure, list(figure.subplots(rows, columns, squeeze=False).flat)


def picture(figure: Figure, path: Path, says: str) -> str:
    """Save a plot beside results.md as a PNG; the block for `publish` that shows it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=DOTS)
    return f"![{says}]({path.name})"
