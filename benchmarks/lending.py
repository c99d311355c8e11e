"""Learning to learn: how many examples the first and the hundredth object of one world need.

    python benchmarks/lending.py                    a world of 100 objects, seed 0
    python benchmarks/lending.py --seed 7

Writes `results.md` to --out.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.random import Generator
from report import Line, Table, parser, publish, run

import unrender
from unrender import Brain, Observation, Scene

ABOUT = """Objects that are made of four to six primitives each. In all of them circles differ in size from
one to the next, squares are turned and triangles stand a little aside; nothing says so but examples. Objects
are shown as scenes of primitives, without pixels. An object is known well if 9 of 10 that it has not been
taught are found; counted are the examples that it takes, at most eight."""
WANTED = 0.9  # recall
MOST = 8  # examples
SHOWN = 24  # further ones by which recall is measured
SIZES, TURNS, PLACES = 0.16, 14.0, 0.035  # standard deviations: log sides, degrees, sides of the whole
KINDS = ("circle", "square", "triangle")


@dataclass(frozen=True)
class Thing:
    """One kind of object: its parts as (symbol, x, y, width, height, turn, colour)."""

    name: str
    parts: tuple[tuple[str, float, float, float, float, float, tuple[float, float, float]], ...]

    def shown(self, rng: Generator) -> Scene:
        """One of them, anywhere, of any size, turned."""
        scale, turn = rng.uniform(60, 120), rng.uniform(-180, 180)
        cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
        nodes = []
        for depth, (symbol, x, y, width, height, own, colour) in enumerate(self.parts):
            grown = math.exp(SIZES * rng.standard_normal()) if symbol == "circle" else 1.0
            bent = TURNS * rng.standard_normal() if symbol == "square" else 0.0
            if symbol == "triangle":
                x, y = x + PLACES * rng.standard_normal(), y + PLACES * rng.standard_normal()
            place = (200 + scale * (cos * x - sin * y), 200 + scale * (sin * x + cos * y))
            size = (scale * width * grown, scale * height * grown)
            looks = dict(zip(("red", "green", "blue"), colour, strict=True)) | {
                "filled": 1.0,
                "thickness": 0.0,
            }
            nodes.append(replace(Observation(symbol, place, size, own + turn + bent, looks), depth=depth))
        return Scene(400, 400, nodes)


def thing(rng: Generator, name: str) -> Thing:
    """An object at random, its parts clear of one another."""
    parts: list[tuple[str, float, float, float, float, float, tuple[float, float, float]]] = []
    wanted = int(rng.integers(4, 7))
    while len(parts) < wanted:
        x, y = rng.uniform(-0.5, 0.5, 2)
        width, height = rng.uniform(0.12, 0.3, 2)
        if all(math.hypot(x - own[1], y - own[2]) > 0.28 for own in parts):
            symbol = KINDS[rng.integers(3)]
            width, height = (width, width) if symbol == "circle" else (width, height)
            red, green, blue = rng.uniform(0.1, 0.9, 3)
            colour = (float(red), float(green), float(blue))
            parts.append((symbol, x, y, width, height, float(rng.uniform(0, 90)), colour))
    return Thing(name, tuple(parts))


def taught_once(brain: Brain, own: Thing, rng: Generator) -> None:
    """One example more of an object."""
    known = own.name in brain.symbols
    scene = own.shown(rng)
    brain.teach(scene, own.name, scene.axioms, route=f"{own.name}/1" if known else None)


def recall(brain: Brain, own: Thing, rng: Generator, shown: int) -> float:
    """Of some that it has not been taught, how many it finds."""
    seen = [brain.understand(own.shown(rng)).axioms for _ in range(shown)]
    return sum([axiom.symbol for axiom in axioms] == [own.name] for axioms in seen) / shown


def needed(brain: Brain, own: Thing, rng: Generator, shown: int) -> tuple[int, float]:
    """The examples after which an object is known well, and how well it is after the first one."""
    first = 0.0
    for count in range(1, MOST + 1):
        taught_once(brain, own, rng)
        found = recall(brain, own, rng, shown)
        first = found if count == 1 else first
        if found >= WANTED:
            return count, first
    return MOST, first


def lines(seed: int, quick: bool) -> Iterator[Line]:
    """The first few objects, and the last few of many."""
    rng = np.random.default_rng(seed)
    objects, sample, shown = (6, 1, 6) if quick else (100, 5, SHOWN)
    early = [needed(unrender.open(), thing(rng, f"early{chr(97 + k)}"), rng, shown) for k in range(sample)]
    brain = unrender.open()
    for k in range(objects - 1):
        own = thing(rng, f"thing{chr(97 + k // 26)}{chr(97 + k % 26)}")
        for _ in range(3):
            taught_once(brain, own, rng)
    late = [needed(brain, thing(rng, f"late{chr(97 + k)}"), rng, shown) for k in range(sample)]
    means = [float(np.mean([count for count, _ in own])) for own in (early, late)]
    firsts = [float(np.mean([first for _, first in own])) for own in (early, late)]
    yield Line("examples that the first object of a world needs", "", f"{means[0]:.1f}", True)
    yield Line(
        f"examples that the one after {objects - 1} others needs",
        f"< {means[0]:.1f}",
        f"{means[1]:.1f}",
        means[1] < means[0],
    )
    text = f"{firsts[0]:.2f} and {firsts[1]:.2f}"
    yield Line("recall from one example, the first and the last", "last ≥ 0.9", text, firsts[1] >= WANTED)


def main() -> None:
    options = parser(__doc__, "lending").parse_args()
    found = list(lines(options.seed, options.quick))
    publish(options.out, "Learning to learn", ABOUT, Table(found, "what"))


if __name__ == "__main__":
    run(main)
