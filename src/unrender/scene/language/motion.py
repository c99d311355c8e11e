"""How observed objects move, for those that know their velocity and spin."""

from __future__ import annotations

import math

from unrender.scene.language.words import listed
from unrender.scene.observation import Observation
from unrender.scene.outline import Outline

STILL, UNTURNED = 0.1, 0.5  # px and degrees per frame: below, nothing moves or turns
SLOW, FAST = 0.02, 0.25  # of its own size per frame

_HEADINGS = (
    *("to the right", "down and to the right", "down", "down and to the left"),
    *("to the left", "up and to the left", "up", "up and to the right"),
)


def movement(node: Observation, verb_ending: str = "s") -> str:
    """ "moves slowly to the left and turns clockwise"; "" for what stands still or was seen once."""
    vx, vy = node.velocity or (0.0, 0.0)
    spin = node.spin or 0.0
    said = []
    if math.hypot(vx, vy) >= STILL:
        pace = _pace(math.hypot(vx, vy) / Outline.of(node).side)
        said.append(f"move{verb_ending}{pace} {heading(vx, vy)}")
    if abs(spin) >= UNTURNED:
        said.append(f"turn{verb_ending} {'clockwise' if spin > 0 else 'anticlockwise'}")
    return listed(said)


def heading(vx: float, vy: float) -> str:
    """ "down and to the right"."""
    return _HEADINGS[round(math.degrees(math.atan2(vy, vx)) / 45) % 8]


def _pace(share: float) -> str:
    """The adverb of a speed, by how much of its own size an object moves per frame."""
    return " slowly" if share < SLOW else " quickly" if share > FAST else ""
