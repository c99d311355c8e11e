"""How well shapes are seen with borders, as thin outlines, in piles or touching, and what any picture costs.

    python benchmarks/seer.py                               every row, seed 0, 40 pictures a row
    python benchmarks/seer.py --rows piles --dump out/misses
    python benchmarks/seer.py --rows encoder                the encoder alone
    python benchmarks/seer.py --rows speed --clock cpu      on a machine that has other things to do

Writes `results.md` to --out.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from pathlib import Path

import numpy as np
from clock import PICTURES as TIMED
from clock import stopwatch
from counting import median
from matching import Score
from matching import score as primitive_score
from report import Goal, Line, Table, milliseconds, parsed_with_rows, parser, publish, run
from scenes import cases as primitive_cases
from scenes import speed_scene
from seer_drawing import Pixels, svg_pixels
from seer_pictures import CLOCKS, PICTURES, cost, landscape, page_svg
from seer_scenes import BORDERED, MOSTLY, OUTLINE, PARTLY, ROWS, cases
from seer_scoring import Tally, dump, score
from seer_sight import Seer, as_found

ABOUT = """Pictures drawn in turn by Pillow (supersampled), cairo and resvg, never by our own drawing. A
shape is found if its kind is right, its centre within a quarter of its size, its size within a quarter, and
inside and border are painted, or not, in the right colours (to 0.1 in every channel; that of thin outlines
does not count). Photographs and web pages are seen in a process of their own."""
SPEED = ((84, 5, (12.0, 24.0), 0.015), (256, 10, (16.0, 60.0), 0.040), (1024, 100, (16.0, 60.0), 0.300))
"""Side in px, shapes, their sizes in px, seconds at most."""
PACE, MEMORY = 3.0, 1.2  # seconds per megapixel and GB that any picture may take
ENCODER = {"separate": 0.98, "overlap": 0.93}
CLOCK_NAMES = {"wall": "clock on the wall", "cpu": "clock of the processor"}


def _found(label: str, target: float, group: str) -> Goal[Tally]:
    """The share of the shapes of a group that are found."""
    return Goal(
        label, target, lambda t: t.share(group), note=lambda t: f"{t.count(group)}: {t.by_tag(group)}"
    )


GOALS: dict[str, list[Goal[Tally]]] = {
    "bordered": [_found("share told as one shape with both colours", 0.99, BORDERED)],
    "outlines": [
        _found("recall", 0.98, OUTLINE),
        Goal("share told that is not there", 0.02, lambda t: 1 - t.precision, True),
    ],
    "piles": [
        _found(f"recall of discs {MOSTLY}", 0.9, MOSTLY),
        _found(f"recall of discs {PARTLY}", 0.5, PARTLY),
    ],
    "touching": [
        Goal(
            "share of pictures with roof and body and nothing else",
            39 / 40,
            lambda t: t.perfect / t.pictures,
            note=lambda t: f"{t.perfect} of {t.pictures}: {t.pictures_by_tag()}",
        )
    ],
}


@dataclass(frozen=True)
class Wanted:
    """What is to be measured, and how."""

    seed: int = 0
    count: int = 40  # pictures a row
    clock: str = "wall"
    proposals: Sequence[str] | None = None  # all
    patience: float = 300.0  # seconds after which a photograph or a page is given up
    quick: bool = False
    dump: Path | None = None  # folder for pictures with a mistake

    def seer(self) -> Seer:
        return Seer.of(self.proposals)


def run_row(name: str, wanted: Wanted) -> Tally:
    """Look at the pictures of a row."""
    seer, now, total = wanted.seer(), CLOCKS[wanted.clock], Tally()
    for index, case in enumerate(cases(name, wanted.seed, wanted.count)):
        if index == 0:
            seer.look(case.image)  # load and warm up off the clock
        start = now()
        answer = seer.look(case.image)
        seconds = now() - start
        seen = seer.tell(answer)
        total += score(name, case, seen.shapes, seconds)
        if wanted.dump is not None:
            dump(wanted.dump, f"{name}-{wanted.seed}-{index}", name, case, seen)
    return total


def row_lines(name: str, wanted: Wanted) -> list[Line]:
    """A line a goal."""
    tally = run_row(name, wanted)
    first, *others = GOALS[name]
    more = {
        "not there": f"{tally.found - tally.matched} of {tally.found}",
        "median": milliseconds(median(tally.seconds)),
        "worst": milliseconds(max(tally.seconds)),
    }
    lines = [first.line(f"{name} ({tally.pictures})", tally, more)]
    return lines + [goal.line("", tally) for goal in others]


def encoder_lines(wanted: Wanted) -> list[Line]:
    """The encoder alone, on the scenes of `primitives.py`."""
    seer, lines = replace(wanted, proposals=["encoder"]).seer(), []
    for row, target in ENCODER.items():
        total = Score()
        for case in primitive_cases(row, wanted.seed, wanted.count):
            total += primitive_score(case, as_found(seer.tell(seer.look(case.image))))
        goal = Goal[Score](
            "F1", target, lambda s: s.f1, note=lambda s: f"P {s.precision:.3f} R {s.recall:.3f}"
        )
        lines.append(goal.line(f"encoder alone, {row} ({wanted.count})", total))
    return lines


def picture_lines(wanted: Wanted) -> list[Line]:
    """Seconds per megapixel and peak memory: the worst of each kind of picture."""
    lines = []
    for kind, images in albums(wanted):
        costs = {name: cost(image, wanted.clock, wanted.patience) for name, image in images}
        slowest = max(costs.values(), key=attrgetter("seconds"))
        largest = max(costs.values(), key=attrgetter("memory"))
        each = ", ".join(f"{name} {c.pace()}" for name, c in costs.items())
        goal = f"seconds per megapixel, worst ≤ {PACE:g}"
        passed = slowest.ended and slowest.seconds <= PACE
        lines.append(Line(kind, goal, f"{slowest.pace()} ({each})", passed))
        each = ", ".join(f"{name} {c.memory:.2f}" for name, c in costs.items())
        goal = f"peak memory in GB, worst ≤ {MEMORY:g}"
        lines.append(Line("", goal, f"{largest.memory:.2f} ({each})", largest.memory <= MEMORY))
    return lines


def albums(wanted: Wanted) -> Iterator[tuple[str, list[tuple[str, Pixels]]]]:
    """Kinds of pictures that are not made of shapes, each with some by name; with `quick` two small ones."""
    rng = np.random.default_rng([wanted.seed, 17])
    if wanted.quick:
        page = svg_pixels(page_svg(rng, 96, 96), 96, 96)
        yield "small pictures", [("landscape", landscape(rng, 24, 32)), ("page", page)]
        return
    for kind, make in PICTURES.items():
        yield kind, list(make(rng))


def speed_lines(wanted: Wanted) -> list[Line]:
    """Medians over several pictures of each size."""
    look, lines = wanted.seer().look, []
    for side, count, sizes, goal in SPEED[: 1 if wanted.quick else None]:
        pictures = 1 if wanted.quick else TIMED
        images = [speed_scene(wanted.seed + n, side, count, sizes).image for n in range(pictures)]
        best, mid = stopwatch(look, images, 0.0 if wanted.quick else 6.0, CLOCKS[wanted.clock])
        text = f"{milliseconds(mid)} (best {milliseconds(best)})"
        lines.append(
            Line(f"{side}x{side}, {count} shapes", f"median ≤ {milliseconds(goal)}", text, mid <= goal)
        )
    return lines


OTHERS = {"encoder": encoder_lines, "pictures": picture_lines, "speed": speed_lines}


def main() -> None:
    options = _options()
    proposals = options.proposals.split(",") if options.proposals else None
    count = 1 if options.quick else options.scenes
    wanted = Wanted(
        options.seed,
        count,
        options.clock,
        proposals,
        options.patience,
        options.quick,
        options.dump,
    )
    lines: list[Line] = []
    blocks = [f"Seconds by the {CLOCK_NAMES[wanted.clock]}."]
    for name in options.rows:
        lines += OTHERS[name](wanted) if name in OTHERS else row_lines(name, wanted)
    publish(options.out, "The seer", ABOUT, *blocks, Table(lines, "pictures"))


def _options() -> argparse.Namespace:
    made = parser(__doc__, "seer")
    made.add_argument("--scenes", type=int, default=40, help="pictures a row")
    made.add_argument("--proposals", help="comma separated: these alone")
    made.add_argument("--clock", choices=sorted(CLOCKS), default="wall", help="which seconds count")
    made.add_argument("--patience", type=float, default=300.0, help="seconds after which one is given up")
    made.add_argument("--dump", type=Path, help="folder for every picture with a mistake")
    return parsed_with_rows(made, [*ROWS, *OTHERS], [*ROWS, *OTHERS])


if __name__ == "__main__":
    run(main)
