"""Pictures of tetrominoes with their truth, re-created from the published description, drawn by Pillow.

The description of the original (DeepMind, multi-object datasets, "Tetrominoes"): each 35x35 picture shows
three tetrominoes of 17 shapes and orientations in one of six colours (red, green, blue, yellow, magenta,
cyan). It does not say which 17, nor where they may stand. Here all seven kinds occur in all turns that
differ (19), each of four tiles of 5x5 px, on black; they never overlap but may touch, in the same colour
too. They stand at any whole pixel, or (`grid`) only at multiples of a tile, where they touch far more often.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw
from segments import Segment

SIDE, TILE, PIECES = 35, 5, 3  # px, px, in a picture
KINDS = {
    "I": ["####"],
    "O": ["##", "##"],
    "T": ["###", ".#."],
    "S": [".##", "##."],
    "Z": ["##.", ".##"],
    "J": ["#..", "###"],
    "L": ["..#", "###"],
}
COLOURS = {
    "red": (255, 0, 0),
    "green": (0, 255, 0),
    "blue": (0, 0, 255),
    "yellow": (255, 255, 0),
    "magenta": (255, 0, 255),
    "cyan": (0, 255, 255),
}


@dataclass(frozen=True)
class Piece:
    """One tetromino: its kind, its quarter turns clockwise, its top left corner and its colour."""

    kind: str
    turns: int
    x: int
    y: int
    colour: str

    @property
    def tiles(self) -> list[tuple[int, int]]:
        """The top left corner of each tile, px."""
        rows, columns = np.nonzero(form(self.kind, self.turns))
        return [(self.x + TILE * int(c), self.y + TILE * int(r)) for r, c in zip(rows, columns, strict=True)]

    @property
    def mask(self) -> NDArray[np.bool_]:
        """bool (SIDE, SIDE): its pixels."""
        return np.array(_drawn([self], "L", dict.fromkeys(COLOURS, 255))) > 0


@dataclass(frozen=True)
class TetroScene:
    """A picture, uint8 (SIDE, SIDE, 3), and the pieces in it."""

    image: NDArray[np.uint8]
    pieces: tuple[Piece, ...]

    @classmethod
    def of(cls, pieces: Sequence[Piece]) -> TetroScene:
        return cls(np.array(_drawn(pieces, "RGB", COLOURS)), tuple(pieces))

    @property
    def segments(self) -> list[Segment]:
        return [Segment(piece.kind, piece.mask) for piece in self.pieces]


def form(kind: str, turns: int) -> NDArray[np.bool_]:
    """The tiles of a kind as rows and columns, turned clockwise."""
    upright = np.array([[tile == "#" for tile in row] for row in KINDS[kind]])
    return np.rot90(upright, -turns)


def lesson(kind: str, colour: str = "red") -> TetroScene:
    """The one picture from which a kind is taught: upright, alone, about in the middle."""
    rows, columns = form(kind, 0).shape
    piece = Piece(kind, 0, (SIDE - TILE * columns) // 2, (SIDE - TILE * rows) // 2, colour)
    return TetroScene.of([piece])


def random_scene(random: np.random.Generator, grid: bool = False) -> TetroScene:
    """Three pieces that do not overlap: every kind, turn, place and colour as likely as any other."""
    pieces: list[Piece] = []
    taken = np.zeros((SIDE, SIDE), bool)
    tries = 0
    while len(pieces) < PIECES:
        tries += 1
        if tries % 100 == 0:  # the first ones left no room for the others
            pieces, taken = [], np.zeros((SIDE, SIDE), bool)
        piece = _random_piece(random, TILE if grid else 1)
        if not (piece.mask & taken).any():
            pieces.append(piece)
            taken |= piece.mask
    return TetroScene.of(pieces)


def _random_piece(random: np.random.Generator, step: int) -> Piece:
    kind = str(random.choice(list(KINDS)))
    turns = int(random.integers(4))
    rows, columns = form(kind, turns).shape
    x = step * int(random.integers((SIDE - TILE * columns) // step + 1))
    y = step * int(random.integers((SIDE - TILE * rows) // step + 1))
    return Piece(kind, turns, x, y, str(random.choice(list(COLOURS))))


def _drawn(
    pieces: Iterable[Piece], mode: str, paint: Mapping[str, int | tuple[int, int, int]]
) -> Image.Image:
    """Pillow draws every tile; both corners that it is given belong to the tile."""
    image = Image.new(mode, (SIDE, SIDE))
    brush = ImageDraw.Draw(image)
    for piece in pieces:
        for x, y in piece.tiles:
            brush.rectangle((x, y, x + TILE - 1, y + TILE - 1), fill=paint[piece.colour])
    return image
