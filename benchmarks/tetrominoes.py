"""Tetrominoes: each of the seven kinds is taught from one picture, then found in scenes of three.

    python benchmarks/tetrominoes.py [--seed 0] [--scenes 200] [--rows free,grid]

Scored like the published methods by the adjusted Rand index over foreground pixels, and by the IoU of every
kind over the pixels of all scenes; the ground counts in neither.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from report import Goal, Line, Table, parsed_with_rows, parser, picture, publish, run, subplots
from segments import Score, Segment, foreground_ari, instances, score
from tetro_readings import expected, readings
from tetro_world import KINDS, SIDE, TetroScene, lesson, random_scene

import unrender
from unrender import Scene

ROWS = {"free": "at any pixel", "grid": "at multiples of a tile"}
GOALS = {
    "Slot Attention 0.995": Goal[Score]("ARI over the foreground", 0.995, lambda s: s.ari),
    "DTI-Sprites 0.992": Goal[Score]("mean IoU of the kinds", 0.99, lambda s: s.mean_iou),
}  # by what is published
ABOUT = f"""Scenes of three tetrominoes, {SIDE}x{SIDE} px, re-created from the published description and drawn
by Pillow: seven kinds in any right-angle turn, tiles of 5x5 px, six colours, black ground, no overlap; pieces
touch, in the same colour too. The description names 17 shapes and orientations (these are all 19) and says
nothing of places: here they are any pixel, or only multiples of a tile. Each kind was taught from one picture
of it alone. Where a patch of one colour can be filled in several ways no method can know which it was: "to be
expected" is what a reader would reach, but for luck, who tries all ways and tells the likeliest.

The published figures are not comparable: those methods learned from 60,000 pictures without a word of
supervision and were given no primitives."""
SHOWN = 8  # scenes in the plot


@dataclass(frozen=True)
class Seen:
    """One scene, what was seen in it, and how long that took."""

    truth: TetroScene
    scene: Scene
    seconds: float

    @property
    def segments(self) -> list[Segment]:
        return [Segment(thing.symbol, thing.mask) for thing in self.scene.axioms]

    @property
    def right(self) -> bool:
        """Whether every piece was found as what it is, to the pixel."""
        truth = {(own.symbol, own.mask.tobytes()) for own in self.truth.segments}
        return truth == {(own.symbol, own.mask.tobytes()) for own in self.segments}

    @property
    def ari(self) -> float:
        shape = (SIDE, SIDE)
        return foreground_ari(instances(self.truth.segments, shape), instances(self.segments, shape))


def main() -> None:
    known = parser(__doc__, "tetrominoes")
    known.add_argument("--scenes", type=int, default=200, help="of each row")
    options = parsed_with_rows(known, list(ROWS), list(ROWS))
    count = 2 if options.quick else options.scenes
    lines: list[Line] = []
    worst: list[Seen] = []
    brain = unrender.open(":memory:")
    slowest = teach(brain)
    lines += [Line("lessons", "each within 1 s", f"{slowest:.2f} s at the most", slowest < 1)]
    for row in options.rows:
        seen = look(brain, options.seed, count, grid=row == "grid")
        lines += told(f"{ROWS[row]} ({count} scenes)", seen)
        worst += sorted(seen, key=lambda one: (one.right, one.ari))[: SHOWN // len(options.rows)]
    plot = draw(worst, options.out / "tetrominoes.png")
    publish(options.out, "Tetrominoes from one example each", ABOUT, Table(lines, "pieces"), plot)


def teach(brain: unrender.Brain) -> float:
    """Teach every kind from one picture; the seconds of CPU that the longest lesson took."""
    brain.see(lesson("O").image)  # the first look of a process loads the networks
    taken = []
    for kind in KINDS:
        scene = brain.see(lesson(kind).image)
        start = time.process_time()
        brain.teach(scene, kind)
        taken.append(time.process_time() - start)
    return max(taken)


def look(brain: unrender.Brain, seed: int, count: int, grid: bool) -> list[Seen]:
    """See fresh scenes."""
    random = np.random.default_rng([seed, int(grid)])
    seen = []
    for _ in range(count):
        truth = random_scene(random, grid)
        start = time.process_time()
        scene = brain.see(truth.image)
        seen.append(Seen(truth, scene, time.process_time() - start))
    return seen


def told(what: str, seen: Sequence[Seen]) -> list[Line]:
    """The lines of one row."""
    result = _score(seen)
    best = expected([one.truth for one in seen])
    by_kind = ", ".join(f"{kind} {value:.3f}" for kind, value in result.iou.items())
    seconds = float(np.median([one.seconds for one in seen]))
    lines = [
        goal.line(what, result, {"published": figure, "to be expected": f"{most:.4g}"})
        for (figure, goal), most in zip(GOALS.items(), (best.ari, best.mean_iou), strict=True)
    ]
    plain = [one for one in seen if len(readings(one.truth)) == 1]
    if 0 < len(plain) < len(seen):
        lines += [goal.line(f"the {len(plain)} of one reading", _score(plain)) for goal in GOALS.values()]
    return [
        *lines,
        Line("", "", f"count right {result.counted:.3f}, kinds right {result.named:.3f} of scenes"),
        Line("", "", f"every piece to the pixel {np.mean([one.right for one in seen]):.3f} of scenes"),
        Line("", "", f"IoU {by_kind}"),
        Line("", "", f"{seconds * 1e3:.0f} ms of CPU a scene, median"),
    ]


def _score(seen: Sequence[Seen]) -> Score:
    return score([one.truth.segments for one in seen], [one.segments for one in seen], list(KINDS))


def draw(seen: Sequence[Seen], path: Path) -> str:
    """The scenes in a row above what was seen in them, the worst first."""
    figure, axes = subplots(2, len(seen), (1.4 * len(seen), 3.2))
    for n, one in enumerate(seen):
        for axis, image in ((axes[n], one.truth.image), (axes[len(seen) + n], one.scene.image)):
            axis.imshow(image)
            axis.set_axis_off()
        axes[n].set_title(" ".join(sorted(own.symbol for own in one.truth.segments)))
        axes[len(seen) + n].set_title(" ".join(sorted(own.symbol for own in one.segments)), fontsize=7)
    return picture(figure, path, "Scenes above, below them as they were seen; the worst of each row first")


if __name__ == "__main__":
    run(main)
