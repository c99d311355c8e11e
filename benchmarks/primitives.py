"""How well `see` finds primitives, beside a classical OpenCV detector on the same pictures.

    python benchmarks/primitives.py                      the whole table, seed 0, 100 scenes a row
    python benchmarks/primitives.py --quick              10 scenes a row, no clock
    python benchmarks/primitives.py --rows overlap --seed 7 --dump out/misses

Writes `table.md` and `index.html` (pictures, worst first) to --out.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from clock import clock_lines
from gallery import dump, write_page
from matching import Found, Score, mean, median, score
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table
from scenes import ROWS, Case, cases, shared_cases

Image = NDArray[np.uint8]
Detector = Callable[[Image], tuple[list[Found], Image | None, float]]
"""uint8 HxWx3 -> shapes, the picture drawn again (or None), seconds for finding alone."""


@dataclass(frozen=True)
class Goal:
    """One line of the table: what is measured, what it must reach, and in which direction."""

    label: str
    target: float
    value: Callable[[Score], float]
    at_most: bool = False
    note: Callable[[Score], str] = lambda _: ""

    def reached(self, result: Score) -> bool:
        value = self.value(result)
        return value <= self.target if self.at_most else value >= self.target

    def text(self) -> str:
        return f"{self.label} {'≤' if self.at_most else '≥'} {self.target:g}"


def _f1(target: float) -> Goal:
    return Goal("F1", target, lambda s: s.f1, note=lambda s: f"P {s.precision:.3f} R {s.recall:.3f}")


GOALS: dict[str, list[Goal]] = {
    "separate": [
        _f1(0.99),
        Goal("median centre error, px", 0.05, lambda s: median(s.centre), True),
        Goal("median size error", 0.005, lambda s: median(s.size), True),
        Goal("median rotation error, degrees", 0.25, lambda s: median(s.rotation), True),
        Goal("median colour error", 0.01, lambda s: median(s.colour), True),
        Goal(
            "mean SSIM, redrawn against the input before noise",
            0.97,
            lambda s: mean(s.ssim_clean),
            note=lambda s: (
                f"against the noisy input {mean(s.ssim_noisy):.3f}, which the clean input "
                f"itself reaches with {mean(s.ssim_ceiling):.3f}"
            ),
        ),
    ],
    "overlap": [
        _f1(0.95),
        Goal(
            "depth order right, share of overlapping pairs",
            0.95,
            lambda s: s.order(),
            note=lambda s: f"{s.order(of_found=True):.3f} where both were found; {s.pairs} pairs",
        ),
    ],
    "background": [_f1(0.95)],
    "small": [_f1(0.95)],
    "large": [_f1(0.95)],
    "crowded": [_f1(0.97)],
    "shared": [Goal("pictures with every shape and nothing else", 1.0, lambda s: s.perfect / s.pictures)],
    "blank": [Goal("pictures without observation", 0.99, lambda s: s.empty / s.pictures)],
}


@dataclass(frozen=True)
class Record:
    """One picture and what a detector made of it."""

    case: Case
    found: list[Found]
    redrawn: Image | None
    score: Score


@dataclass
class Row:
    """Every picture of a row, by detector ("unrender", "opencv")."""

    name: str
    records: dict[str, list[Record]] = field(default_factory=dict)

    def total(self, detector: str) -> Score | None:
        if detector not in self.records:
            return None
        result = Score()
        for record in self.records[detector]:
            result += record.score
        return result


def unrender_detector(brain: object | None = None) -> Detector:
    """`see` of a brain, by default a fresh one."""
    import unrender

    brain = brain or unrender.open(":memory:")

    def run(image: Image) -> tuple[list[Found], Image | None, float]:
        start = time.perf_counter()
        scene = brain.see(image)  # type: ignore[attr-defined]
        seconds = time.perf_counter() - start
        return [found_of(leaf) for leaf in scene.primitives], scene.image, seconds

    return run


def found_of(leaf: object) -> Found:
    """An `Observation` of a primitive in the benchmark's own words."""
    looks = leaf.attributes  # type: ignore[attr-defined]
    return Found(
        symbol=leaf.symbol,  # type: ignore[attr-defined]
        position=leaf.position,  # type: ignore[attr-defined]
        size=leaf.size,  # type: ignore[attr-defined]
        rotation=leaf.rotation,  # type: ignore[attr-defined]
        colour=(looks["red"], looks["green"], looks["blue"]),
        filled=looks["filled"] >= 0.5,
        depth=leaf.depth,  # type: ignore[attr-defined]
        p=leaf.p,  # type: ignore[attr-defined]
    )


def opencv_detector() -> Detector:
    """The competitor; it does not redraw."""
    from opencv_detector import detect

    def run(image: Image) -> tuple[list[Found], Image | None, float]:
        start = time.perf_counter()
        found = detect(image)
        return found, None, time.perf_counter() - start

    return run


DETECTORS: dict[str, Callable[[], Detector]] = {"unrender": unrender_detector, "opencv": opencv_detector}


def run_row(
    name: str,
    seed: int = 0,
    n: int = 100,
    detectors: Iterable[str] = ("unrender",),
    shared: Path = Path("../shared/scenes"),
) -> Row:
    """Run detectors on the first `n` pictures of a row; `run_row(...).total("unrender").f1` and so on."""
    pictures = list(shared_cases(shared) if name == "shared" else cases(name, seed, n))
    row = Row(name)
    for detector in detectors:
        run = DETECTORS[detector]()
        run(pictures[0].image)  # load weights and warm up off the clock
        row.records[detector] = []
        for case in pictures:
            found, redrawn, seconds = run(case.image)
            result = score(case, found, seconds, redrawn)
            row.records[detector].append(Record(case, found, redrawn, result))
    return row


def table_lines(row: Row) -> list[list[str]]:
    """Cells: scenes, goal, unrender, passed, OpenCV, time of each."""
    ours, theirs = row.total("unrender"), row.total("opencv")
    pictures = (ours or theirs or Score()).pictures
    lines = []
    for i, goal in enumerate(GOALS[row.name]):
        cells = [f"{row.name} ({pictures})" if i == 0 else "", goal.text(), "", "", ""]
        for column, result in ((2, ours), (4, theirs)):
            if result is not None and np.isfinite(value := goal.value(result)):
                note = goal.note(result)
                cells[column] = f"{value:.4g}" + (f" ({note})" if note else "")
        if ours is not None:
            cells[3] = "pass" if goal.reached(ours) else "FAIL"
        times = [f"{median(s.seconds) * 1e3:.0f} ms" if s and i == 0 else "" for s in (ours, theirs)]
        lines.append(cells + times)
    return lines


HEADER = ["scenes", "goal", "unrender", "", "OpenCV", "unrender, median", "OpenCV, median"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seed", type=int, default=0, help="of the scenes")
    parser.add_argument("--scenes", type=int, default=100, help="pictures a row")
    parser.add_argument("--rows", default=",".join([*ROWS, "shared", "speed"]), help="comma separated")
    parser.add_argument("--quick", action="store_true", help="10 pictures a row, no clock")
    parser.add_argument("--only", choices=sorted(DETECTORS), help="one detector alone")
    parser.add_argument("--out", type=Path, default=Path("out/primitives"), help="folder of the report")
    parser.add_argument("--shared", type=Path, default=Path("../shared/scenes"), help="the paper's pictures")
    parser.add_argument("--dump", type=Path, help="folder for every picture with a miss or a false alarm")
    options = parser.parse_args()
    console = Console()
    if not console.is_terminal:
        console.width = 180
    detectors = [options.only] if options.only else list(DETECTORS)
    count = 10 if options.quick else options.scenes
    names = options.rows.split(",")
    lines: list[list[str]] = []
    rows: list[Row] = []
    for name in names:
        if name == "shared" and not options.shared.is_dir():
            console.print(f"Row left out: the folder {options.shared} of the shared pictures is not there.")
            continue
        with console.status(name):
            if name == "speed":
                lines += (
                    [] if options.quick else clock_lines({d: DETECTORS[d]() for d in detectors}, options.seed)
                )
                continue
            row = run_row(name, options.seed, count, detectors, options.shared)
        rows.append(row)
        lines += table_lines(row)
        if options.dump:
            dump(options.dump, row.name, options.seed, row.records[detectors[0]])
    table = Table(*HEADER, title=f"Primitives, seed {options.seed}")
    for cells in lines:
        style = {"pass": "green", "FAIL": "red"}.get(cells[3])
        table.add_row(*cells[:3], f"[{style}]{cells[3]}[/]" if style else "", *cells[4:])
    console.print(table)
    options.out.mkdir(parents=True, exist_ok=True)
    text = "\n".join(f"| {' | '.join(cells)} |" for cells in [HEADER, ["---"] * len(HEADER), *lines]) + "\n"
    (options.out / "table.md").write_text(text, encoding="utf-8")
    write_page(options.out / "index.html", rows, HEADER, lines, options.seed)
    console.print(f"Written: {options.out / 'table.md'} and {options.out / 'index.html'}")


if __name__ == "__main__":
    main()
