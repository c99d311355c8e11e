"""Known objects whose parts have one colour: no edge shows between them, but their outline is known."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image, ImageDraw

import unrender

SIDE, FINE = 120, 6  # px of a picture, samples per pixel side
Colour = tuple[int, int, int]
BROWN, DARK, BLUE, RED = (128, 82, 46), (40, 43, 51), (41, 82, 204), (209, 51, 46)


def drawn(
    shapes: Sequence[tuple[NDArray[np.float64], Colour]], scale: float, turn: float
) -> NDArray[np.uint8]:
    """uint8 (SIDE, SIDE, 3): polygons (N, 2) around the origin, by Pillow, supersampled."""
    canvas = Image.new("RGB", (SIDE * FINE, SIDE * FINE), (250, 250, 247))
    cos, sin = math.cos(turn), math.sin(turn)
    for points, colour in shapes:
        placed = points @ np.array([[cos, sin], [-sin, cos]]) * scale + SIDE / 2
        ImageDraw.Draw(canvas).polygon([(x * FINE, y * FINE) for x, y in placed.tolist()], fill=colour)
    return np.asarray(canvas.reduce(FINE))


def box(x: float, y: float, wide: float, high: float) -> NDArray[np.float64]:
    return np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * (wide / 2, high / 2) + (x, y)


def disc(x: float, y: float, wide: float) -> NDArray[np.float64]:
    angle = np.linspace(0, 2 * math.pi, 96, endpoint=False)
    return np.stack([np.cos(angle), np.sin(angle)], 1) * wide / 2 + (x, y)


WAGON = [box(0, 0, 1, 0.4), disc(-0.3, 0.26, 0.26), disc(0.3, 0.26, 0.26)]
FACE = [disc(0, 0, 0.9), disc(-0.18, -0.14, 0.16), disc(0.18, -0.14, 0.16), box(0, 0.2, 0.4, 0.1)]


@pytest.fixture(scope="module")
def brain() -> unrender.Brain:
    known = unrender.open()
    wagon = zip(WAGON, (BROWN, DARK, DARK), strict=True)
    face = zip(FACE, (BLUE, DARK, DARK, RED), strict=True)
    for name, shapes in (("wagon", wagon), ("face", face)):
        known.teach(known.see(drawn(list(shapes), 90, 0.0)), name)
    return known


@pytest.mark.parametrize("colours", [(BROWN, BROWN, BROWN), (BROWN, BROWN, DARK), (RED, RED, BLUE)])
@pytest.mark.parametrize("turn", [0.4, 2.5])
def test_parts_of_one_colour_that_touch_are_found_by_their_outline(
    brain: unrender.Brain, colours: tuple[Colour, ...], turn: float
) -> None:
    scene = brain.see(drawn(list(zip(WAGON, colours, strict=True)), 80, turn))
    assert [axiom.symbol for axiom in scene.axioms] == ["wagon"]
    wheels = [part for part in scene.axioms[0].parts if part.symbol == "circle"]
    assert [round(wheel.size[0] / 20.8, 1) for wheel in wheels] == [1.0, 1.0]


def test_a_part_in_the_colour_of_what_it_lies_on_is_not_missed(brain: unrender.Brain) -> None:
    scene = brain.see(drawn(list(zip(FACE, (BLUE, BLUE, DARK, RED), strict=True)), 100, 0.3))
    assert [axiom.symbol for axiom in scene.axioms] == ["face"]
    assert len(scene.axioms[0].hidden) == 1


def test_an_outline_like_no_known_one_stays_an_outline(brain: unrender.Brain) -> None:
    other = [box(0, 0, 1, 0.4), disc(-0.3, 0.26, 0.26), box(0.3, 0.3, 0.2, 0.3)]
    scene = brain.see(drawn([(shape, BROWN) for shape in other], 80, 0.4))
    assert not any(axiom.parts for axiom in scene.axioms)


def test_strokes_too_thin_to_cover_anything_are_known_beside_others() -> None:
    """Their outline holds no area by which it could be looked for; that is no error."""
    brain = unrender.open()
    picture = Image.new("L", (400, 400), 255)
    for line in ([(30, 40), (370, 350)], [(40, 360), (350, 30)], [(200, 20), (210, 380)]):
        ImageDraw.Draw(picture).line(line, 0, 1)
    brain.teach(brain.see(picture), "star")
    scene = brain.see(drawn([(box(0, 0, 60, 30), RED), (box(10, 20, 20, 40), RED)], 1.0, 0.2))
    assert scene.axioms
