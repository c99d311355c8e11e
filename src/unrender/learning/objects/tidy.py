"""Tidying up an example before it is learned: a patch of one colour that was told in pieces becomes one
shape, and what is no more than the soft edge of something is left out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from unrender.capsules.routing.occlusion import places, within
from unrender.capsules.routing.patches import NEAR, Patches, trimmed
from unrender.scene import Observation, Scene

THIN = 1.6  # px: what is no wider may be the soft edge of something
INSIDE = 0.85  # of a thin shape that lies beside another one


def tidied(scene: Scene, parts: Sequence[Observation]) -> list[Observation]:
    """The parts of an example, back to front. Without its picture they stay as they are."""
    if scene.picture is None or any(part.parts for part in parts):
        return list(parts)
    clear = [part for part in parts if not _is_sliver(part, parts)]
    patches = Patches(scene.picture / 255.0, scene.background / 255.0)
    kept: list[Observation] = []
    for patch in patches.find(clear):
        pieces = len(patch.pieces) + len(patch.cuts)
        whole = patches.look(patch) if pieces > 1 else []
        kept += whole if 0 < len(whole) < pieces else patch.pieces
    kept = [trimmed(part, kept) or part for part in kept]
    return sorted(kept, key=lambda part: part.depth or 0) if kept else list(parts)


def _is_sliver(part: Observation, parts: Sequence[Observation]) -> bool:
    """Whether a shape is no more than the soft edge of another one, along which it lies."""
    if min(part.size) > THIN:
        return False
    points = places(part)
    beside = np.zeros(len(points), bool)
    for other in parts:
        if other is not part and min(other.size) > THIN:
            beside |= within(
                replace(other, size=(other.size[0] + 2 * NEAR, other.size[1] + 2 * NEAR)), points
            )
    return bool(beside.mean() > INSIDE)
