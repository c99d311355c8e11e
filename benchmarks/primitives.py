"""How well `see` finds primitives, beside a classical OpenCV detector on the same pictures.

    python benchmarks/primitives.py                      the whole table, seed 0, 100 scenes a row
    python benchmarks/primitives.py --quick              a few rows of one scene
    python benchmarks/primitives.py --rows overlap --seed 7 --dump out/misses

Writes `results.md` and `index.html` (pictures, worst first) to --out.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from clock import TINY, Sizes, clock_lines
from counting import mean, median
from gallery import dump, write_page
from matching import Found, Score, score
from numpy.typing import NDArray
from report import Goal, Line, Table, ahead, milliseconds, parsed_with_rows, parser, publish, run
from scenes import ROWS, Case, cases, shared_cases

Image = NDArray[np.uint8]
Detector = Callable[[Image], tuple[list[Found], Image | None, float]]
"""uint8 HxWx3 -> shapes, the picture drawn again (or None), seconds for finding alone."""

ABOUT = """Scenes drawn by an independent rasteriser, never by our own drawing, seen by `unrender` and by a
classical OpenCV detector (contours, polygons, Hough) in the same run. We must be ahead in every row but the
trivial one, shapes on flat ground that do not touch, where being as good is enough; so it is where OpenCV
makes no mistake."""
TRIVIAL = "separate"
TINY_ROWS = ("separate", "overlap", "blank", "shared", "speed")
NAMES = {"unrender": "unrender", "opencv": "OpenCV"}
COLUMNS = ["OpenCV", *(f"{name}, median" for name in NAMES.values())]


def _f1(target: float) -> Goal[Score]:
    return Goal("F1", target, lambda s: s.f1, note=lambda s: f"P {s.precision:.3f} R {s.recall:.3f}")


GOALS: dict[str, list[Goal[Score]]] = {
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

    def total(self, detector: str) -> Score:
        result = Score()
        for record in self.records[detector]:
            result += record.score
        return result


def unrender_detector() -> Detector:
    """`see` of a fresh brain."""
    import unrender

    brain = unrender.open(":memory:")

    def run(image: Image) -> tuple[list[Found], Image | None, float]:
        start = time.perf_counter()
        scene = brain.see(image)
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


def finder(name: str) -> Callable[[Image], object]:
    """What a detector does without drawing again what it found: for the clock."""
    from opencv_detector import detect

    import unrender

    return detect if name == "opencv" else unrender.open(":memory:").see


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


def table_lines(row: Row) -> list[Line]:
    """A line a goal, and whether we are ahead of OpenCV on the first of them."""
    scores = {name: row.total(name) for name in row.records}
    ours, first = scores.get("unrender"), GOALS[row.name][0]
    pictures = next(iter(scores.values())).pictures
    lines = []
    for goal in GOALS[row.name]:
        more = {NAMES[name]: goal.measured(score) for name, score in scores.items() if name != "unrender"}
        if goal is first:
            more |= {f"{NAMES[name]}, median": milliseconds(median(s.seconds)) for name, s in scores.items()}
        what = f"{row.name} ({pictures})" if goal is first else ""
        lines.append(Line(what, goal.text(), "", None, more) if ours is None else goal.line(what, ours, more))
    if len(scores) > 1 and ours is not None:
        rivals = {NAMES[name]: first.value(score) for name, score in scores.items() if name != "unrender"}
        lines.append(ahead(first.label, first.value(ours), rivals, equal=row.name == TRIVIAL))
    return lines


def main() -> None:
    options = _options()
    detectors = [options.only] if options.only else list(DETECTORS)
    count, sizes = (1, TINY) if options.quick else (options.scenes, Sizes())
    lines: list[Line] = []
    rows: list[Row] = []
    blocks: list[str] = []
    for name in options.rows:
        if name == "shared" and not options.shared.is_dir():
            blocks.append(f"Row left out: the folder {options.shared} of the shared pictures is not there.")
        elif name == "speed":
            lines += clock_lines({name: finder(name) for name in detectors}, options.seed, sizes)
        else:
            row = run_row(name, options.seed, count, detectors, options.shared)
            rows.append(row)
            lines += table_lines(row)
            if options.dump:
                dump(options.dump, row.name, options.seed, row.records[detectors[0]])
    table = Table(lines, "scenes", "unrender", COLUMNS)
    publish(options.out, "Primitives", ABOUT, *blocks, table)
    write_page(options.out / "index.html", rows, table, options.seed)


def _options() -> argparse.Namespace:
    made = parser(__doc__, "primitives")
    made.add_argument("--scenes", type=int, default=100, help="pictures a row")
    made.add_argument("--only", choices=sorted(DETECTORS), help="one detector alone")
    made.add_argument("--shared", type=Path, default=Path("../shared/scenes"), help="the paper's pictures")
    made.add_argument("--dump", type=Path, help="folder for every picture with a miss or a false alarm")
    return parsed_with_rows(made, [*ROWS, "shared", "speed"], TINY_ROWS)


if __name__ == "__main__":
    run(main)
