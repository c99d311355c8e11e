"""Time against pixels and shapes, and peak memory: the speed part of `primitives.py`."""

from __future__ import annotations

import itertools
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from report import Line, milliseconds
from scenes import speed_scene

Run = Callable[[NDArray[np.uint8]], Any]

LINEAR = 1.05  # a fitted exponent up to here is linear: the clock itself is good to a few percent
PICTURES = 7  # of each size with a time that must be kept: one alone may be hard or easy
MEMORY_GB = 4.0
CHILD = "import clock, sys; clock.child(*sys.argv[1:])"


@dataclass(frozen=True)
class Sizes:
    """What is timed."""

    named: tuple[tuple[int, int, tuple[float, float], float], ...] = (
        (84, 5, (12.0, 24.0), 0.030),  # side, shapes, sizes in px, seconds at most
        (256, 10, (16.0, 60.0), 0.120),
        (1024, 100, (16.0, 60.0), 2.0),
    )
    sides: tuple[int, ...] = (128, 256, 512, 1024, 2048)  # with `few` shapes of 12 to 28 px
    few: int = 10
    counts: tuple[int, ...] = (10, 25, 50, 100, 200)  # of 16 to 60 px, in `side` x `side`
    side: int = 1024
    memory: tuple[int, int] = (4096, 100)  # side and shapes
    weighed: tuple[str, ...] = (
        "unrender",
        "opencv",
    )  # whose memory is measured, each in a process of its own
    budget: float = 6.0  # seconds for each figure, half of it in a sweep; 0 for a single run


TINY = Sizes(Sizes().named[:1], (64, 96), 1, (1, 2), 128, (128, 2), ("opencv",), 0.0)


def stopwatch(
    run: Run,
    images: Sequence[NDArray[np.uint8]],
    budget: float,
    now: Callable[[], float] = time.perf_counter,
) -> tuple[float, float]:
    """Best and median seconds of 3 to 15 runs, as many as the budget in seconds allows; each looks at the
    next picture; `now` is the clock. Before that all are seen once, within the same budget: what is
    needed for the first time is loaded then."""
    warm = time.perf_counter() + budget
    for image in images:
        if time.perf_counter() < warm:
            run(image)
    times: list[float] = []
    for image in itertools.cycle(images):
        if len(times) >= (3 if budget else 1) and (sum(times) >= budget or len(times) == 15):
            break
        start = now()
        run(image)
        times.append(now() - start)
    return min(times), float(np.median(times))


def exponent(sizes: list[float], seconds: list[float]) -> float:
    """k of the best fit seconds = c · size^k."""
    return float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])


def clock_lines(detectors: Mapping[str, Run], seed: int, sizes: Sizes) -> list[Line]:
    """Lines for the table of `primitives.py`."""
    lines = [*_named(detectors, seed, sizes), *_sweeps(detectors, seed, sizes)]
    side, shapes = sizes.memory
    memory = {name: peak_memory(name, seed, side, shapes) for name in detectors if name in sizes.weighed}
    texts = {name: f"{value:.2f} GB" for name, value in memory.items()}
    goal = f"peak memory, {side}x{side} with {shapes} shapes ≤ {MEMORY_GB:g} GB"
    lines.append(_line(goal, texts, {n: v <= MEMORY_GB for n, v in memory.items()}))
    threads = len(os.sched_getaffinity(0))
    return [replace(lines[0], what=f"speed, {threads} cores"), *lines[1:]]


def _named(detectors: Mapping[str, Run], seed: int, sizes: Sizes) -> Iterator[Line]:
    """Scenes with a time that must be kept."""
    for side, count, pixels, goal in sizes.named:
        images = [speed_scene(seed + n, side, count, pixels).image for n in range(PICTURES)]
        measured = {name: stopwatch(run, images, sizes.budget) for name, run in detectors.items()}
        texts = {n: f"{milliseconds(mid)} (best {milliseconds(best)})" for n, (best, mid) in measured.items()}
        passed = {name: mid <= goal for name, (_, mid) in measured.items()}
        yield _line(
            f"median of several pictures, {side}x{side}, {count} shapes ≤ {milliseconds(goal)}", texts, passed
        )


def _sweeps(detectors: Mapping[str, Run], seed: int, sizes: Sizes) -> Iterator[Line]:
    """How time grows with pixels and with shapes."""
    large = (16.0, 60.0)
    sweeps = {
        f"pixels ≤ {LINEAR:g} ({sizes.sides[0]} to {sizes.sides[-1]} wide)": [
            (float(side * side), speed_scene(seed, side, sizes.few).image) for side in sizes.sides
        ],
        f"shapes ≤ {LINEAR:g} ({sizes.counts[0]} to {sizes.counts[-1]})": [
            (float(count), speed_scene(seed, sizes.side, count, large).image) for count in sizes.counts
        ],
    }
    for what, pictures in sweeps.items():
        texts, passed = {}, {}
        for name, run in detectors.items():
            seconds = [stopwatch(run, [image], sizes.budget / 2)[0] for _, image in pictures]
            power = exponent([size for size, _ in pictures], seconds)
            texts[name] = f"{power:.2f} ({', '.join(f'{s:.3g}' for s in seconds)} s)"
            passed[name] = power <= LINEAR
        yield _line(f"exponent against {what}", texts, passed)


def _line(goal: str, texts: Mapping[str, str], passed: Mapping[str, bool]) -> Line:
    return Line(
        "", goal, texts.get("unrender", ""), passed.get("unrender"), {"OpenCV": texts.get("opencv", "")}
    )


def peak_memory(detector: str, seed: int, side: int, shapes: int) -> float:
    """GB that a fresh process needs at its peak, imports included, for one large picture."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "picture.npy"
        np.save(path, speed_scene(seed, side, shapes, (16.0, 60.0)).image)
        command = [sys.executable, "-c", CHILD, detector, str(path)]
        here = Path(__file__).parent
        done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=here)
    return float(done.stdout.split()[-1])


def child(detector: str, path: str) -> None:
    """Run one detector on one picture and print the peak memory in GB."""
    from primitives import finder

    finder(detector)(np.load(path))
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2)
