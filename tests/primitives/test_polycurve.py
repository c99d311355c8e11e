"""Chains of straight pieces, arcs and cubics: how far points lie from them, and what their numbers change."""

import math
from itertools import pairwise

import numpy as np
import pytest

from unrender.primitives.chains import is_polycurve
from unrender.primitives.path import framed, freedom, outline, path, placed
from unrender.primitives.polycurve import ARC, CLOSES, CUBIC, ENDS, nodes, tidied
from unrender.primitives.polycurve_edits import (
    backwards,
    bent,
    closed_up,
    ends,
    from_outline,
    is_open,
    joined,
)
from unrender.primitives.polycurve_field import PULLS
from unrender.primitives.registry import find
from unrender.primitives.vector import rings

BOX = np.array([0, -1, -1, 0, 1, -1, 0, 1, 1, CLOSES, -1, 1], float)
BOX_POSE = np.array([0, 0, 20, 10, 0, 0], float)
MIXED = np.array(
    [0, -1, -1, ARC, 1, -1, 0.4, CUBIC, 0.9, 0.8, 0.5, 1.2, 0.1, 0.3, ARC + CLOSES, -0.6, 0.9, -0.7]
)
OPEN = np.array([0, -1, 0, ARC, 0, 0, 0.5, ENDS, 1, 0.3], float)
A, B = np.array([25.0]), np.array([18.0])


def measured(form: np.ndarray, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """(3, M): distance and gradient."""
    out = np.empty((3, 1, len(x)))
    path.compiled_field(x[None], y[None], A, B, form[None], *out)
    return out[:, 0]


def points(count: int = 400) -> np.ndarray:
    return np.random.default_rng(0).uniform(-40, 40, (2, count))


@pytest.mark.parametrize("form", [BOX, MIXED, OPEN], ids=["box", "mixed", "open"])
def test_the_distance_is_that_of_the_nearest_of_many_points_along_the_curve(form: np.ndarray) -> None:
    x, y = points()
    signed, nx, ny = measured(form, x, y)
    lines = [
        ring if form is OPEN else np.concatenate([ring, ring[:1]])
        for ring in rings(outline(25, 18, form), 25, 18)
    ]
    dense = np.concatenate(
        [p + np.linspace(0, 1, 300)[:, None] * (q - p) for line in lines for p, q in pairwise(line)]
    )
    far = np.hypot(x[:, None] - dense[:, 0], y[:, None] - dense[:, 1]).min(1)
    assert np.abs(np.abs(signed) - far).max() < 0.1
    assert np.abs(np.hypot(nx, ny) - 1).max() < 1e-9


def test_inside_is_negative_and_a_hole_is_outside() -> None:
    hole = BOX.copy()
    hole[[1, 2, 4, 5, 7, 8, 10, 11]] *= 0.4
    both = np.concatenate([BOX, hole])
    x, y = np.array([0.0, 20.0, 40.0]), np.zeros(3)
    assert (np.sign(measured(both, x, y)[0]) == [1, -1, 1]).all()
    assert (np.sign(measured(BOX, x, y)[0]) == [-1, -1, 1]).all()


def test_an_open_chain_has_no_inside() -> None:
    assert measured(OPEN, *points())[0].min() >= 0


@pytest.mark.parametrize("form", [BOX, MIXED, OPEN], ids=["box", "mixed", "open"])
def test_slopes_are_those_of_the_distance(form: np.ndarray) -> None:
    x, y = points()
    signed, nx, ny = measured(form, x, y)
    which, pull = np.empty((1, len(x), PULLS), np.int64), np.zeros((1, len(x), PULLS))
    path.compiled_pulls(x[None], y[None], A, B, form[None], signed[None], nx[None], ny[None], which, pull)
    slopes = np.zeros((1, len(x), len(form)))
    for m, (numbers, by) in enumerate(zip(which[0], pull[0], strict=True)):
        told = np.argmax(numbers < 0) if (numbers < 0).any() else PULLS
        slopes[0, m, numbers[:told]] = by[:told]
    codes = set(nodes(form)[0].tolist())
    for k in set(range(len(form))) - codes:
        nudged = form.copy()
        nudged[k] += 1e-6
        change = (measured(nudged, x, y)[0] - signed) / 1e-6
        assert np.quantile(np.abs(change - slopes[0, :, k]), 0.95) < 1e-3
    assert np.abs(slopes[0][:, sorted(codes)]).max() == 0


def test_only_what_can_be_chosen_counts_as_a_number() -> None:
    assert freedom(BOX_POSE, BOX) == 8
    assert freedom(BOX_POSE, OPEN) == 7


def test_a_form_fills_its_box_and_stays_where_it_is() -> None:
    form = np.array([0, 10, 10, 0, 50, 10, CLOSES, 30, 40], float)
    pose, told = framed(form, 1.5)
    assert pose == pytest.approx([30, 25, 20, 15, 0, 1.5])
    assert placed(pose, told) == pytest.approx(form)
    turned = pose.copy()
    turned[4] = 0.3
    again = path.canonical(turned, told)
    assert again[0][4] == 0
    assert placed(*again) == pytest.approx(placed(turned, told))


def test_read_backwards_a_chain_is_the_same_line() -> None:
    form = np.array([CUBIC, 5, 5, 10, 0, 20, 30, ARC, 30, 10, 0.3, 0, 40, 10, ENDS, 44, 30], float)
    other = backwards(form)
    assert is_open(other)
    assert backwards(other) == pytest.approx(form)
    x, y = points()
    one, two = (np.empty((3, 1, 400)) for _ in range(2))
    unit = np.ones(1)
    path.compiled_field(x[None], y[None], unit, unit, form[None], *one)
    path.compiled_field(x[None], y[None], unit, unit, other[None], *two)
    assert one[0] == pytest.approx(two[0], abs=1e-6)


def test_chains_are_joined_at_their_ends_and_closed() -> None:
    one = np.array([0, 0, 0, ENDS, 10, 0], float)
    other = np.array([0, 10, 1, ENDS, 10, 10], float)
    place, way = ends(one)
    assert place == pytest.approx(np.array([[0, 0], [10, 0]]))
    assert way == pytest.approx(np.array([[-1, 0], [1, 0]]))
    both = joined(one, other, np.array([10.0, 0.0]))
    assert both == pytest.approx([0, 0, 0, 0, 10, 0, ENDS, 10, 10])
    three = joined(both, np.array([0, 10, 10, ENDS, 0.5, 0.5], float), np.array([10.0, 10.0]))
    whole = closed_up(three, np.zeros(2))
    assert whole == pytest.approx([0, 0, 0, 0, 10, 0, CLOSES, 10, 10])
    assert not is_open(whole)


def test_pieces_of_no_length_are_left_out() -> None:
    form = np.array([0, 0, 0, ARC, 10, 0, 0.5, 0, 10, 0.01, ENDS, 10, 10], float)
    assert tidied(form, 0.05) == pytest.approx([0, 0, 0, 0, 10, 0.01, ENDS, 10, 10])


def test_a_chain_that_closes_by_several_short_pieces_closes_from_the_node_that_is_left() -> None:
    form = np.array([0, 0, 0, 0, 9, 0, ARC, 5, 8, 0.3, 0, 0.02, 0.01, ARC + CLOSES, 0.02, 0.01, 0.9])
    assert tidied(form, 0.05) == pytest.approx([0, 0, 0, 0, 9, 0, ARC + CLOSES, 5, 8, 0.3])


def random_form(rng: np.random.Generator) -> np.ndarray:
    """One or two chains of any pieces between four places."""
    form: list[float] = []
    for _ in range(rng.integers(1, 3)):
        count, end = int(rng.integers(2, 7)), rng.choice([CLOSES, ENDS])
        for k in range(count):
            last = k == count - 1
            kind = 0 if last and end == ENDS else int(rng.integers(3))
            form += [kind + last * end, *rng.integers(0, 2, 2), *rng.uniform(-1, 1, (0, 1, 4)[kind])]
    return np.array(form)


def test_whatever_is_left_out_a_form_is_a_form() -> None:
    """Compiled loops believe that every chain ends: they would write beyond one that does not."""
    rng = np.random.default_rng(5)
    several = [random_form(rng) for _ in range(3000)]
    assert all(is_polycurve(tidied(form, 0.05).tolist()) for form in several)
    assert any(len(tidied(form, 0.05)) < len(form) - 7 for form in several)


def test_a_closed_chain_is_not_open_wherever_it_lies() -> None:
    """In px a coordinate may be any number, also the one that means the end of a chain."""
    assert not is_open(np.array([0, 1.0, 1.0, 0, 5.0, 1.0, ARC + CLOSES, float(ENDS), 4.0, 0.3]))
    assert is_open(OPEN)


def test_a_chain_bends_where_it_is_asked_to() -> None:
    form = np.array([0, 0, 0, 0, 40, 0, ENDS, 40, 40], float)
    straight = bent(form, np.array([20.0]), np.array([0.5]), 3.0)
    assert straight == pytest.approx([ARC, 0, 0, 0.002, 0, 40, 0, ENDS, 40, 40])
    rounded = bent(form, np.array([39.0]), np.array([1.0]), 6.0)
    codes = rounded[nodes(rounded)[0]].tolist()
    assert codes == [0, ARC, 0, ENDS]
    assert rounded[nodes(rounded)[0][1] + 3] == pytest.approx(math.tan(math.pi / 8))


@pytest.mark.parametrize("name", ["circle", "square", "triangle", "edge", "arc"])
def test_every_outline_is_also_a_path(name: str) -> None:
    kind = find(name)
    own = {"square": [0.3], "edge": [1.0], "arc": [0.1, 0.6]}.get(name, [])
    pose = np.array([30.0, 25.0, 18.0, 11.0, 0.4, 0.0])
    form = from_outline(kind.path(18.0, 11.0, own), pose)
    told = np.concatenate(rings(outline(1.0, 1.0, form), 1.0, 1.0))
    cos, sin = math.cos(0.4), math.sin(0.4)
    want = np.concatenate(rings(kind.path(18.0, 11.0, own), 18.0, 11.0)) @ np.array(
        [[cos, sin], [-sin, cos]]
    ) + (30, 25)
    far = np.hypot(told[:, None, 0] - want[:, 0], told[:, None, 1] - want[:, 1])
    assert far.min(1).max() < 1.5
    assert far.min(0).max() < 1.5
