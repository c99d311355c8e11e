"""curve: a cubic Bézier stroke, the same from whichever end it is read."""

import numpy as np
import pytest

from unrender.primitives.registry import find
from unrender.render.coverage import distances
from unrender.render.layer import Layer
from unrender.render.shape import Shape

CONTROL = np.array([(10.0, 50.0), (30.0, -20.0), (40.0, 90.0), (70.0, 20.0)])  # px


def shown(control: np.ndarray) -> Shape:
    """The canonical shape of a curve with these control points on the canvas."""
    pose = np.array([0.0, 0.0, 1.0, 1.0, 0.0, 1.5])
    curve = find("curve")
    told, form = curve.canonical(pose, control.ravel())
    return Shape(curve, told, None, np.zeros(3), form)


def on(control: np.ndarray, t: np.ndarray) -> np.ndarray:
    t = t[:, None]
    a, b, c, d = control
    return (1 - t) ** 3 * a + 3 * (1 - t) ** 2 * t * b + 3 * (1 - t) * t**2 * c + t**3 * d


def test_its_distance_is_that_of_the_nearest_point_and_never_negative() -> None:
    rng = np.random.default_rng(1)
    x, y = rng.uniform(0, 80, (2, 200))
    line = on(CONTROL, np.linspace(0, 1, 20000))
    nearest = np.hypot(x[:, None] - line[:, 0], y[:, None] - line[:, 1]).min(1)
    assert distances(shown(CONTROL), x, y)[0][0] == pytest.approx(nearest, abs=0.02)


def test_it_fills_its_box_and_is_not_turned() -> None:
    shape, line = shown(CONTROL), on(CONTROL, np.linspace(0, 1, 20000))
    x, y, a, b, angle, _ = shape.pose
    assert angle == 0
    assert (x - a, y - b) == pytest.approx(tuple(line.min(0)), abs=0.05)
    assert (x + a, y + b) == pytest.approx(tuple(line.max(0)), abs=0.05)


def test_read_from_its_other_end_it_is_the_same() -> None:
    one, other = shown(CONTROL), shown(CONTROL[::-1])
    assert one.pose == pytest.approx(other.pose)
    assert one.form == pytest.approx(other.form)
    assert one.form[0] < one.form[6], "from the left to the right"


def test_its_slopes_are_those_of_its_distance() -> None:
    curve, shape = find("curve"), shown(CONTROL)
    rng = np.random.default_rng(2)
    x, y = rng.uniform(-40, 40, (2, 1, 60))
    a, b = shape.pose[2:3], shape.pose[3:4]

    def measured(form: np.ndarray) -> tuple[np.ndarray, ...]:
        signed, nx, ny = np.empty((3, 1, 60))
        curve.compiled_field(x, y, a, b, form[None], signed, nx, ny)
        return signed, nx, ny

    assert curve.compiled_pulls is not None
    which, pull, step = np.empty((1, 60, 8), np.int64), np.zeros((1, 60, 8)), 1e-5 * np.eye(8)
    curve.compiled_pulls(x, y, a, b, shape.form[None], *measured(shape.form), which, pull)
    slopes = np.take_along_axis(pull, np.argsort(which, 2), 2)
    assert (np.sort(which, 2) == np.arange(8)).all()
    changes = [(measured(shape.form + e)[0] - measured(shape.form - e)[0]) / 2e-5 for e in step]
    assert slopes == pytest.approx(np.stack(changes, -1), abs=1e-3)


def test_its_path_is_the_curve() -> None:
    shape = shown(CONTROL)
    x, y, a, b, *_ = shape.pose.tolist()
    looks = {"thickness": 0.05}
    told = Layer.of("curve", (x, y), (2 * a, 2 * b), 0.0, looks, shape.form.tolist()).path_data
    assert told == "M 10 50 C 30 -20 40 90 70 20"
