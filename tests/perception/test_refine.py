"""Refinement finds the pose from nearby, also of parameters that only a new primitive knows."""

import math
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw

from unrender.grammar.attribute import Attribute
from unrender.perception.image.model import ImageModel
from unrender.perception.interpretation import Interpretation
from unrender.perception.pipeline import see_primitives
from unrender.perception.refine import pixels, sides, solver
from unrender.perception.refine.outline import Points, fit
from unrender.primitives.polycurve import ENDS
from unrender.primitives.protocol import Primitive
from unrender.primitives.registry import find
from unrender.primitives.symmetry import Symmetry
from unrender.render.composite import composite, layers
from unrender.render.coverage import cover
from unrender.render.shape import Shape

sys.path.insert(0, str(Path(__file__).parent))
from drawing import picture

BLUE, RED = (0.2, 0.3, 0.9), (0.9, 0.2, 0.1)


def test_an_outline_is_fitted_to_points_on_an_ellipse_some_of_which_are_wrong() -> None:
    t = np.linspace(0, 2 * math.pi, 60, endpoint=False)
    x, y = 40 + 20 * np.cos(t), 30 + 12 * np.sin(t)
    x[:8] += 6.0
    start = np.array([[43.0, 28.0, 17.0, 14.0, 0.2, 0.0]])
    reaches = np.array([[6.0], [4.0], [3.0], [2.0], [1.0], [1.0], [0.5], [0.5]])
    points = Points(x[None], y[None], np.ones((1, 60)))
    pose, off = fit(find("circle"), start, points, False, reaches, np.array([100.0]))
    assert pose[0, :4] == pytest.approx([40, 30, 20, 12], abs=0.15)
    assert off[0, 8:].max() < 0.2


def test_a_shape_that_is_a_pixel_off_finds_its_place() -> None:
    image = picture((72, 64), (0.8, 0.8, 0.8), [("triangle", 35.2, 33.7, 34, 28, 10, BLUE, None, 0)], 0.01)
    state = Interpretation(ImageModel.of(image))
    pose = np.array([36.0, 33.0, 16.4, 14.5, math.radians(13), 0.0])
    shape = state.refined(Shape(find("triangle"), pose, np.array(BLUE), None))
    assert shape.pose[:5] == pytest.approx([35.2, 33.7, 17, 14, math.radians(10)], abs=0.06)


def test_a_form_that_loses_a_node_while_it_is_refined_stays_within_its_arrays(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Without antialiasing a shape is refined twice, and a node may be left out in between. Loops
    are not compiled here, so that writing beyond an array is an error."""
    monkeypatch.setattr(sides, "add_equations", solver.add_equations.py_func)  # type: ignore[attr-defined]
    monkeypatch.setattr(pixels, "side_equations", sides.side_equations.py_func)  # type: ignore[attr-defined]
    drawn = Image.new("RGB", (64, 64), "white")
    ImageDraw.Draw(drawn).line([(10, 12), (50, 12), (20, 52)], fill="black", width=4)
    model = ImageModel.of(np.asarray(drawn, np.float32) / 255)
    assert model.aliased

    def shorter(pose: np.ndarray, form: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return pose, np.delete(form, slice(3, 6)) if len(form) > 9 else form

    form = np.array([0, -1, -1, 0, 0, -1, 0, 1, -1, ENDS, -0.5, 1])
    path = replace(find("path"), canonical=shorter)
    shape = Shape(path, np.array([30.5, 32.0, 20.0, 20.0, 0.0, 2.0]), None, np.zeros(3), form)
    assert len(Interpretation(model).refined(shape).form) == 9


def rounded(
    x: np.ndarray,
    y: np.ndarray,
    a: np.ndarray,
    b: np.ndarray,
    own: np.ndarray,
    signed: np.ndarray,
    nx: np.ndarray,
    ny: np.ndarray,
) -> None:
    """A rectangle with round corners, as another package would write it."""
    for i in range(x.shape[0]):
        radius = own[i, 0] * min(a[i], b[i])
        for j in range(x.shape[1]):
            dx, dy = abs(x[i, j]) - a[i] + radius, abs(y[i, j]) - b[i] + radius
            ox, oy = max(dx, 0.0), max(dy, 0.0)
            off = math.sqrt(ox * ox + oy * oy)
            if off < 1e-9:
                ux, uy = (1.0, 0.0) if dx > dy else (0.0, 1.0)
                signed[i, j] = max(dx, dy) - radius
            else:
                ux, uy = ox / off, oy / off
                signed[i, j] = off - radius
            nx[i, j], ny[i, j] = math.copysign(ux, x[i, j]), math.copysign(uy, y[i, j])


@pytest.mark.parametrize("corner", [0.35, 0.7])
def test_a_primitive_of_another_package_is_seen_with_its_own_parameter(corner: float) -> None:
    attribute = Attribute("corner", low=0.0, high=1.0)
    kind = Primitive("rounded", rounded, Symmetry(turns=2, even=4, swaps=True), (attribute,), stretches=False)
    truth = Shape(kind, np.array([44.3, 40.2, 27.0, 18.0, 0.3, 0.0, corner]), np.array(RED), None)
    canvas, rough = np.full((80, 88, 3), 0.8, np.float32), np.zeros((80, 88), np.float32)
    composite(canvas, rough, (0, 0), layers(truth, cover(truth, truth.window(80, 88))))
    noise = np.random.default_rng(0).normal(0, 0.01, canvas.shape)
    kinds = [find("circle"), find("triangle"), kind]  # a square could have round corners, too
    state = see_primitives((canvas + noise).clip(0, 1).astype(np.float32), kinds)
    assert [placed.shape.primitive.name for placed in state.shapes] == ["rounded"]
    pose = state.shapes[0].shape.pose
    assert pose[6] == pytest.approx(corner, rel=0.05)
    assert sorted(pose[2:4]) == pytest.approx([18, 27], abs=0.1)
