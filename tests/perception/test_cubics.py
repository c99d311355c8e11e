"""Smooth curves are told by few cubic pieces; what is straight or circular stays so."""

import sys
from pathlib import Path

import cairocffi
import numpy as np
import pytest

import unrender
from unrender.perception.outlines.cubics import fit_cubic, with_cubics
from unrender.primitives.polycurve import ARC, CUBIC, ENDS

sys.path.insert(0, str(Path(__file__).parent))
from cairo_pictures import Drawing, drawn

INK, PAPER = (0.1, 0.15, 0.3), (1.0, 1.0, 1.0)
S = [(15, 100), (60, -20), (70, 150), (115, 25)]
HEART = [[(64, 110), (10, 70), (20, 20), (64, 45)], [(64, 45), (108, 20), (118, 70), (64, 110)]]


def bezier(*curves: list[tuple[float, float]], width: float | None = None) -> Drawing:
    def draw(context: cairocffi.Context) -> None:
        context.set_source_rgb(*INK)
        context.move_to(*curves[0][0])
        for _, *rest in curves:
            context.curve_to(*(number for place in rest for number in place))
        if width is None:
            context.fill()
        else:
            context.set_line_width(width)
            context.set_line_cap(cairocffi.LINE_CAP_ROUND)
            context.stroke()

    return draw


def seen(*drawings: Drawing) -> list[unrender.Observation]:
    image = np.round(drawn((128, 128), *drawings, ground=PAPER) * 255).astype(np.uint8)
    return list(unrender.open(":memory:").see(image).primitives)


def test_the_cubic_through_points_of_a_cubic_is_that_cubic() -> None:
    t = np.linspace(0, 1, 40)[:, None] ** 1.5  # unevenly
    control = np.array(S, float)
    basis = np.hstack([(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3])
    found, misfit = fit_cubic(basis @ control, 0.1, 200)
    assert found == pytest.approx(control[1:3].ravel(), abs=2.0)
    assert misfit < 40, "each point is off by less than its error"


def test_a_stroke_of_one_cubic_is_a_curve() -> None:
    (curve,) = seen(bezier(S, width=4))
    assert curve.symbol == "curve"
    numbers = np.array([float(word) for word in curve.path.split() if word not in "MC"]).reshape(4, 2)
    assert np.abs(numbers[[0, 3]] - np.array(S)[[0, 3]]).max() < 0.15
    assert np.abs(numbers - S).max() < 2


def test_a_heart_is_two_cubics() -> None:
    (heart,) = seen(bezier(*HEART))
    assert heart.symbol == "path"
    assert [word for word in heart.path.split() if word.isalpha()] == ["M", "C", "C", "Z"]


def test_lines_and_arcs_with_corners_between_them_stay_as_they_are() -> None:
    corner = np.array([0.0, 0, 0, ARC, 40, 0, 0.4, 0, 40, 40, ENDS, 0, 40])
    assert with_cubics(corner) == []


def test_a_run_of_arcs_that_a_cubic_tells_is_one_cubic() -> None:
    t = np.linspace(0, 1, 7)[:, None]
    basis = np.hstack([(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3])
    places = basis @ np.array([(0, 0), (0, 60), (60, 80), (120, 40)], float)
    bends = [-0.12, -0.1, -0.08, -0.06, -0.05, -0.05]
    form = [number for place, bulge in zip(places, bends, strict=False) for number in (ARC, *place, bulge)]
    (first, *_) = with_cubics(np.array([*form, ENDS, *places[-1]]))
    assert (first[0], len(first)) == (CUBIC, 10)
