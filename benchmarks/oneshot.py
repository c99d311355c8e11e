"""Objects taught by one example, found anywhere: `unrender` beside template matching and SIFT.

    python benchmarks/oneshot.py                       the whole table, seed 0, 200 scenes a row
    python benchmarks/oneshot.py --quick               one scene a row, within half a minute
    python benchmarks/oneshot.py --rows ship,hidden --seed 7 --only unrender

Writes `table.md` and `index.html` (pictures, failures first) to --out.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from oneshot_clocks import known_lines, routing_lines, teach_lines
from oneshot_finders import FINDERS
from oneshot_gallery import write_page
from oneshot_lifelong import kill_lines, lifelong_lines
from oneshot_table import Line, markdown, printed
from oneshot_tasks import TASKS, Result, run
from rich.console import Console


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
    instants: int = 200  # at which a brain is killed


QUICK = Amounts(1, ("levels",), 2, 1, 4, 2, 1, (20, 80), 2)
CLOCKS: dict[str, Callable[[int, Amounts], list[Line]]] = {
    "teach": lambda seed, much: teach_lines(seed, much.lessons),
    "lifelong": lambda seed, much: lifelong_lines(seed, much.objects, much.tests),
    "routing": lambda seed, much: routing_lines(seed, much.observations, much.few),
    "known": lambda seed, much: known_lines(seed, much.few, much.known, much.sights),
    "kill": lambda seed, much: kill_lines(seed, much.instants),
}


def main() -> None:
    options = _options()
    console = Console()
    if not console.is_terminal:
        console.width = 200
    finders = [options.only] if options.only else ["unrender", "sift"] if options.quick else list(FINDERS)
    full = Amounts(scenes=options.scenes, objects=options.objects, known=options.known)
    amounts = QUICK if options.quick else full
    table: list[Line] = []
    results: list[Result] = []
    options.out.mkdir(parents=True, exist_ok=True)
    for name in options.rows.split(","):
        if name == "shared" and not options.shared.is_dir():
            console.print(f"Row left out: the folder {options.shared} of the shared pictures is not there.")
            continue
        with console.status(name):
            if name in TASKS:
                results.append(run(name, options.seed, amounts.scenes, finders, options.shared))
                table += results[-1].lines()
                for refused in results[-1].untaught:
                    console.print(f"{name}: {refused}")
            elif "unrender" in finders:
                table += CLOCKS[name](options.seed, amounts)
        # after every row, because all of them together take hours
        (options.out / "table.md").write_text(markdown(table), encoding="utf-8")
        write_page(options.out / "index.html", results, table, options.seed)
    console.print(printed(table, f"Objects from one example, seed {options.seed}"))
    console.print(f"Written: {options.out / 'table.md'} and {options.out / 'index.html'}")


def _options() -> argparse.Namespace:
    rows = [*TASKS, *CLOCKS]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seed", type=int, default=0, help="of the scenes")
    parser.add_argument("--scenes", type=int, default=200, help="pictures a row")
    parser.add_argument("--rows", default=",".join(rows), help="comma separated, of: " + ", ".join(rows))
    parser.add_argument("--objects", type=int, default=200, help="taught one after the other (lifelong)")
    parser.add_argument("--known", type=int, default=1000, help="known objects, against 10 (known)")
    parser.add_argument("--quick", action="store_true", help="one picture a row, no template bank")
    parser.add_argument("--only", choices=sorted(FINDERS), help="one finder alone")
    parser.add_argument("--out", type=Path, default=Path("out/oneshot"), help="folder of the report")
    parser.add_argument("--shared", type=Path, default=Path("../shared/scenes"), help="the paper's pictures")
    options = parser.parse_args()
    unknown = sorted(set(options.rows.split(",")) - set(rows))
    if unknown:
        parser.error(f"no such row: {', '.join(unknown)}")
    return options


if __name__ == "__main__":
    main()
