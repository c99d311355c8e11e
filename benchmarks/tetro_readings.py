"""All ways in which a picture of tetrominoes can be read, and what a reader who knows them all can expect.

Pieces of one colour that touch show as one patch, which pieces may fill in several ways: which of them it was
cannot be seen. A reader who knows how the pictures are made tells the likeliest; how often that is right is
the most that any method can reach, but for luck.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from math import prod

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage
from segments import Labels, Segment, foreground_ari, instances, kinds
from tetro_world import COLOURS, KINDS, SIDE, TILE, Piece, TetroScene, form

Mask = NDArray[np.bool_]
Reading = tuple[Piece, ...]


@dataclass(frozen=True)
class Expected:
    """What a reader who tells the likeliest can expect over scenes, and how many of these are ambiguous."""

    ari: float
    mean_iou: float
    ambiguous: int


def readings(scene: TetroScene) -> list[tuple[Reading, float]]:
    """Every way to read a picture, with its probability."""
    patches = []
    for name, colour in COLOURS.items():
        labels, count = ndimage.label((scene.image == np.array(colour)).all(2))
        patches += [list(_fillings(labels == n, name)) for n in range(1, count + 1)]
    made = [tuple(piece for own in choice for piece in own) for choice in product(*patches)]
    weights = [prod(_chance(piece) for piece in each) for each in made]
    return [(each, weight / sum(weights)) for each, weight in zip(made, weights, strict=True)]


def expected(scenes: Sequence[TetroScene]) -> Expected:
    """What can be expected of the likeliest reading of every scene, whichever of its readings is true."""
    ari, ambiguous = 0.0, 0
    both, either = np.zeros(len(KINDS)), np.zeros(len(KINDS))
    for scene in scenes:
        every = readings(scene)
        ambiguous += len(every) > 1
        pieces, seen = _maps(max(every, key=lambda one: one[1])[0])
        for reading, p in every:
            true_pieces, true = _maps(reading)
            ari += p * foreground_ari(true_pieces, pieces) / len(scenes)
            for n in range(len(KINDS)):
                one, other = true == n + 1, seen == n + 1
                both[n] += p * np.count_nonzero(one & other)
                either[n] += p * np.count_nonzero(one | other)
    iou = both[either > 0] / either[either > 0]
    return Expected(ari, float(iou.mean()), ambiguous)


def _fillings(rest: Mask, colour: str) -> Iterator[Reading]:
    """All ways to fill these pixels: the first of them is the first one of some piece."""
    if not rest.any():
        yield ()
        return
    y, first = np.argwhere(rest)[0].tolist()
    for kind, turns in _forms():
        tiles = form(kind, turns)
        x = first - TILE * int(np.argmax(tiles[0]))
        if x < 0 or x + TILE * tiles.shape[1] > SIDE or y + TILE * tiles.shape[0] > SIDE:
            continue
        piece = Piece(kind, turns, x, y, colour)
        if not (piece.mask & ~rest).any():
            for others in _fillings(rest & ~piece.mask, colour):
                yield (piece, *others)


@cache
def _forms() -> tuple[tuple[str, int], ...]:
    """Every kind in every turn that differs."""
    found: dict[tuple[str, tuple[int, ...], bytes], tuple[str, int]] = {}
    for kind, turns in product(KINDS, range(4)):
        tiles = form(kind, turns)
        found.setdefault((kind, tiles.shape, tiles.tobytes()), (kind, turns))
    return tuple(found.values())


def _chance(piece: Piece) -> float:
    """How likely a random piece is this one, up to a factor: a kind that looks the same in several turns is
    seen like this the more often. (In how many places it has room hardly differs between kinds.)"""
    return 4 / sum(kind == piece.kind for kind, _ in _forms())


def _maps(reading: Reading) -> tuple[Labels, Labels]:
    """The pieces and the kinds that the pixels belong to."""
    segments, shape = [Segment(piece.kind, piece.mask) for piece in reading], (SIDE, SIDE)
    return instances(segments, shape), kinds(segments, shape, list(KINDS))
