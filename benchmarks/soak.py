"""Whether one brain stays as light and as quick as on its first day: thousands of scenes, lessons among them.

    python benchmarks/soak.py [--scenes 2000] [--minutes 60] [--seed 0] [--quick] [--out out/soak]

Pictures of the asteroid world, drawn by an independent rasteriser, none twice, are seen as one endless film.
Every brain method takes its turn: questions, answers, new objects, more examples, new names, forgetting,
undoing. What is known stays about the same, so that time and memory should too; only the history grows.
"""

from __future__ import annotations

import itertools
import json
import os
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from lifelong_worlds import drawn
from numpy.typing import NDArray
from report import Line, Table, parser, picture, publish, run, subplots

import unrender
from unrender import Brain, Scene
from unrender.worlds.asteroids import Asteroids

WARM = 0.2  # of all scenes: caches fill
EVERY = 20  # scenes from one lesson to the next
WORLD = Asteroids(84, 84, ships=(1, 1), asteroids=(0, 1), loose=(0, 2), part=(9.0, 14.0))
MOST_MEMORY, MOST_TIME = 5.0, 10.0  # percent that a run may add


@dataclass(frozen=True)
class Day:
    """What one scene cost."""

    seconds: float  # of the processor, to see it and say what is in it
    memory: float  # MB that the process holds after it
    lesson: float  # seconds of the processor for the lesson after it; 0 if there was none
    file: float  # MB of the brain file


def memory() -> float:
    """MB of this process in memory: now where the system says it, else the most so far."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return most / (1 << 20 if sys.platform == "darwin" else 1 << 10)
    return pages * os.sysconf("SC_PAGE_SIZE") / (1 << 20)


def learn(brain: Brain, scene: Scene, number: int) -> None:
    """Lesson after lesson of every kind; after eight of them the brain knows what it did before."""
    known = sorted(name for name in brain.symbols if name != "ship")
    kind = number % 8
    if kind == 0:
        brain.teach(scene, "thing", scene.primitives[:3])
    elif kind == 1 and scene.question is not None:
        brain.skip(scene.question)
    elif kind == 2:
        brain.teach(scene, "other", scene.primitives[-3:])
    elif kind == 3:
        brain.rename("thing", "object")
    elif kind in (4, 5) and known:
        brain.forget(known[0])
    elif kind == 6:
        brain.learn_grammar("[lamp] -> [circle] [square]\n    [square] y = height")
    elif kind == 7:
        brain.undo()


def say(scene: Scene) -> None:
    """All that a user may want of a scene."""
    json.dumps(scene.to_dict())
    str(scene.question)
    scene.describe()
    scene.image  # noqa: B018


def live(brain: Brain, path: Path, rng: np.random.Generator, every: int) -> Iterator[Day]:
    """One scene after the other, each the next frame of the film, and a lesson now and then."""
    before: Scene | None = None
    for number in itertools.count():
        image = drawn(WORLD.sample(rng).scene, rng)
        begin = time.process_time()
        scene = brain.see(image, after=before)
        say(scene)
        seconds, begin = time.process_time() - begin, time.process_time()
        taught = number % every == 0
        if taught:
            learn(brain, scene, number // every)
        lesson = time.process_time() - begin if taught else 0.0
        yield Day(seconds, memory(), lesson, path.stat().st_size / (1 << 20))
        before = scene


def lead_in(brain: Brain, rng: np.random.Generator) -> None:
    """The ship, which is known from the first scene on."""
    alone = Asteroids(84, 84, ships=(1, 1), asteroids=(0, 0), loose=(0, 0), part=(14.0, 14.0))
    brain.teach(brain.see(drawn(alone.sample(rng).scene, rng)), "ship")


@dataclass(frozen=True)
class Trend:
    """A straight line through what was measured after the warm-up."""

    start: float
    end: float

    @classmethod
    def of(cls, values: NDArray[np.float64]) -> Trend:
        """Through the medians of 20 stretches, so that a single slow scene does not bend it."""
        warm = round(WARM * len(values))
        stretches = [part for part in np.array_split(values[warm:], 20) if len(part)]
        at = np.linspace(warm, len(values), len(stretches))
        slope, level = np.polyfit(at, [float(np.median(part)) for part in stretches], 1)
        return cls(float(level + slope * warm), float(level + slope * len(values)))

    @property
    def growth(self) -> float:
        """In percent."""
        return 100 * (self.end / self.start - 1)

    def line(self, what: str, unit: str, most: float, judged: bool = True) -> Line:
        told = f"{self.growth:+.1f} % ({self.start:.3g} to {self.end:.3g} {unit})"
        verdict = self.growth <= most if judged else None
        return Line(what, f"at most {most:g} % more at the end", told, verdict)


def plot(days: list[Day], seconds: Trend, held: Trend, out: Path) -> str:
    figure, (above, below) = subplots(2, 1, (8.0, 5.6))
    warm, last = round(WARM * len(days)), len(days)
    above.plot([1000 * day.seconds for day in days], ".", markersize=2, alpha=0.5)
    above.plot([warm, last], [1000 * seconds.start, 1000 * seconds.end], "k-")
    above.set(title="Processor time per scene", ylabel="ms", ylim=(0, None))
    below.plot([day.memory for day in days])
    below.plot([warm, last], [held.start, held.end], "k-")
    below.set(title="Memory of the process", xlabel="scenes", ylabel="MB", ylim=(0, None))
    return picture(figure, out / "soak.png", "Time per scene and memory over all scenes, with straight lines")


def main() -> None:
    options = parser(__doc__, "soak")
    options.add_argument("--scenes", type=int, default=2000)
    options.add_argument("--minutes", type=float, default=60.0, help="stop after so long, whatever was done")
    given = options.parse_args()
    rng, end = np.random.default_rng(given.seed), time.monotonic() + 60 * given.minutes
    scenes, every = (16, 2) if given.quick else (given.scenes, EVERY)
    with tempfile.TemporaryDirectory() as folder, unrender.open(Path(folder) / "soak.brain") as brain:
        lead_in(brain, rng)
        lived = itertools.islice(live(brain, Path(folder) / "soak.brain", rng, every), scenes)
        days = list(itertools.takewhile(lambda _: time.monotonic() < end, lived))
        lessons = len(brain.lessons)
    seconds = Trend.of(np.array([day.seconds for day in days]))
    held = Trend.of(np.array([day.memory for day in days]))
    taught = [day.lesson for day in days if day.lesson]
    half = len(taught) // 2
    publish(
        given.out,
        "A long life",
        f"{len(days)} scenes of 84x84 pixels through one open brain, a lesson after every {every}; "
        f"its file ends with {lessons} lessons in {days[-1].file:.1f} MB. Growth is that of a straight line "
        f"from {WARM:.0%} of the way on, when all caches are full; a run of few scenes is not judged.",
        Table(
            [
                held.line("memory of the process", "MB", MOST_MEMORY, not given.quick),
                seconds.line("processor time per scene", "s", MOST_TIME, not given.quick),
                Line(
                    "time of a lesson", "", f"{mean(taught[:half]):.3f} s, later {mean(taught[half:]):.3f} s"
                ),
            ]
        ),
        plot(days, seconds, held, given.out),
    )


def mean(values: list[float]) -> float:
    return sum(values) / max(1, len(values))


if __name__ == "__main__":
    run(main)
