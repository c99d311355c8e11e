"""Whether objects keep their numbers through a video, on films of the asteroid world with true tracks.

    python benchmarks/tracking.py [--seed 0] [--films 20] [--frames 40] [--watched 4]
    python benchmarks/tracking.py frame0.png frame1.png ...   # the tracks of these consecutive pictures

The first rows follow the true graph with noise in it and observations dropped, never more than two frames
running: what following does by itself; what is dropped counts as missed. The last rows see pictures with a
ship that was taught once: `films` of the first kind, `watched` of the second. A switch is an object that has
another number than at its last sighting; MOTA is 1 - (missed + false + switches) / true nodes. Beside it, on
the same observations: the nearest object of the same symbol in the frame before.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np
from counting import Counts, median, paired
from report import Line, Table, parser, publish, run
from scipy.optimize import linear_sum_assignment

import unrender
from unrender import Observation, Scene
from unrender.brain import Brain
from unrender.scene.tracking.follow import follow
from unrender.worlds import Asteroids

Generator = np.random.Generator
Follow = Callable[[Scene, Scene], None]
Watch = Callable[[list[Scene], Generator], list[Scene]]

ABOUT = """Films of the asteroid world with true tracks: graphs with noise in which observations are dropped,
and pictures with a ship that was taught once. A switch is an object that has another number than at its last
sighting; MOTA is 1 - (missed + false + switches) / true nodes. Beside it, on the same observations, the
nearest object of the same symbol in the frame before."""
ALIKE = {"colourful": False, "part": (14.0, 14.0), "ships": (3, 3), "asteroids": (3, 3)}
WORLDS = {
    "apart, 0.5 to 3 px a frame": Asteroids(),
    "apart, 3 to 6 px a frame, up to 12°": Asteroids(speed=(3.0, 6.0), spin=(0.0, 12.0)),
    "covering one another": Asteroids(overlap=True, speed=(1.0, 5.0)),
    "covering one another, all alike": Asteroids(overlap=True, **ALIKE),  # type: ignore[arg-type]
}


@dataclass
class Tally(Counts):
    """What was counted over all films of a row."""

    switches: int = 0
    velocity: list[float] = field(default_factory=list)  # px per frame off
    spin: list[float] = field(default_factory=list)  # degrees per frame off, where it can be seen
    seconds: float = 0.0
    frames: int = 0

    @property
    def mota(self) -> float:
        missed, false = self.true - self.matched, self.found - self.matched
        return 1 - (missed + false + self.switches) / max(self.true, 1)

    def count(self, truth: Sequence[Scene], film: Sequence[Scene]) -> None:
        """Add one film in which every node has its track."""
        last: dict[int | None, int | None] = {}
        before: dict[int | None, Observation] = {}
        for real, made in zip(truth, film, strict=True):
            pairs = matched(real.observations, made.observations)
            self += Tally(len(real.observations), len(made.observations), len(pairs))
            for node, found in pairs:
                self.switches += last.get(node.track, found.track) != found.track
                last[node.track] = found.track
                if node.track in before and found.velocity is not None and found.spin is not None:
                    moved = np.subtract(node.position, before[node.track].position)
                    self.velocity.append(float(np.linalg.norm(moved - found.velocity)))
                    if node.symbol != "circle":
                        turn = node.rotation - before[node.track].rotation
                        self.spin.append(abs(math.remainder(turn - found.spin, 360)))
            before = {node.track: node for node in real.observations}


def matched(
    truth: Sequence[Observation], found: Sequence[Observation]
) -> list[tuple[Observation, Observation]]:
    """Every true node with the one that was seen of it."""
    spots = ([(node.symbol, node.position) for node in nodes] for nodes in (truth, found))
    pairs = paired(*spots, [sum(node.size) / 2 for node in truth])
    return [(truth[i], found[j]) for i, j in pairs]


def nearest(scene: Scene, after: Scene) -> None:
    """The rival: each node has the number of the nearest one of its symbol in the frame before."""
    free = 1 + max((node.track or 0 for node in after.observations), default=0)
    for k, node in enumerate(after.observations):
        node.track = free + k if node.track is None else node.track
    free += len(after.observations)
    olds, news = after.observations, scene.observations
    far = 30.0
    cost = np.full((len(news), len(olds)), far)
    for i, node in enumerate(news):
        for j, old in enumerate(olds):
            if node.symbol == old.symbol:
                cost[i, j] = min(math.dist(node.position, old.position), far)
    for i, j in zip(*linear_sum_assignment(cost), strict=True):
        if cost[i, j] < far:
            news[i].track = olds[j].track
    for k, node in enumerate(news):
        node.track = free + k if node.track is None else node.track


def noisy(truth: Sequence[Scene], rng: Generator, drop: float = 0.1) -> list[Scene]:
    """A film of true graphs as an eye might see them, a little off, without some of the primitives."""
    away: dict[int | None, int] = {}
    film = []
    for real in truth:
        for leaf in real.primitives:
            gone = away.get(leaf.track, 0) < 2 and rng.uniform() < drop
            away[leaf.track] = away.get(leaf.track, 0) + 1 if gone else 0
        hidden = {track for track, frames in away.items() if frames}
        axioms = [axiom for top in real.axioms if (axiom := glimpsed(top, rng, hidden)) is not None]
        film.append(Scene(real.width, real.height, axioms))
    return film


def glimpsed(node: Observation, rng: Generator, hidden: set[int | None]) -> Observation | None:
    """A node with noise in it, or None if nothing of it is to be seen."""
    parts = [part for child in node.parts if (part := glimpsed(child, rng, hidden)) is not None]
    if node.track in hidden or (node.parts and not parts):
        return None
    x, y, turn, grown = rng.normal(size=4).tolist()
    return replace(
        node,
        position=(node.position[0] + 0.2 * x, node.position[1] + 0.2 * y),
        rotation=node.rotation + turn,
        size=(node.size[0] * (1 + 0.01 * grown), node.size[1] * (1 - 0.01 * grown)),
        attributes={name: value + rng.normal(0, 0.02) for name, value in node.attributes.items()},
        parts=parts,
        track=None,
    )


def looking(brain: Brain) -> Watch:
    """Every frame seen by a brain."""
    return lambda truth, _: [brain.see(real.image) for real in truth]


def taught(seed: int) -> Brain:
    """A brain that knows the ship, from one picture of it."""
    world = Asteroids(128, 128, ships=(1, 1), asteroids=(0, 0), loose=(0, 0), part=(20.0, 20.0))
    brain = unrender.open()
    brain.teach(brain.see(world.sample(np.random.default_rng(seed)).image), "ship")
    return brain


def known(scene: Scene) -> Scene:
    """The truth as far as it was taught: an asteroid is three circles."""
    axioms = [node for top in scene.axioms for node in ([top] if top.symbol == "ship" else top.primitives)]
    return Scene(scene.width, scene.height, axioms)


def measure(world: Asteroids, films: int, frames: int, seed: int, watch: Watch) -> tuple[Tally, Tally]:
    """Ours and the nearest neighbour's, on the same observations."""
    ours, rival = Tally(), Tally()
    for k in range(films):
        rng = np.random.default_rng([seed, k])
        truth = [known(picture.scene) for picture in world.sequence(rng, frames)]
        film = watch(truth, rng)
        for tally, method in ((ours, follow), (rival, nearest)):
            copies = [Scene.from_dict(scene.to_dict()) for scene in film]
            start = time.process_time()
            follow_all(copies, method)
            tally.seconds += time.process_time() - start
            tally.frames += frames - 1
            tally.count(truth, copies)
    return ours, rival


def follow_all(film: Sequence[Scene], method: Follow) -> None:
    for before, now in pairwise(film):
        method(now, before)


def line(name: str, ours: Tally, rival: Tally) -> Line:
    """How objects kept their numbers, and how they do with the nearest neighbour."""
    apart = "covering" not in name
    goal = "no switch" if apart else "fewer switches than the nearest"
    passed = ours.switches == 0 or (not apart and ours.switches < rival.switches)
    more = {
        "sightings": str(ours.matched),
        "MOTA": f"{ours.mota:.3f}",
        "velocity, spin off by": f"{median(ours.velocity):.2f} px, {median(ours.spin):.2f}°",
        "per frame": f"{1e3 * ours.seconds / ours.frames:.0f} ms",
        "nearest: switches, MOTA": f"{rival.switches}, {rival.mota:.3f}",
    }
    return Line(name, goal, str(ours.switches), passed, more)


def show(paths: Sequence[str]) -> None:
    """The tracks of consecutive pictures, and how each object moves."""
    brain, film = unrender.open(), list[Scene]()
    for path in paths:
        film.append(brain.see(path, after=film[-1] if film else None))
    for path, scene in zip(paths, film, strict=True):
        print(path)
        for node in scene.observations:
            x, y = node.position
            moves = "" if node.velocity is None else "  moves by ({:.2f}, {:.2f})".format(*node.velocity)
            print(f"  {node.track}  {node.symbol} at ({x:.1f}, {y:.1f}){moves}")


def main() -> None:
    made = parser(__doc__, "tracking")
    made.add_argument("pictures", nargs="*", help="consecutive frames")
    made.add_argument("--films", type=int, default=20)
    made.add_argument("--frames", type=int, default=40)
    made.add_argument("--watched", type=int, default=4)
    options = made.parse_args()
    if options.pictures:
        show(options.pictures)
        return
    if options.quick:
        options.films, options.frames, options.watched = 1, 4, 1
    seen = dict(list(WORLDS.items())[:1]) if options.quick else WORLDS
    lines = []
    for name, world in WORLDS.items():
        rows = measure(world, options.films, options.frames, options.seed, noisy)
        lines.append(line(f"graph, 10 % dropped: {name}", *rows))
    with taught(options.seed) as brain:
        for name, world in seen.items():
            rows = measure(world, options.watched, options.frames, options.seed, looking(brain))
            lines.append(line(f"seen: {name}", *rows))
    publish(options.out, "Tracking", ABOUT, Table(lines, "films", "switches"))


if __name__ == "__main__":
    run(main)
