"""A world of animated characters: a robot that waves, walks, nods, flaps or rests, with the truth.

frames = Characters().film(np.random.default_rng(0), ["wave"], frames=40)
frames[0].image          # uint8 HxWx3
frames[0].scene.axioms   # the robot with its parts; .verbs, and .attributes["wave"] is the phase
"""

from __future__ import annotations

import colorsys
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from unrender.errors import UnrenderError
from unrender.scene import Observation, Scene
from unrender.worlds.asteroids import Picture

HEIGHT = 62.0  # px of a robot of size 1
WAVES = 2 * math.pi


@dataclass(frozen=True)
class Limb:
    """One part of a robot, hanging from its joint: in px, the middle of the body at the origin."""

    kind: str
    joint: tuple[float, float]
    size: tuple[float, float]
    hangs: float  # px from the joint down to its middle


ROBOT = {
    "left leg": Limb("square", (-6.0, 15.0), (6.0, 18.0), 9.5),
    "right leg": Limb("square", (6.0, 15.0), (6.0, 18.0), 9.5),
    "body": Limb("square", (0.0, 0.0), (24.0, 30.0), 0.0),
    "head": Limb("circle", (0.0, -16.0), (15.0, 15.0), -8.0),
    "left arm": Limb("square", (-15.5, -12.0), (5.0, 20.0), 9.0),
    "right arm": Limb("square", (15.5, -12.0), (5.0, 20.0), 9.0),
}
"""Back to front."""

Pose = dict[str, tuple[float, float, float]]  # of limbs: degrees about the joint, and px across and down


def pose(verb: str, phase: float) -> Pose:
    """Where the limbs are at a phase of a verb."""
    s, c = math.sin(WAVES * phase), math.cos(WAVES * phase)
    if verb == "wave":
        return {"right arm": (-95.0 - 28.0 * s, 0.0, 0.0)}
    if verb == "swing":
        return {"right arm": (-22.0 * s, 0.0, 0.0)}
    if verb == "walk":
        return {
            "left leg": (24 * s, 0, 0),
            "right leg": (-24 * s, 0, 0),
            "left arm": (-16 * s, 0, 0),
            "right arm": (16 * s, 0, 0),
        }
    if verb == "nod":
        return {"head": (0.0, 1.5 * s, 2.6 - 2.6 * c)}
    if verb == "flap":
        return {"left arm": (35 - 35 * c, 0, 0), "right arm": (-35 + 35 * c, 0, 0)}
    if verb == "raise":  # one way
        share = phase * phase * (3 - 2 * phase)
        return {"left arm": (110 * share, 0, 0)}
    if verb == "rest":
        return {}
    raise UnrenderError(f"A robot cannot {verb}: it can wave, swing, walk, nod, flap, raise or rest.")


@dataclass(frozen=True)
class Characters:
    """A distribution of films of one robot. Ranges are (low, high)."""

    width: int = 160
    height: int = 160
    size: tuple[float, float] = (1.1, 1.7)  # times 62 px
    rotation: tuple[float, float] = (-25.0, 25.0)
    period: tuple[float, float] = (12.0, 30.0)  # frames of a cycle, or of a run
    drift: tuple[float, float] = (-0.3, 0.3)  # px per frame

    def film(
        self, rng: np.random.Generator, verbs: Sequence[str], frames: int = 45, start: float | None = None
    ) -> list[Picture]:
        """Frames in which a robot does all of these at once, each at its own pace; at phase `start` at first,
        or at any."""
        middle = np.array([self.width, self.height]) / 2
        place = middle + rng.uniform(-0.08, 0.08, 2) * (self.width, self.height)
        drift, size, turn = rng.uniform(*self.drift, 2), rng.uniform(*self.size), rng.uniform(*self.rotation)
        looks = _colours(rng)
        rates = [1 / rng.uniform(*self.period) for _ in verbs]
        starts = [float(rng.uniform()) if start is None else start for _ in verbs]
        made = []
        for t in range(frames):
            phases = {}
            limbs: Pose = {}
            for verb, rate, first in zip(verbs, rates, starts, strict=True):
                phase = first + rate * t
                if verb == "raise":
                    phase = (0.0 if start is None else start) + rate * (t - frames / 4)
                    if 0 <= phase < 1:
                        phases[verb] = phase
                    phase = min(max(phase, 0.0), 1.0)
                elif verb != "rest":
                    phases[verb] = phase % 1.0
                limbs |= pose(verb, phase if verb == "raise" else phase % 1.0)
            where = place + drift * t
            robot = _robot(limbs, (float(where[0]), float(where[1])), size, turn, looks)
            robot = replace(robot, verbs=tuple(phases), attributes=robot.attributes | phases)
            ground = (int(looks["ground"][0]), int(looks["ground"][1]), int(looks["ground"][2]))
            made.append(Picture(Scene(self.width, self.height, [robot], ground)))
        return made


def _robot(
    limbs: Pose,
    place: tuple[float, float],
    size: float,
    turn: float,
    looks: dict[str, tuple[float, float, float]],
) -> Observation:
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    parts = []
    for depth, (name, limb) in enumerate(ROBOT.items()):
        angle, across, down = limbs.get(name, (0.0, 0.0, 0.0))
        swung = math.radians(angle)
        x = limb.joint[0] + across - limb.hangs * math.sin(swung)
        y = limb.joint[1] + down + limb.hangs * math.cos(swung)
        at = (place[0] + size * (cos * x - sin * y), place[1] + size * (sin * x + cos * y))
        red, green, blue = looks[name.split()[-1]]
        look = {"red": red, "green": green, "blue": blue, "filled": 1.0, "thickness": 0.0}
        own = (size * limb.size[0], size * limb.size[1])
        parts.append(Observation(limb.kind, at, own, math.remainder(turn + angle, 360.0), look, depth=depth))
    box = (size * 36.0, size * HEIGHT)
    return Observation("robot", place, box, turn, dict(parts[2].attributes), parts=parts)


def _colours(rng: np.random.Generator) -> dict[str, tuple[float, float, float]]:
    """Colours of limbs that can be told from one another, and of the ground (0 to 255)."""
    hue = rng.uniform()
    names = ("body", "head", "arm", "leg")
    found = {
        name: colorsys.hsv_to_rgb((hue + k / len(names)) % 1, rng.uniform(0.5, 0.85), rng.uniform(0.75, 0.95))
        for k, name in enumerate(names)
    }
    ground = rng.integers(8, 45, 3)
    return found | {"ground": (float(ground[0]), float(ground[1]), float(ground[2]))}
