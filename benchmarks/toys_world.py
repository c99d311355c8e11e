"""Toys for `toys.py`: compact objects of a few flat shapes, drawn by Pillow, supersampled, and their truth.

A toy is drawn upright around the origin, y down, in units of about its own size; a `Pose` carries it into a
picture. Nothing here uses our own drawing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from PIL import Image, ImageDraw

Floats = NDArray[np.float64]
Colour = tuple[float, float, float]
FINE = 6  # samples per pixel side


@dataclass(frozen=True)
class Piece:
    """One flat shape: its outline (N, 2) in the frame of its toy."""

    points: Floats
    colour: Colour

    def moved(self, matrix: Floats, shift: Floats | tuple[float, float] = (0.0, 0.0)) -> Piece:
        return replace(self, points=self.points @ matrix.T + np.asarray(shift))


@dataclass(frozen=True)
class Toy:
    """The truth about one object."""

    name: str
    pieces: tuple[Piece, ...]  # back to front

    @property
    def corners(self) -> tuple[Floats, Floats]:
        points = np.concatenate([piece.points for piece in self.pieces])
        return points.min(0), points.max(0)

    @property
    def centre(self) -> Floats:
        low, high = self.corners
        middle: Floats = (low + high) / 2
        return middle

    @property
    def reach(self) -> float:
        """Half the diagonal of its box."""
        low, high = self.corners
        return float(np.hypot(*(high - low))) / 2

    def placed(
        self, position: tuple[float, float], scale: float, turn: float = 0.0, mirrored: bool = False
    ) -> Toy:
        """In a picture: its centre at `position`, `scale` px a unit, turned clockwise by degrees."""
        flip = np.diag([-1.0 if mirrored else 1.0, 1.0])
        matrix = scale * turned(turn) @ flip
        shift = np.asarray(position) - matrix @ self.centre
        return replace(self, pieces=tuple(piece.moved(matrix, shift) for piece in self.pieces))

    def recoloured(self, rng: Generator, amount: float) -> Toy:
        """Every colour a little different; pieces of one colour stay so."""
        own = dict.fromkeys(piece.colour for piece in self.pieces)
        made = {c: _colour(np.clip(c + rng.uniform(-amount, amount, 3), 0, 1)) for c in own}
        return replace(self, pieces=tuple(replace(p, colour=made[p.colour]) for p in self.pieces))


def turned(degrees: float) -> Floats:
    """Turns x towards y."""
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return np.array([[cos, -sin], [sin, cos]])


def _colour(values: Sequence[float] | Floats) -> Colour:
    red, green, blue = (float(v) for v in values)
    return red, green, blue


def disc(x: float, y: float, w: float, colour: Colour, h: float | None = None, turn: float = 0.0) -> Piece:
    """An ellipse."""
    angle = np.linspace(0, 2 * math.pi, 96, endpoint=False)
    points = np.stack([w / 2 * np.cos(angle), (w if h is None else h) / 2 * np.sin(angle)], 1)
    return Piece(points @ turned(turn).T + (x, y), colour)


def box(x: float, y: float, w: float, h: float, colour: Colour, turn: float = 0.0) -> Piece:
    """A rectangle."""
    points = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * (w / 2, h / 2)
    return Piece(points @ turned(turn).T + (x, y), colour)


def poly(colour: Colour, *points: tuple[float, float]) -> Piece:
    """Any polygon."""
    return Piece(np.array(points, float), colour)


RED, BLUE, GREEN, GOLD = (0.82, 0.2, 0.18), (0.16, 0.32, 0.8), (0.15, 0.6, 0.3), (0.93, 0.73, 0.16)
GREY, DARK, BROWN, PINK = (0.55, 0.57, 0.6), (0.16, 0.17, 0.2), (0.5, 0.32, 0.18), (0.93, 0.55, 0.62)
SKY, CREAM, ORANGE, PLUM = (0.5, 0.75, 0.92), (0.95, 0.9, 0.75), (0.93, 0.5, 0.15), (0.5, 0.2, 0.5)


def robot(arm: float = 0.0) -> Toy:
    """Its left arm, on the right of the picture, raised by so many degrees about the shoulder."""
    shoulder = np.array([0.34, -0.22])
    raised = box(0.42, 0.02, 0.12, 0.5, GREY).moved(np.eye(2), -shoulder).moved(turned(-arm), shoulder)
    return Toy(
        "robot",
        (
            box(-0.15, 0.55, 0.14, 0.36, DARK),
            box(0.15, 0.55, 0.14, 0.36, DARK),
            box(0, 0.05, 0.6, 0.62, BLUE),
            box(-0.42, 0.02, 0.12, 0.5, GREY),
            raised,
            box(0, -0.5, 0.4, 0.36, GOLD),
            disc(-0.09, -0.52, 0.1, DARK),
            disc(0.09, -0.52, 0.1, DARK),
        ),
    )


def car(longer: float = 1.0) -> Toy:
    """Body and cabin so many times as long, the wheels round and apart as the body says."""
    return Toy(
        "car",
        (
            poly(
                SKY,
                (-0.3 * longer, -0.05),
                (-0.2 * longer, -0.3),
                (0.2 * longer, -0.3),
                (0.3 * longer, -0.05),
            ),
            box(0, 0.08, 1.1 * longer, 0.26, RED),
            disc(-0.33 * longer, 0.22, 0.24, DARK),
            disc(0.33 * longer, 0.22, 0.24, DARK),
        ),
    )


def flower(petals: int = 5) -> Toy:
    """Round petals about a middle; their size as that of all flowers."""
    around = [360.0 * k / petals for k in range(petals)]
    places = [0.36 * turned(a) @ np.array([0.0, -1.0]) for a in around]
    own = [disc(x, y, 0.17, PINK, 0.34, a) for (x, y), a in zip(places, around, strict=True)]
    return Toy("flower", (*own, disc(0, 0, 0.3, GOLD)))


def train(wagons: int = 2) -> Toy:
    """An engine and so many wagons alike."""
    pieces = [box(-0.5, 0, 0.5, 0.3, GREEN), box(-0.62, -0.24, 0.2, 0.2, DARK), disc(-0.5, 0.2, 0.2, GREY)]
    for k in range(wagons):
        pieces += [box(0.08 + 0.56 * k, 0.02, 0.46, 0.24, ORANGE), disc(0.08 + 0.56 * k, 0.2, 0.16, DARK)]
    return Toy("train", tuple(pieces))


def locomotive() -> Toy:
    return Toy(
        "locomotive",
        (
            box(-0.32, -0.2, 0.36, 0.5, RED),
            box(0.16, -0.06, 0.62, 0.28, GREEN),
            box(0.36, -0.31, 0.12, 0.24, DARK),
            disc(-0.32, 0.2, 0.3, DARK),
            disc(0.06, 0.24, 0.2, GREY),
            disc(0.34, 0.24, 0.2, GREY),
        ),
    )


def _others() -> list[Toy]:
    return [
        Toy("wagon", (box(0, 0, 1, 0.4, BROWN), disc(-0.3, 0.26, 0.26, DARK), disc(0.3, 0.26, 0.26, DARK))),
        Toy(
            "house",
            (
                poly(RED, (-0.5, -0.1), (0, -0.55), (0.5, -0.1)),
                box(0, 0.2, 0.8, 0.6, CREAM),
                box(-0.18, 0.3, 0.18, 0.4, BROWN),
                box(0.2, 0.12, 0.2, 0.2, SKY),
            ),
        ),
        Toy(
            "boat",
            (
                box(0, -0.15, 0.06, 0.7, BROWN),
                poly(CREAM, (0.05, -0.48), (0.42, 0.12), (0.05, 0.12)),
                poly(BLUE, (-0.5, 0.2), (0.5, 0.2), (0.3, 0.45), (-0.3, 0.45)),
            ),
        ),
        Toy(
            "face",
            (
                disc(0, 0, 0.9, GOLD),
                disc(-0.18, -0.14, 0.14, DARK),
                disc(0.18, -0.14, 0.14, DARK),
                box(0, 0.2, 0.4, 0.08, RED),
            ),
        ),
        Toy(
            "tree",
            (
                box(0, 0.48, 0.16, 0.3, BROWN),
                poly(GREEN, (-0.4, 0.36), (0, -0.1), (0.4, 0.36)),
                poly((0.2, 0.7, 0.35), (-0.3, 0.0), (0, -0.4), (0.3, 0.0)),
            ),
        ),
        Toy(
            "snowman",
            (
                disc(0, 0.36, 0.6, SKY),
                disc(0, -0.1, 0.42, CREAM),
                box(0, -0.36, 0.4, 0.06, DARK),
                box(0, -0.5, 0.24, 0.24, PLUM),
            ),
        ),
        Toy(
            "fish",
            (
                poly(ORANGE, (0.28, 0), (0.58, -0.24), (0.58, 0.24)),
                disc(0, 0, 0.76, BLUE, 0.42),
                disc(-0.22, -0.06, 0.1, CREAM),
            ),
        ),
        Toy(
            "rocket",
            (
                poly(RED, (-0.16, 0.2), (-0.36, 0.5), (-0.16, 0.5)),
                poly(RED, (0.16, 0.2), (0.36, 0.5), (0.16, 0.5)),
                box(0, 0.1, 0.32, 0.8, GREY),
                poly(GOLD, (-0.16, -0.3), (0, -0.62), (0.16, -0.3)),
                disc(0, -0.06, 0.18, SKY),
            ),
        ),
        Toy(
            "lamp",
            (
                box(0, 0.14, 0.08, 0.6, GREY),
                box(0, 0.46, 0.5, 0.1, DARK),
                poly(GOLD, (-0.16, -0.52), (0.16, -0.52), (0.34, -0.16), (-0.34, -0.16)),
            ),
        ),
        Toy(
            "mushroom",
            (
                box(0, 0.22, 0.26, 0.46, CREAM),
                disc(0, -0.16, 0.9, RED, 0.46),
                disc(-0.2, -0.16, 0.14, SKY),
                disc(0.18, -0.22, 0.18, SKY),
            ),
        ),
    ]


def toys() -> list[Toy]:
    """Thirteen of them, each with its parts clear of one another or in other colours."""
    return [robot(), car(), locomotive(), flower(), *_others()][:13]


def unknown(rng: Generator, name: str = "unknown") -> Toy:
    """Three to six shapes of any kind stuck together."""
    pieces: list[Piece] = []
    count = int(rng.integers(3, 7))
    while len(pieces) < count:
        w, h = rng.uniform(0.16, 0.6, 2)
        anchor = pieces[rng.integers(len(pieces))].points if pieces else np.zeros((1, 2))
        x, y = anchor[rng.integers(len(anchor))] + rng.uniform(-0.1, 0.1, 2)
        turn = float(rng.choice([0.0, 0.0, 90.0, rng.uniform(0, 360)]))
        colour = _colour(rng.uniform(0.05, 0.95, 3))
        kind = rng.integers(4)
        if kind == 0:
            made = disc(x, y, w, colour)
        elif kind == 1:
            made = box(x, y, w, h, colour, turn)
        elif kind == 2:
            made = poly(colour, (-w / 2, h / 2), (0, -h / 2), (w / 2, h / 2)).moved(turned(turn), (x, y))
        else:
            made = disc(x, y, w, colour, h, turn)
        trial = [*pieces, made]
        if _seen(trial):
            pieces = trial
    return Toy(name, tuple(pieces))


def loose(rng: Generator, scale: float) -> Toy:
    """One shape by itself."""
    w, h = rng.uniform(0.12, 0.45, 2)
    colour = _colour(rng.uniform(0.05, 0.95, 3))
    made = [
        disc(0, 0, w, colour),
        box(0, 0, w, h, colour),
        poly(colour, (-w / 2, h / 2), (0, -h / 2), (w / 2, h / 2)),
    ]
    return Toy("", (made[rng.integers(3)],)).placed((0.0, 0.0), scale, rng.uniform(0, 360))


def _seen(pieces: Sequence[Piece]) -> bool:
    """Whether every piece shows more than half of itself and is unlike what it lies on."""
    side = 64
    owner = np.full((side, side), -1)
    own = []
    for k, piece in enumerate(pieces):
        mask = _mask(piece.points * side / 2.4 + side / 2, side, side)
        owner[mask] = k
        own.append(mask)
    for k, mask in enumerate(own):
        if (owner[mask] == k).sum() < 0.55 * mask.sum() or mask.sum() < 8:
            return False
        if any(
            np.abs(np.subtract(pieces[k].colour, pieces[j].colour)).max() < 0.2 and (own[j] & mask).any()
            for j in range(k)
        ):
            return False
    return True


def _mask(points: Floats, width: int, height: int, fine: int = 1) -> NDArray[np.bool_]:
    canvas = Image.new("1", (width * fine, height * fine))
    flat = [(float(x) * fine - 0.5, float(y) * fine - 0.5) for x, y in points]
    ImageDraw.Draw(canvas).polygon(flat, fill=1)
    return np.asarray(canvas, bool)


def picture(
    things: Sequence[Toy], side: int, ground: Colour, rng: Generator | None = None, noise: float = 0.0
) -> NDArray[np.uint8]:
    """uint8 HxWx3: the toys back to front, each pixel the mean of its samples, and noise."""
    canvas = Image.new("RGB", (side * FINE, side * FINE), tuple(round(255 * c) for c in ground))
    pen = ImageDraw.Draw(canvas)
    for thing in things:
        for piece in thing.pieces:
            flat = [(float(x) * FINE - 0.5, float(y) * FINE - 0.5) for x, y in piece.points]
            pen.polygon(flat, fill=tuple(round(255 * c) for c in piece.colour))
    pixels = np.asarray(canvas.reduce(FINE), np.float64)
    if rng is not None and noise:
        pixels = pixels + 255 * noise * rng.standard_normal(pixels.shape)
    return pixels.round().clip(0, 255).astype(np.uint8)


GROUNDS: tuple[Colour, ...] = ((0.98, 0.98, 0.97), (0.86, 0.9, 0.86), (0.3, 0.34, 0.4), (0.97, 0.94, 0.88))


def lesson(toy: Toy, side: int = 120) -> NDArray[np.uint8]:
    """The toy by itself, upright, filling most of a picture."""
    return picture([toy.placed((side / 2, side / 2), 0.4 * side / toy.reach)], side, GROUNDS[0])


def scattered(
    makes: Sequence[Callable[[], Toy]], rng: Generator, side: int, others: int, gap: float = 3.0
) -> tuple[list[Toy], list[Toy]]:
    """Toys at free places, turned and sized at random, and so many loose shapes."""
    placed: list[Toy] = []
    for make in makes:
        toy = make()
        for _ in range(400):
            scale = rng.uniform(26, 44) / toy.reach
            there = toy.placed((0.0, 0.0), scale, rng.uniform(-180, 180))
            at = rng.uniform(there.reach, side - there.reach, 2)
            there = toy.placed((float(at[0]), float(at[1])), scale, rng.uniform(-180, 180))
            if all(np.hypot(*(at - own.centre)) > there.reach + own.reach + gap for own in placed):
                placed.append(there)
                break
    extra: list[Toy] = []
    for _ in range(others):
        for _ in range(200):
            own = loose(rng, 60.0)
            at = rng.uniform(own.reach, side - own.reach, 2)
            there = own.placed((float(at[0]), float(at[1])), 1.0)
            if all(np.hypot(*(at - o.centre)) > there.reach + o.reach + gap for o in [*placed, *extra]):
                extra.append(there)
                break
    return placed, extra
