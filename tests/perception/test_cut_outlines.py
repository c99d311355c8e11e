"""What others cut in pieces is told as the one shape that it is."""

import math
import sys
from pathlib import Path

import cairocffi
import numpy as np
import pytest

from unrender.perception.image.model import ImageModel
from unrender.perception.interpretation import Interpretation
from unrender.perception.pipeline import see_primitives
from unrender.perception.proposals.areas import directions
from unrender.primitives.registry import find, primitives
from unrender.render.shape import ANGLE, TAU, A, B, Shape, X, Y

sys.path.insert(0, str(Path(__file__).parent))
from cairo_pictures import drawn
from drawing import picture

WHITE, INK, GREEN, LIME = (1.0, 1.0, 1.0), (0.19, 0.15, 0.16), (0.24, 0.77, 0.08), (0.7, 0.92, 0.1)
GREY, BROWN = (0.48, 0.62, 0.69), (0.49, 0.29, 0.17)


def seen(image: np.ndarray) -> dict[str, list[Shape]]:
    found: dict[str, list[Shape]] = {}
    for placed in see_primitives(image, list(primitives().values())).shapes:
        found.setdefault(placed.shape.primitive.name, []).append(placed.shape)
    return found


@pytest.mark.parametrize("turn", [-7.0, 24.0])
def test_a_frame_behind_a_ring_and_a_triangle_is_one_square(turn: float) -> None:
    image = picture(
        (160, 160),
        WHITE,
        [
            ("square", 76, 80, 92, 92, turn, None, INK, 11.0),
            ("circle", 77, 86, 118, 72, turn - 70, None, GREEN, 10.0),
            ("triangle", 84, 82, 90, 76, 52, LIME, None, 0),
        ],
        0.01,
    )
    found = seen(image)
    assert {kind: len(some) for kind, some in found.items()} == {"square": 1, "circle": 1, "triangle": 1}
    (square,) = found["square"]
    assert square.fill is None
    assert 2 * square.pose[TAU] == pytest.approx(11, abs=0.2)
    assert 2 * square.pose[[X, Y, A, B]] == pytest.approx([152, 160, 92, 92], abs=0.4)


def test_what_ends_behind_another_is_completed_though_the_other_must_move_for_it() -> None:
    image = picture(
        (128, 128),
        (0.44, 0.38, 0.85),
        [
            ("circle", 86.4, 56.8, 23, 28.7, 28.7, BROWN, None, 0),
            ("triangle", 70.5, 54.8, 51.7, 49.6, -68.6, GREY, None, 0),
            ("circle", 38.9, 67.8, 53.8, 39.8, -40.2, (0.99, 0.44, 0.09), None, 0),
        ],
        0.01,
    )
    found = seen(image)
    assert {kind: len(some) for kind, some in found.items()} == {"circle": 2, "triangle": 1}
    assert any(
        shape.pose[[X, Y]] == pytest.approx([86.4, 56.8], abs=0.3)
        and sorted(2 * shape.pose[[A, B]]) == pytest.approx([23, 28.7], abs=0.6)
        for shape in found["circle"]
    )


def test_the_sides_of_an_outline_are_told_the_longest_first() -> None:
    far = np.linspace(0, 60, 61)
    turn = math.radians(20)
    u, v = np.concatenate([far, np.zeros(31)]), np.concatenate([np.zeros(61), far[:31]])
    x, y = u * math.cos(turn) - v * math.sin(turn), u * math.sin(turn) + v * math.cos(turn)
    assert np.degrees(directions(x, y, 8.0))[:2] == pytest.approx([20, 110], abs=1.0)


@pytest.mark.parametrize("flatness", [0.4, 0.05])
def test_the_rotation_of_an_ellipse_that_is_nearly_a_circle_is_found(flatness: float) -> None:
    image = picture((64, 64), GREY, [("circle", 32, 32, 25 - flatness, 25 + flatness, 39, INK, None, 0)])
    state = Interpretation(ImageModel.of(image))
    start = np.array([32.1, 31.9, 12.35, 12.65, math.radians(-15), 0.0])
    pose = state.refined(Shape(find("circle"), start, np.array(INK), None)).pose
    assert sorted(2 * pose[[A, B]]) == pytest.approx([25 - flatness, 25 + flatness], abs=0.05)
    longer = math.degrees(pose[ANGLE]) + (0 if pose[A] > pose[B] else 90)
    if flatness > 0.1:
        assert (longer - 129 + 90) % 180 - 90 == pytest.approx(0, abs=5)


def test_the_apex_of_a_triangle_that_is_nearly_equilateral_is_found() -> None:
    image = picture((64, 64), GREY, [("triangle", 32, 32, 34, 32, 79, INK, None, 0)], 0.01)
    state = Interpretation(ImageModel.of(image))
    start = np.array([32.1, 32.1, 16.3, 17.0, math.radians(79 - 120), 0.0])
    pose = state.refined(Shape(find("triangle"), start, np.array(INK), None)).pose
    assert 2 * pose[[A, B]] == pytest.approx([34, 32], abs=0.15)


def test_a_short_thick_stroke_that_bends_is_an_arc() -> None:
    def smile(context: cairocffi.Context) -> None:
        context.set_source_rgb(*INK)
        context.set_line_width(11)
        context.set_line_cap(cairocffi.LINE_CAP_ROUND)
        context.arc(64, 60, 20, math.radians(45), math.radians(135))
        context.stroke()

    found = seen(drawn((128, 128), smile, ground=WHITE))
    assert list(found) == ["arc"]
    assert 2 * found["arc"][0].pose[TAU] == pytest.approx(11, abs=0.3)
