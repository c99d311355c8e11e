"""One route: γ and g undo each other wherever the whole is, and windows come from memory."""

import math
from dataclasses import replace

import numpy as np
import pytest

from unrender.capsules.experience import DEFAULT_WIDTH, STYLE_WIDTH, Entry
from unrender.capsules.gamma import whole
from unrender.capsules.route import Route
from unrender.learning.objects.augment import transform
from unrender.primitives.symmetry import Symmetry
from unrender.scene import Observation

TURNINGS = (
    Symmetry.of_order(4, stretched=True),
    Symmetry.of_order(3, stretched=True),
    Symmetry.of_order(0, stretched=True),
)


def lamp(**moved: tuple[float, float]) -> tuple[Observation, ...]:
    """A square foot, a triangular shade and a round bulb."""
    return (
        Observation("square", moved.get("foot", (50.0, 70.0)), (30.0, 8.0), 0.0, {"red": 0.2}),
        Observation("triangle", moved.get("shade", (52.0, 30.0)), (30.0, 24.0), 8.0, {"red": 0.6}),
        Observation("circle", moved.get("bulb", (60.0, 48.0)), (8.0, 8.0), 0.0, {"red": 1.0}),
    )


def route_of(*examples: tuple[Observation, ...]) -> Route:
    entries = tuple(Entry(parts, whole("lamp", parts)) for parts in examples)
    return Route("lamp", 1, ("square", "triangle", "circle"), ("red",), TURNINGS, entries)


def same(one: Observation, other: Observation) -> None:
    assert one.symbol == other.symbol
    assert one.position == pytest.approx(other.position)
    assert one.size == pytest.approx(other.size)
    assert math.remainder(one.rotation - other.rotation, 360) == pytest.approx(0, abs=1e-7)
    assert one.attributes == pytest.approx(other.attributes)


def test_a_whole_that_stands_as_it_was_taught_has_rotation_0() -> None:
    assert route_of(lamp()).encode(lamp(), 0.0).rotation == pytest.approx(0)


@pytest.mark.parametrize(("turn", "scale"), [(0.0, 0.5), (45.0, 1.0), (179.0, 1.7), (-91.0, 2.0)])
def test_g_gives_back_what_the_whole_was_made_of(turn: float, scale: float) -> None:
    route = route_of(lamp())
    parts = transform(lamp(), (11.0, -7.0), turn, scale, (50.0, 50.0))
    top = route.encode(parts, turn + 9.0)
    assert top.rotation == pytest.approx(turn)
    for made, seen in zip(route.decode(top), parts, strict=True):
        same(made, seen)


def test_g_stretches_the_parts_with_the_whole() -> None:
    route = route_of(lamp())
    top = route.memory[0].whole
    wide = replace(top, size=(2 * top.size[0], top.size[1]))
    for was, now in zip(route.decode(top), route.decode(wide), strict=True):
        assert now.position[0] - top.position[0] == pytest.approx(2 * (was.position[0] - top.position[0]))
        assert now.position[1] == pytest.approx(was.position[1])
        if was.rotation == 0:
            assert now.size == pytest.approx((2 * was.size[0], was.size[1]))


def test_the_parts_keep_their_differences_in_style_as_far_as_there_is_room() -> None:
    route = route_of(lamp())
    top = route.memory[0].whole
    usual = [part.attributes["red"] for part in lamp()]
    less = [part.attributes["red"] for part in route.decode(replace(top, attributes={"red": 0.0}))]
    more = [part.attributes["red"] for part in route.decode(replace(top, attributes={"red": 1.0}))]
    assert less == sorted(less)
    assert min(less) == 0
    assert max(less) < max(usual)
    assert max(more) == 1
    assert min(more) > min(usual)
    assert all(0 <= red <= 1 for red in [*less, *more])


def test_one_example_has_windows_of_the_default_width() -> None:
    route = route_of(lamp())
    assert route.widths == pytest.approx(np.tile([*DEFAULT_WIDTH, STYLE_WIDTH], (3, 1)))
    assert not route.loose


def test_windows_widen_with_the_spread_of_memory_and_only_where_it_spreads() -> None:
    spread = route_of(lamp(), lamp(bulb=(60.0, 54.0)), lamp(bulb=(60.0, 42.0)))
    rigid = route_of(lamp())
    assert spread.widths[2, 1] > 2 * rigid.widths[2, 1]
    assert spread.widths[2, 0] == pytest.approx(rigid.widths[2, 0])
    assert spread.widths[0] == pytest.approx(rigid.widths[0])
    assert spread.loose


def test_the_same_example_twice_widens_nothing() -> None:
    moved = tuple(transform(lamp(), (30.0, 5.0), 0.0, 1.4))
    assert route_of(lamp(), moved).widths == pytest.approx(route_of(lamp()).widths)


def test_an_equivalent_pose_of_a_part_widens_nothing() -> None:
    foot, shade, bulb = lamp()
    turned = (replace(foot, size=(8.0, 30.0), rotation=-90.0), shade, replace(bulb, rotation=77.0))
    assert route_of(lamp(), turned).widths == pytest.approx(route_of(lamp()).widths)


def test_a_route_is_named_after_its_symbol_and_number() -> None:
    assert replace(route_of(lamp()), number=3).name == "lamp/3"
