"""How fast we draw: windows of 28x28 pixels per second.

    python benchmarks/draw.py [--windows 300] [--seconds 1.5]

Three ways to the same pictures, in the same run, checked to agree:

* compiled: `unrender.render`, each primitive's loop as machine code;
* numpy, window by window: written anew, all pixels of a window at once;
* plain loop: `unrender.render` with the same loop as Python runs it.

A window is one primitive on grey ground, its inside and its stroke in two colours.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from plain_numpy import GROUND, SIDE, Floats, numpy_window
from report import Line, Table, parser, publish, run

from unrender.grammar.attribute import POSE_NAMES, STYLE_NAMES
from unrender.primitives.protocol import Field, Primitive
from unrender.render.composite import composite, layers
from unrender.render.coverage import cover
from unrender.render.layer import Layer
from unrender.render.shape import Shape

NAMES = ("circle", "square", "triangle")
HEADS = ["windows per second", "compiled is faster by"]
ABOUT = """Windows with one primitive each, its inside and its stroke in two colours, drawn in three ways that
give the same pictures: by compiled loops, by numpy window by window, and by the same loops as Python runs
them."""
Work = Callable[[], int]


@dataclass(frozen=True)
class Plain(Primitive):
    """A primitive whose loop is not compiled."""

    @property
    def compiled_field(self) -> Field:  # type: ignore[override]
        return self.field


def vectors(count: int, rng: np.random.Generator) -> dict[str, Floats]:
    """(count, 13) of each primitive: any place, size, turn, colours and stroke that show in the window."""
    low = np.array([9, 9, 8, 8, -180, *[0] * 6, 0, 0.05])
    high = np.array([19, 19, 20, 20, 180, *[1] * 6, 1, 0.3])
    return {name: rng.uniform(low, high, (count, 13)) for name in NAMES}


def compiled_window(name: str, vector: Floats) -> Floats:
    """(3, SIDE, SIDE)."""
    return _drawn(_layer(name, vector))


def plain_window(name: str, vector: Floats) -> Floats:
    """The same, in Python's own time."""
    layer = _layer(name, vector)
    own = layer.primitive
    plain = Plain(own.name, own.field, own.symmetry)
    return _drawn(Layer(plain, *(getattr(layer, field) for field in list(vars(layer))[1:])))


def _layer(name: str, vector: Floats) -> Layer:
    return Layer.from_vector(name, dict(zip((*POSE_NAMES, *STYLE_NAMES), vector.tolist(), strict=True)))


def _drawn(layer: Layer) -> Floats:
    """One layer on grey ground: its inside as far as it is filled, then its stroke."""
    canvas = np.full((SIDE, SIDE, 3), GROUND, np.float32)
    shape: Shape = layer.shape
    painted = layers(shape, cover(shape, (0, SIDE, 0, SIDE)))
    window, inside, colour = painted[0]
    painted[0] = window, inside * np.float32(layer.filled), colour
    composite(canvas, np.zeros((SIDE, SIDE), np.float32), (0, 0), painted)
    return canvas.transpose(2, 0, 1)


def agree(some: dict[str, Floats], count: int) -> float:
    """The largest difference of a pixel between the three ways."""
    ways = (numpy_window, plain_window)
    return max(
        float(np.abs(way(name, vector) - compiled_window(name, vector)).max())
        for name in NAMES
        for vector in some[name][:count]
        for way in ways
    )


def rate(work: Work, seconds: float) -> float:
    """Windows per second, the best of three runs of at least a third of `seconds` each."""
    work()
    best = 0.0
    for _ in range(3):
        start, windows = time.perf_counter(), 0
        while (passed := time.perf_counter() - start) < seconds / 3:
            windows += work()
        best = max(best, windows / passed)
    return best


def one_by_one(make: Callable[[str, Floats], object], vectors: dict[str, Floats], count: int) -> Work:
    """`make` for `count` windows of every primitive, one after the other."""

    def work() -> int:
        for name in NAMES:
            for vector in vectors[name][:count]:
                make(name, vector)
        return count * len(NAMES)

    return work


def main() -> None:
    options = _options()
    some = vectors(options.windows // len(NAMES), np.random.default_rng(options.seed))
    pixel = agree(some, options.checked)
    count = options.windows // len(NAMES)
    works = {
        "compiled": one_by_one(compiled_window, some, count),
        "numpy, window by window": one_by_one(numpy_window, some, min(count, 50)),
        "plain loop": one_by_one(plain_window, some, min(count, 2)),
    }
    rates = {way: rate(work, options.seconds) for way, work in works.items()}
    lines = [
        *(Line(way, more=cells(rates, way)) for way in rates),
        Line("all agree", "pixels ≤ 2e-3", f"{pixel:.1e}", pixel <= 2e-3),
    ]
    publish(options.out, "Drawing", ABOUT, Table(lines, f"{SIDE}x{SIDE} windows", more=HEADS))


def cells(rates: dict[str, float], way: str) -> dict[str, str]:
    """How fast one way is, and by how much compiled loops are faster."""
    faster = "" if way == "compiled" else f"{rates['compiled'] / rates[way]:,.1f} x"
    return dict(zip(HEADS, [f"{rates[way]:,.0f}", faster], strict=True))


def _options() -> argparse.Namespace:
    made = parser(__doc__, "draw")
    made.add_argument("--windows", type=int, default=300, help="windows of all primitives")
    made.add_argument("--seconds", type=float, default=1.5, help="time for each figure")
    made.add_argument("--checked", type=int, default=12, help="windows of each primitive that are compared")
    options = made.parse_args()
    if options.quick:
        options.windows, options.seconds, options.checked = 30, 0.03, 1
    return options


if __name__ == "__main__":
    run(main)
