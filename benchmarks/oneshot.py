"""Objects taught by one example, found anywhere: `unrender` beside template matching and SIFT.

    python benchmarks/oneshot.py                       the whole table, seed 0, 200 scenes a row
    python benchmarks/oneshot.py --quick               a few scenes a row, within half a minute
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

    scenes: int
    objects: int  # lifelong
    known: tuple[int, int]  # few and many
    observations: tuple[int, ...]  # routing
    instants: int  # kill


QUICK = Amounts(scenes=2, objects=3, known=(3, 12), observations=(50, 200), instants=3)
CLOCKS: dict[str, Callable[[int, Amounts], list[Line]]] = {
    "teach": lambda seed, amounts: teach_lines(seed),
    "lifelong": lambda seed, amounts: lifelong_lines(seed, amounts.objects),
    "routing": lambda seed, amounts: routing_lines(seed, amounts.observations),
    "known": lambda seed, amounts: known_lines(seed, *amounts.known),
    "kill": lambda seed, amounts: kill_lines(seed, amounts.instants),
}


def main() -> None:
    options = _options()
    console = Console()
    if not console.is_terminal:
        console.width = 200
    finders = [options.only] if options.only else list(FINDERS)
    amounts = (
        QUICK
        if options.quick
        else Amounts(options.scenes, options.objects, (10, options.known), (50, 200, 800, 2000), 200)
    )
    table: list[Line] = []
    results: list[Result] = []
    for name in options.rows.split(","):
        with console.status(name):
            if name in CLOCKS:
                table += CLOCKS[name](options.seed, amounts) if "unrender" in finders else []
                continue
            if name == "shared" and not options.shared.is_dir():
                console.print(
                    f"Row left out: the folder {options.shared} of the shared pictures is not there."
                )
                continue
            result = run(name, options.seed, amounts.scenes, finders, options.shared)
        for refused in result.untaught:
            console.print(f"{name}: {refused}")
        results.append(result)
        table += result.lines()
    console.print(printed(table, f"Objects from one example, seed {options.seed}"))
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / "table.md").write_text(markdown(table), encoding="utf-8")
    write_page(options.out / "index.html", results, table, options.seed)
    console.print(f"Written: {options.out / 'table.md'} and {options.out / 'index.html'}")


def _options() -> argparse.Namespace:
    rows = [*TASKS, *CLOCKS]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seed", type=int, default=0, help="of the scenes")
    parser.add_argument("--scenes", type=int, default=200, help="pictures a row")
    parser.add_argument("--rows", default=",".join(rows), help="comma separated, of: " + ", ".join(rows))
    parser.add_argument("--objects", type=int, default=200, help="taught one after the other (lifelong)")
    parser.add_argument("--known", type=int, default=1000, help="known objects, against 10 (known)")
    parser.add_argument("--quick", action="store_true", help="a few pictures a row, within half a minute")
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
