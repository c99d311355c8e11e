"""Objects taught by one example, found anywhere: `unrender` beside template matching and SIFT.

    python benchmarks/oneshot.py                       the whole table, seed 0, 200 scenes a row
    python benchmarks/oneshot.py --quick               a few rows of one scene, few templates
    python benchmarks/oneshot.py --rows ship,hidden --seed 7 --only unrender

Writes `results.md` and `index.html` (pictures, failures first) to --out.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from oneshot_clocks import known_lines, routing_lines, teach_lines
from oneshot_finders import FINDERS, template_finder
from oneshot_gallery import write_page
from oneshot_lifelong import lifelong_lines
from oneshot_table import table
from oneshot_tasks import TASKS, Result, run
from report import Line, parsed_with_rows, parser, publish, write
from report import run as start


@dataclass(frozen=True)
class Amounts:
    """How much is measured."""

    scenes: int = 200  # a row
    lessons: tuple[str, ...] = ("ship", "levels", "asteroids", "lookalikes")  # rows whose lessons are timed
    objects: int = 200  # taught one after the other
    tests: int = 2  # pictures of each
    known: int = 1000  # objects, against `few`
    few: int = 10
    sights: int = 10  # pictures on which they are compared
    observations: tuple[int, ...] = (50, 200, 800, 2000)  # among which objects are sought


HEADING = "Objects from one example"
TINY = Amounts(1, ("ship",), 1, 1, 3, 2, 1, (20, 80))
TINY_ROWS = ("hidden", "teach", "lifelong", "routing", "known")
QUICK = {**FINDERS, "template": partial(template_finder, 6)}  # a bank of few turns and sizes
ABOUT = """Objects taught by one picture each, then sought in scenes drawn by an independent rasteriser, at
any turn and size, in other colours, with a part hidden, among loose shapes. Beside us OpenCV's template
matching over a bank of turns and sizes, and SIFT with RANSAC, taught from the same picture. F1 must be ahead
of both in every row, or as good where one of them makes no mistake."""
CLOCKS: dict[str, Callable[[int, Amounts], list[Line]]] = {
    "teach": lambda seed, much: teach_lines(seed, much.lessons),
    "lifelong": lambda seed, much: lifelong_lines(seed, much.objects, much.tests),
    "routing": lambda seed, much: routing_lines(seed, much.observations, much.few),
    "known": lambda seed, much: known_lines(seed, much.few, much.known, much.sights),
}


def main() -> None:
    options = _options()
    finders = QUICK if options.quick else FINDERS
    if options.only:
        finders = {options.only: finders[options.only]}
    full = Amounts(scenes=options.scenes, objects=options.objects, known=options.known)
    amounts = TINY if options.quick else full
    rows: list[Line] = []
    results: list[Result] = []
    notes: list[str] = []
    for name in options.rows:
        if name == "shared" and not options.shared.is_dir():
            notes.append(f"Row left out: the folder {options.shared} of the shared pictures is not there.")
        elif name in TASKS:
            results.append(run(name, options.seed, amounts.scenes, finders, options.shared))
            rows += results[-1].lines()
            notes += [f"{name}: {refused}" for refused in results[-1].untaught]
        elif "unrender" in finders:
            rows += CLOCKS[name](options.seed, amounts)
        # after every row, because all of them together take hours
        write(options.out, HEADING, ABOUT, *notes, table(rows))
        write_page(options.out / "index.html", results, table(rows), options.seed)
    publish(options.out, HEADING, ABOUT, *notes, table(rows))


def _options() -> argparse.Namespace:
    made = parser(__doc__, "oneshot")
    made.add_argument("--scenes", type=int, default=200, help="pictures a row")
    made.add_argument("--objects", type=int, default=200, help="taught one after the other (lifelong)")
    made.add_argument("--known", type=int, default=1000, help="known objects, against 10 (known)")
    made.add_argument("--only", choices=sorted(FINDERS), help="one finder alone")
    made.add_argument("--shared", type=Path, default=Path("../shared/scenes"), help="the paper's pictures")
    return parsed_with_rows(made, [*TASKS, *CLOCKS], TINY_ROWS)


if __name__ == "__main__":
    start(main)
