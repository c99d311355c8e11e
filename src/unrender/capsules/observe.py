"""From sightings to observations: canonical poses, named attributes, depth ranks, the background."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import torch
from numpy.typing import NDArray

from unrender.capsules.geometry import ANGLE, CX, CY, LOG_H, LOG_W, OWN, TAU
from unrender.capsules.ground import estimate_ground
from unrender.capsules.primitive import PrimitiveCapsule
from unrender.capsules.sight import see_primitives
from unrender.capsules.story import Story
from unrender.capsules.symmetry import Pose, canonical
from unrender.scene import Observation, Scene


def observe(picture: NDArray[np.float32], capsules: Sequence[PrimitiveCapsule]) -> Scene:
    """The scene of all primitives in a picture (H, W, 3) in 0..1."""
    tensor = torch.tensor(picture).permute(2, 0, 1).contiguous()
    story = see_primitives(tensor, capsules)
    height, width = picture.shape[:2]
    ground = estimate_ground(picture, story.drawn, story.canvas.noise)
    background = np.round(ground * 255).astype(np.uint8)
    return Scene(width, height, observations(story), background)


def observations(story: Story) -> list[Observation]:
    """One observation per sighting, back to front."""
    seen = story.seen
    out = []
    for depth, i in enumerate(story.order):
        primitive = seen.shapes.kinds[int(seen.shapes.kind[i])]
        pose = seen.shapes.pose[i].tolist()
        width, height = math.exp(pose[LOG_W]), math.exp(pose[LOG_H])
        # sides that differ by less than the pixels can tell are the same
        round_off = 0.002 + (0.2 + 4 * story.canvas.noise) / min(width, height)
        best = canonical(primitive, Pose(width, height, math.degrees(pose[ANGLE])), round_off)
        filled = bool(seen.shapes.filled[i])
        thickness = 0.0 if filled else 2 * pose[TAU] / min(best.width, best.height)
        red, green, blue = seen.paint[i].tolist()
        attributes = {
            "red": red,
            "green": green,
            "blue": blue,
            "filled": float(filled),
            "thickness": min(max(thickness, 0.0), 1.0),
        }
        for j, attribute in enumerate(primitive.shape):
            attributes[attribute.name] = min(max(pose[OWN + j], attribute.low), attribute.high)
        out.append(
            Observation(
                symbol=primitive.name,
                position=(pose[CX], pose[CY]),
                size=(best.width, best.height),
                rotation=best.rotation,
                attributes=attributes,
                p=float(seen.p[i]),
                depth=depth,
            )
        )
    return out
