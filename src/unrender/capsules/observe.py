"""From sightings to observations: canonical poses, named attributes, depth ranks, the background."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import torch
from numpy.typing import NDArray

from unrender.capsules.deadline import Deadline
from unrender.capsules.geometry import ANGLE, CX, CY, LOG_H, LOG_W, OWN, TAU
from unrender.capsules.ground import estimate_ground
from unrender.capsules.primitive import PrimitiveCapsule
from unrender.capsules.ready import make_ready
from unrender.capsules.sight import see_primitives
from unrender.capsules.silhouettes import Silhouette
from unrender.capsules.soft import see_soft, soft
from unrender.capsules.story import Story
from unrender.capsules.symmetry import Pose, canonical
from unrender.capsules.threads import one_thread
from unrender.grammar.attribute import COLOUR_NAMES, both_colours
from unrender.graphics.registry import Primitive
from unrender.scene import Observation, Scene


def observe(
    picture: NDArray[np.float32],
    capsules: Sequence[PrimitiveCapsule],
    silhouettes: Sequence[Primitive] = (),
    max_seconds: float | None = None,
) -> Scene:
    """The scene of all primitives in a picture (H, W, 3) in 0..1, or of those found within `max_seconds`."""
    make_ready()
    deadline = Deadline(max_seconds)
    height, width = picture.shape[:2]
    with one_thread():
        tensor = torch.tensor(picture).permute(2, 0, 1).contiguous()
        see = see_soft if soft(picture) else see_primitives
        story = see(tensor, capsules, silhouettes, deadline=deadline)
        ground = estimate_ground(picture, story.drawn, story.canvas.noise)
    background = np.round(ground * 255).astype(np.uint8)
    scene = Scene(width, height, observations(story), background)
    scene.complete = not deadline.missed
    return scene


def observations(story: Story) -> list[Observation]:
    """One observation per sighting, back to front; a silhouette is told by its parts."""
    told = [part for i in story.order for part in _told(story, i)]
    return [replace(part, depth=depth) for depth, part in enumerate(told)]


def _told(story: Story, i: int) -> list[Observation]:
    """What one sighting is."""
    seen = story.seen
    primitive = seen.shapes.kinds[int(seen.shapes.kind[i])]
    pose, p = seen.shapes.pose[i].tolist(), float(seen.p[i])
    position, turn = (pose[CX], pose[CY]), math.degrees(pose[ANGLE])
    width, height = math.exp(pose[LOG_W]), math.exp(pose[LOG_H])
    looks = both_colours(dict(zip(COLOUR_NAMES, seen.paint[i].tolist(), strict=True)))
    if isinstance(primitive, Silhouette):
        parts = primitive.parts(position, math.sqrt(width * height), turn)
        return [replace(part, attributes=part.attributes | looks, p=p) for part in parts]
    # sides that differ by less than the pixels can tell are the same
    round_off = 0.002 + (0.2 + 4 * story.canvas.noise) / min(width, height)
    best = canonical(primitive, Pose(width, height, turn), round_off)
    filled = bool(seen.shapes.filled[i])
    thickness = 0.0 if filled else 2 * pose[TAU] / min(best.width, best.height)
    attributes = looks | {"filled": float(filled), "thickness": min(max(thickness, 0.0), 1.0)}
    for j, attribute in enumerate(primitive.shape):
        attributes[attribute.name] = min(max(pose[OWN + j], attribute.low), attribute.high)
    return [Observation(primitive.name, position, (best.width, best.height), best.rotation, attributes, p=p)]
