"""Verbs: taught from one clip each, looked for in other clips of animated characters.

    python benchmarks/verbs.py [--seed 0] [--clips 4] [--frames 45] [--spoil noise]

The robot of `worlds/characters.py`, drawn by Pillow. It is taught from one picture, each verb from one clip.
Other clips have other sizes, places, turns, colours, speeds and starting phases; some show two verbs at once,
some show none of those that were taught. Named: the share of clips with a verb in which it is named. False:
the share of clips without it in which it is. The phase is compared frame by frame.
"""

from __future__ import annotations

import math

import numpy as np
from film_scenes import FINER, SPOILERS, Frame
from PIL import Image, ImageDraw
from report import Line, Table, parser, publish, run

import unrender
from unrender.scene import Scene
from unrender.worlds import Characters, Picture

ABOUT = """The robot of the world of characters, drawn by Pillow: taught from one picture, each verb from one
clip, looked for in clips with another size, place, turn, colour, speed and starting phase."""
VERBS = ("wave", "walk", "nod", "flap", "raise")
OTHERS = ("rest", "swing")
TOGETHER = (("walk", "wave"), ("nod", "flap"))
WORLD = Characters()


def drawn(scene: Scene) -> Frame:
    """A scene of squares and circles, drawn by Pillow."""
    image = Image.new(
        "RGB", (scene.width * FINER, scene.height * FINER), tuple(scene.background[0, 0].tolist())
    )
    pen = ImageDraw.Draw(image)
    for leaf in scene.primitives:
        (x, y), (w, h) = leaf.position, leaf.size
        colour = tuple(round(255 * leaf.attributes[name]) for name in ("red", "green", "blue"))
        if leaf.symbol == "circle":
            pen.ellipse([FINER * v for v in (x - w / 2, y - h / 2, x + w / 2, y + h / 2)], fill=colour)
            continue
        cos, sin = math.cos(math.radians(leaf.rotation)), math.sin(math.radians(leaf.rotation))
        corners = [(-w / 2, -h / 2), (w / 2, -h / 2), (w / 2, h / 2), (-w / 2, h / 2)]
        pen.polygon(
            [(FINER * (x + cos * u - sin * v), FINER * (y + sin * u + cos * v)) for u, v in corners],
            fill=colour,
        )
    return np.asarray(image.resize((scene.width, scene.height), Image.Resampling.BOX))


class Measured:
    """Sums over clips."""

    def __init__(self) -> None:
        self.named = self.shown = self.false = self.absent = 0
        self.phases: list[float] = []
        self.rates: list[float] = []

    def add(
        self, brain: unrender.Brain, shots: list[Picture], frames: list[Frame], verbs: tuple[str, ...]
    ) -> None:
        film = brain.watch(frames)
        robots = [track for track in film.tracks if track.symbol == "robot"]
        doings = [doing for track in robots for doing in film.doings.get(track.number, [])]
        for verb in VERBS:
            own = [doing for doing in doings if doing.verb == verb]
            if verb in verbs:
                self.shown += 1
                self.named += bool(own)
            else:
                self.absent += 1
                self.false += bool(own)
            if own and verb in verbs:
                self._compare(shots, verb, own[0].phases, own[0].rate)

    def _compare(self, shots: list[Picture], verb: str, phases: dict[int, float], rate: float) -> None:
        true = {t: shot.scene.axioms[0].attributes.get(verb) for t, shot in enumerate(shots)}
        for frame, phase in phases.items():
            known = true[frame]
            if known is not None:
                off = abs(phase - known)
                self.phases.append(off if verb == "raise" else min(off, 1 - off))
        steps = np.diff([value for value in true.values() if value is not None])
        self.rates.append(abs(rate / float(np.median(steps[steps > 0])) - 1))


def main() -> None:
    made = parser(__doc__, "verbs")
    made.add_argument("--clips", type=int, default=4)
    made.add_argument("--frames", type=int, default=45)
    made.add_argument("--spoil", default="clean", choices=list(SPOILERS))
    options = made.parse_args()
    verbs = VERBS
    if options.quick:
        options.clips, options.frames, verbs = 1, 24, VERBS[2:3]
    spoil = SPOILERS[options.spoil]
    measured = Measured()
    with unrender.open() as brain:
        brain.teach(
            brain.see(drawn(WORLD.film(np.random.default_rng([options.seed, 0]), ["rest"], 1)[0].scene)),
            "robot",
        )
        for k, verb in enumerate(verbs):
            shots = WORLD.film(np.random.default_rng([options.seed, 1, k]), [verb], options.frames, start=0.0)
            film = brain.watch([drawn(shot.scene) for shot in shots])
            robot = next(track for track in film.tracks if track.symbol == "robot")
            doing = [t for t, shot in enumerate(shots) if verb in shot.scene.axioms[0].verbs]
            brain.teach_verb(film, robot, verb, doing[0], doing[-1])
        clips = [(verb,) for verb in (*verbs, *OTHERS)] + list(() if options.quick else TOGETHER)
        for shown in clips:
            for k in range(options.clips):
                rng = np.random.default_rng([options.seed, 2, k, *map(ord, shown[0][:3])])
                shots = WORLD.film(rng, list(shown), options.frames)
                frames = [drawn(shot.scene) for shot in shots]
                measured.add(brain, shots, frames if spoil is None else spoil(frames, rng), shown)
            print(
                shown,
                measured.named,
                "of",
                measured.shown,
                "false",
                measured.false,
                "of",
                measured.absent,
                flush=True,
            )
    named, false = measured.named / measured.shown, measured.false / max(measured.absent, 1)
    phase = float(np.mean(measured.phases)) if measured.phases else math.nan
    rate = float(np.mean(measured.rates)) if measured.rates else math.nan
    lines = [
        Line(
            "named where it is done",
            "≥ 0.95 (gate 0.9)",
            f"{named:.3f}",
            named >= 0.9,
            {"clips": str(measured.shown)},
        ),
        Line(
            "named where it is not",
            "≤ 2 % (gate 5 %)",
            f"{false:.1%}",
            false <= 0.05,
            {"clips": str(measured.absent)},
        ),
        Line("phase off", "≤ 0.04", f"{phase:.4f}", phase <= 0.04),
        Line("cycles a second off", "≤ 3 %", f"{rate:.1%}", rate <= 0.03),
    ]
    publish(options.out, "Verbs", ABOUT, Table(lines, "measure", "measured"))


if __name__ == "__main__":
    run(main)
