"""How fast we draw: windows of 28x28 pixels per second, forward and with the gradient in all attributes.

    python benchmarks/draw.py [--windows 3072] [--chunk 64] [--seconds 1.5] [--threads 1]

Three ways to the same pictures, in the same run, checked to agree:

* batched: `unrender.graphics`, torch, many windows at once, the gradient by autograd;
* numpy, window by window: one primitive at a time, all of its pixels at once;
* plain loop: one primitive and one pixel at a time, the formula as it is written.

A window is one primitive on grey ground, in colour. Its gradient is that of a weighted sum of its pixels;
the two numpy ways take it by central differences.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import numpy as np
import torch
from plain_numpy import GROUND, SIDE, Floats, central_differences, loop_window, numpy_window
from report import Line, Table, parser, publish, run
from torch import Tensor

from unrender.graphics.draw import compose
from unrender.graphics.draw import draw as draw_batch
from unrender.graphics.registry import find

NAMES = ("circle", "square", "triangle")
HEADS = ["forward", "batched is faster by", "with gradient", "batched with gradient is faster by"]
ABOUT = """Windows with one primitive each, drawn in three ways that give the same pictures: batched in torch
with gradients by autograd, and in numpy, window by window or pixel by pixel, with gradients by central
differences."""
Work = Callable[[], int]


def attributes(count: int, rng: np.random.Generator) -> dict[str, Floats]:
    """(count, 10) of each primitive: any place, size, turn, colour and stroke that shows in the window."""
    low = np.array([9, 9, 8, 8, -180, 0, 0, 0, 0, 0.05])
    high = np.array([19, 19, 20, 20, 180, 1, 1, 1, 1, 0.3])
    return {name: rng.uniform(low, high, (count, 10)) for name in NAMES}


def batch_windows(name: str, vectors: Tensor) -> Tensor:
    """(N, 3, SIDE, SIDE)."""
    alpha = draw_batch(find(name), vectors, SIDE, SIDE)
    return compose(alpha[:, None], vectors[:, None, 5:8], torch.tensor(GROUND, dtype=vectors.dtype))


def batch_gradient(name: str, vectors: Tensor, weights: Tensor) -> Tensor:
    """(N, 10)."""
    leaf = vectors.detach().requires_grad_()
    (gradient,) = torch.autograd.grad((batch_windows(name, leaf) * weights).sum(), leaf)
    return gradient


def agree(vectors: dict[str, Floats], weights: Floats, count: int) -> tuple[float, float]:
    """The largest difference between the three ways: in pixels, and in gradients relative to their size."""
    pixel = slope = 0.0
    for name in NAMES:
        some = torch.tensor(vectors[name][:count])
        ours, ours_slope = batch_windows(name, some), batch_gradient(name, some, torch.tensor(weights))
        for i, vector in enumerate(vectors[name][:count]):
            for window in (loop_window, numpy_window):
                pixel = max(pixel, float(np.abs(window(name, vector) - ours[i].numpy()).max()))
            theirs = central_differences(numpy_window, name, vector, weights)
            gap = np.abs(theirs - ours_slope[i].numpy()).max() / np.abs(theirs).max()
            slope = max(slope, float(gap))
    return pixel, slope


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


def in_chunks(make: Callable[[str, Tensor], object], vectors: dict[str, Tensor], chunk: int) -> Work:
    """`make` for all windows, `chunk` at a time: few enough to stay in the processor's cache."""

    def work() -> int:
        for name in NAMES:
            for part in vectors[name].split(chunk):
                make(name, part)
        return sum(len(part) for part in vectors.values())

    return work


def main() -> None:
    options = _options()
    torch.set_num_threads(options.threads)
    rng = np.random.default_rng(options.seed)
    vectors = attributes(options.windows // len(NAMES), rng)
    weights = rng.normal(size=(3, SIDE, SIDE))
    pixel, slope = agree(vectors, weights, options.checked)
    figures = ways(vectors, weights, options.chunk)
    rates = {way: [rate(work, options.seconds) for work in works] for way, works in figures.items()}
    agreed = f"pixels {pixel:.1e}, gradients {100 * slope:.2g} %"
    lines = [
        *(Line(way, more=cells(rates, way)) for way in rates),
        Line("all agree", "pixels ≤ 2e-3, gradients ≤ 2 %", agreed, pixel <= 2e-3 and slope <= 2e-2),
    ]
    table = Table(lines, f"{SIDE}x{SIDE} windows per second", more=HEADS)
    publish(options.out, "Drawing", f"{ABOUT} Threads of torch: {options.threads}; numpy has one.", table)


def ways(vectors: dict[str, Floats], weights: Floats, chunk: int) -> dict[str, tuple[Work, Work]]:
    """What is timed, by its name: drawing, and drawing with the gradient."""
    tensors = {name: torch.tensor(values, dtype=torch.float32) for name, values in vectors.items()}
    weight = torch.tensor(weights, dtype=torch.float32)
    drawn, sloped = torch.no_grad()(batch_windows), lambda name, v: batch_gradient(name, v, weight)
    by_loop = lambda name, v: central_differences(loop_window, name, v, weights)  # noqa: E731
    by_numpy = lambda name, v: central_differences(numpy_window, name, v, weights)  # noqa: E731
    return {
        "batched": (in_chunks(drawn, tensors, chunk), in_chunks(sloped, tensors, chunk)),
        "numpy, window by window": (one_by_one(numpy_window, vectors, 50), one_by_one(by_numpy, vectors, 5)),
        "plain loop": (one_by_one(loop_window, vectors, 5), one_by_one(by_loop, vectors, 1)),
    }


def cells(rates: dict[str, list[float]], way: str) -> dict[str, str]:
    """How fast one way is, and by how much batches are faster."""
    texts = []
    for ours, theirs in zip(rates["batched"], rates[way], strict=True):
        texts += [f"{theirs:,.0f}", "" if way == "batched" else f"{ours / theirs:,.1f} x"]
    return dict(zip(HEADS, texts, strict=True))


def _options() -> argparse.Namespace:
    made = parser(__doc__, "draw")
    made.add_argument("--windows", type=int, default=3072, help="windows in one batch, of all primitives")
    made.add_argument("--chunk", type=int, default=64, help="windows drawn at once")
    made.add_argument("--seconds", type=float, default=1.5, help="time for each figure")
    made.add_argument("--threads", type=int, default=1, help="of torch; numpy always has one")
    made.add_argument("--checked", type=int, default=12, help="windows of each primitive that are compared")
    options = made.parse_args()
    if options.quick:
        options.windows, options.seconds, options.checked = 96, 0.03, 1
    return options


if __name__ == "__main__":
    run(main)
