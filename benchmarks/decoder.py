"""Two ways to train g of a semantic capsule, side by side: in the whole's frame, or plain as in the paper.

    python benchmarks/decoder.py                                   ship, hook and a random object, seed 0
    python benchmarks/decoder.py --objects 8 --seed 3 --budgets 2,30,120

Every object is taught by one example. Errors are those of the parts that g predicts at poses that were never
trained (and, for attributes that memory never saw, at invented values): the position in % of the size
sqrt(w h) of the whole, the rest as they are. "Beyond" is the position error next to the canvas that the plain
regime was trained on, as far away as it is wide. F1 is of scenes with one to three of the objects and up to
six loose shapes: graphs, without pixels, as large as that canvas; wide ones, of twice its side; and pictures
that Pillow drew.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from counting import mean, median
from numpy.random import Generator
from objects import HOOK, SHIP, Blueprint, Thing, placed, random_objects
from oneshot_clocks import observed
from oneshot_scenes import LOOSE, SIDE, TAUGHT, Picture, compose
from oneshot_scoring import Finding, score, total
from report import Line, Table, parser, publish, run
from scatter import Shape, random_shape

from unrender import Scene
from unrender.capsules.network import Network
from unrender.capsules.route import Route
from unrender.capsules.see import see
from unrender.learning.objects.augment import restyle, transform, unseen
from unrender.learning.objects.lesson import learn, with_route
from unrender.learning.objects.plain import CANVAS, SCALES, fit_plain
from unrender.primitives.registry import primitives
from unrender.scene.picture import read_picture

ABOUT = """{count} objects, one example each: g trained in the frame of the whole, as we do it, and plain, as
in the paper, for several budgets of time. Errors are of parts at poses never trained: the position in % of
the size of the whole, beyond the canvas of the plain samples too. F1 is of scenes with one to three of the
objects among loose shapes. There is no goal: it shows why the frame is the default."""
TRIAL = 100  # steps from which the speed of training is told


@dataclass(frozen=True)
class Seen:
    """The primitives of a scene, with the truth about its objects."""

    scene: Scene
    picture: Picture


def scene_of(shapes: Sequence[Shape], side: int) -> Scene:
    return Scene(side, side, observed(shapes))


# What is measured


def taught(blueprint: Blueprint) -> tuple[Route, float]:
    """The route after one lesson in the frame of the whole, and the seconds that it took."""
    thing = placed(blueprint, (TAUGHT / 2, TAUGHT / 2))
    start = time.perf_counter()
    route = learn(Network({}), scene_of(thing.shapes, TAUGHT), blueprint.name, None).route
    return route, time.perf_counter() - start


def trained(route: Route, steps: int) -> tuple[Route, float]:
    """The same route with a plain g, and the seconds that it took."""
    start = time.perf_counter()
    return fit_plain(route, steps=steps), time.perf_counter() - start


def errors(route: Route, rng: Generator, beyond: float = 0.0, count: int = 100) -> dict[str, float]:
    """Mean errors of the parts that g predicts, over random T and U of the example.

    beyond: px by which the places are moved off the canvas of the samples.
    """
    first = route.memory[0]
    free = unseen(route.memory, route.names)
    off: dict[str, list[float]] = {"position": [], "log size": [], "turn": [], "style": []}
    for _ in range(count):
        x, y = rng.uniform(0, CANVAS, 2) + beyond - first.whole.position
        turn = float(rng.uniform(-180, 180))
        scale = float(SCALES[0] * (SCALES[1] / SCALES[0]) ** rng.random())
        style = {name: float(rng.random()) for name in free if rng.random() < 0.5}
        parts = transform(
            restyle(first.parts, style), (float(x), float(y)), turn, scale, first.whole.position
        )
        whole = route.encode(parts, turn)
        size = math.sqrt(whole.size[0] * whole.size[1])
        for true, guess in zip(parts, route.decode(whole), strict=True):
            off["position"].append(100 * math.dist(true.position, guess.position) / size)
            off["log size"] += [abs(math.log(g / t)) for g, t in zip(guess.size, true.size, strict=True)]
            off["turn"].append(abs(math.remainder(guess.rotation - true.rotation, 360.0)))
            off["style"] += [abs(guess.attributes[name] - value) for name, value in true.attributes.items()]
    return {name: mean(values) for name, values in off.items()}


def f1(network: Network, scenes: Sequence[Seen]) -> float:
    """Of all objects in all scenes."""
    scores = []
    for seen in scenes:
        found = [
            Finding(node.symbol, node.position, node.size, node.rotation, node.p)
            for node in network.understand(seen.scene).observations
            if node.route
        ]
        scores.append(score(seen.picture, found, 0.0))
    return total(scores).f1


# Scenes


def graph_scene(rng: Generator, blueprints: Sequence[Blueprint], side: int = SIDE) -> Seen:
    """Objects whole inside the picture, and loose shapes, without pixels."""
    things: list[Thing] = []
    for blueprint in blueprints:
        scale = float(SCALES[0] * (SCALES[1] / SCALES[0]) ** rng.random())
        thing = placed(blueprint, (0.0, 0.0), float(rng.uniform(-180, 180)), scale)
        reach = min(math.hypot(*thing.size) / 2, side / 2)
        x, y = rng.uniform(reach, side - reach, 2)
        things.append(placed(blueprint, (float(x), float(y)), thing.rotation, scale))
    shapes = [shape for thing in things for shape in thing.shapes]
    for _ in range(int(rng.integers(7))):
        red, green, blue = (float(value) for value in rng.random(3))
        shapes.append(replace(random_shape(rng, LOOSE, side, side, []), colour=(red, green, blue)))
    return Seen(scene_of(shapes, side), Picture("", np.zeros((0, 0, 3), np.uint8), tuple(things)))


def pixel_scene(rng: Generator, blueprints: Sequence[Blueprint]) -> Seen:
    """The same kind of scene, drawn by Pillow and seen without any knowledge."""
    picture = compose(rng, blueprints)
    kinds = list(primitives().values())
    return Seen(see(read_picture(picture.image).pixels, Network({}), kinds), picture)


def chosen(rng: Generator, blueprints: Sequence[Blueprint]) -> list[Blueprint]:
    return [blueprints[int(rng.integers(len(blueprints)))] for _ in range(rng.integers(1, 4))]


# The table


def row(
    label: Sequence[str],
    made: Sequence[tuple[Route, float]],
    scenes: Mapping[str, Sequence[Seen]],
    seed: int,
) -> dict[str, str]:
    """Cells by their heads: what all routes of one regime and budget reach together."""
    near = [errors(route, np.random.default_rng([seed, 1])) for route, _ in made]
    far = [errors(route, np.random.default_rng([seed, 2]), CANVAS, 30)["position"] for route, _ in made]
    network = Network({})
    for route, _ in made:
        network = with_route(network, route)
    whole = {name: mean([own[name] for own in near]) for name in near[0]}
    return dict(zip(("budget", "steps"), label, strict=True)) | {
        "training": f"{median([seconds for _, seconds in made]):.1f} s",
        "position": f"{whole['position']:.2f} %",
        "beyond": f"{mean(far):.1f} %",
        "log size": f"{whole['log size']:.4f}",
        "turn": f"{whole['turn']:.2f}°",
        "style": f"{whole['style']:.4f}",
        **{f"F1 ({len(own)} {kind})": f"{f1(network, own):.3f}" for kind, own in scenes.items()},
    }


def main() -> None:
    options = _options()
    rng = np.random.default_rng(options.seed)
    blueprints = [SHIP, HOOK, *random_objects(max(0, options.objects - 2), rng)][: options.objects]
    scenes = {
        "graphs": [graph_scene(rng, chosen(rng, blueprints)) for _ in range(options.scenes)],
        "wide graphs": [graph_scene(rng, chosen(rng, blueprints), 2 * SIDE) for _ in range(options.scenes)],
        "pictures": [pixel_scene(rng, chosen(rng, blueprints)) for _ in range(options.pictures)],
    }
    frame = [taught(blueprint) for blueprint in blueprints]
    lines = [Line("frame", more=row(["", ""], frame, scenes, options.seed))]
    trial = 10 if options.quick else TRIAL
    speed = trial / min(trained(frame[0][0], trial)[1] for _ in range(2))
    for budget in options.budgets:
        steps = max(1, round(budget * speed))
        plain = [trained(route, steps) for route, _ in frame]
        label = [f"{budget:g} s", str(steps)]
        lines.append(Line("plain", more=row(label, plain, scenes, options.seed)))
    about = ABOUT.format(count=len(frame))
    publish(options.out, "Two ways to train g", about, Table(lines, "regime", more=list(lines[0].more)))


def _options() -> argparse.Namespace:
    made = parser(__doc__, "decoder")
    made.add_argument("--objects", type=int, default=3, help="ship, hook, then random ones")
    made.add_argument("--scenes", type=int, default=100, help="without pixels")
    made.add_argument("--pictures", type=int, default=12, help="drawn by Pillow")
    made.add_argument("--budgets", default="0.5,2,10,30", help="seconds of plain training, an object each")
    options = made.parse_args()
    if options.quick:
        options.objects, options.scenes, options.pictures, options.budgets = 1, 2, 1, "0.1"
    if options.objects < 1:
        made.error("--objects must be at least 1")
    try:
        options.budgets = [float(text) for text in options.budgets.split(",")]
    except ValueError:
        made.error(f"--budgets must be numbers of seconds like 2,10,30, not {options.budgets!r}")
    return options


if __name__ == "__main__":
    run(main)
