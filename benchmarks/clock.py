"""Time against pixels and shapes, and peak memory: the speed part of `primitives.py`.

`python benchmarks/clock.py opencv picture.npy` prints the peak memory of one detector on one picture.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scenes import speed_scene

Run = Callable[[NDArray[np.uint8]], Any]

NAMED = [  # side, shapes, sizes in px, seconds at most
    (84, 5, (12.0, 24.0), 0.060),
    (256, 10, (16.0, 60.0), 0.250),
    (1024, 100, (16.0, 60.0), 4.0),
]
SIDES = (128, 256, 512, 1024, 2048)  # with 10 shapes of 12 to 28 px
COUNTS = (10, 25, 50, 100, 200)  # of 16 to 60 px in 1024x1024
LINEAR = 1.05  # a fitted exponent up to here is linear: the clock itself is good to a few percent
MEMORY_SIDE, MEMORY_SHAPES, MEMORY_GB = 4096, 100, 4.0


def stopwatch(run: Run, image: NDArray[np.uint8], budget: float = 6.0) -> tuple[float, float]:
    """Best and median seconds of 3 to 15 runs, as many as the budget in seconds allows, after a warm-up."""
    run(image)
    times: list[float] = []
    while len(times) < 3 or (sum(times) < budget and len(times) < 15):
        start = time.perf_counter()
        run(image)
        times.append(time.perf_counter() - start)
    return min(times), float(np.median(times))


def exponent(sizes: list[float], seconds: list[float]) -> float:
    """k of the best fit seconds = c · size^k."""
    return float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])


def clock_lines(detectors: Mapping[str, Run], seed: int) -> list[list[str]]:
    """Lines for the table of `primitives.py`: scenes, goal, unrender, passed, OpenCV, and two empty cells."""
    threads = len(os.sched_getaffinity(0))
    lines: list[list[str]] = []
    for side, count, sizes, goal in NAMED:
        image = speed_scene(seed, side, count, sizes).image
        measured = {name: stopwatch(run, image) for name, run in detectors.items()}
        texts = {n: f"{mid * 1e3:.0f} ms (best {best * 1e3:.0f})" for n, (best, mid) in measured.items()}
        passed = {name: mid <= goal for name, (_, mid) in measured.items()}
        label = f"speed, {threads} cores" if not lines else ""
        lines.append(_line(label, f"{side}x{side}, {count} shapes ≤ {goal * 1e3:g} ms", texts, passed))
    sweeps = {
        "pixels": [(float(side * side), speed_scene(seed, side, 10).image) for side in SIDES],
        "shapes": [(float(n), speed_scene(seed, 1024, n, (16.0, 60.0)).image) for n in COUNTS],
    }
    for what, pictures in sweeps.items():
        texts, passed = {}, {}
        for name, run in detectors.items():
            seconds = [stopwatch(run, image, budget=3.0)[0] for _, image in pictures]
            power = exponent([size for size, _ in pictures], seconds)
            texts[name] = f"{power:.2f} ({', '.join(f'{s:.3g}' for s in seconds)} s)"
            passed[name] = power <= LINEAR
        values = SIDES if what == "pixels" else COUNTS
        goal_text = f"exponent against {what} ≤ {LINEAR:g} ({values[0]} to {values[-1]})"
        lines.append(_line("", goal_text, texts, passed))
    memory = {name: peak_memory(name, seed) for name in detectors}
    texts = {name: f"{value:.2f} GB" for name, value in memory.items()}
    goal_text = f"peak memory, {MEMORY_SIDE}x{MEMORY_SIDE} with {MEMORY_SHAPES} shapes ≤ {MEMORY_GB:g} GB"
    lines.append(_line("", goal_text, texts, {n: v <= MEMORY_GB for n, v in memory.items()}))
    return lines


def _line(label: str, goal: str, texts: Mapping[str, str], passed: Mapping[str, bool]) -> list[str]:
    verdict = {True: "pass", False: "FAIL", None: ""}[passed.get("unrender")]
    return [label, goal, texts.get("unrender", ""), verdict, texts.get("opencv", ""), "", ""]


def peak_memory(detector: str, seed: int) -> float:
    """GB that a fresh process needs at its peak, imports included, for one large picture."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "picture.npy"
        np.save(path, speed_scene(seed, MEMORY_SIDE, MEMORY_SHAPES, (16.0, 60.0)).image)
        command = [sys.executable, __file__, detector, str(path)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    return float(done.stdout.split()[-1])


def _child(detector: str, path: str) -> None:
    """Run one detector on one picture and print the peak memory in GB."""
    from primitives import DETECTORS

    DETECTORS[detector]()(np.load(path))
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2)


if __name__ == "__main__":
    _child(sys.argv[1], sys.argv[2])
