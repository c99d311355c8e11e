"""A semantic capsule judges an assignment of observations to its parts."""

from dataclasses import replace

import pytest

from unrender.capsules.experience import Entry
from unrender.capsules.gamma import whole
from unrender.capsules.route import Route
from unrender.capsules.semantic import SemanticCapsule, fit
from unrender.learning.objects.augment import transform
from unrender.primitives.symmetry import Symmetry
from unrender.scene import Observation

PARTS = (
    Observation("square", (50.0, 50.0), (20.0, 40.0), 0.0, {"red": 0.5}),
    Observation("square", (80.0, 60.0), (12.0, 20.0), 0.0, {"red": 0.5}),
    Observation("triangle", (50.0, 18.0), (20.0, 20.0), 0.0, {"red": 0.5}),
    Observation("circle", (30.0, 62.0), (10.0, 10.0), 0.0, {"red": 0.5}),
)


def route(number: int = 1, names: tuple[str, ...] = ("red",)) -> Route:
    orders = (4, 4, 3, 0)
    return Route(
        "toy",
        number,
        tuple(part.symbol for part in PARTS),
        names,
        tuple(Symmetry.of_order(order, stretched=True) for order in orders),
        (Entry(PARTS, whole("toy", PARTS)),),
    )


def test_parts_that_lie_as_taught_agree_fully() -> None:
    seen = transform(PARTS, (40.0, 9.0), 33.0, 1.5)
    guess = replace(transform([whole("toy", PARTS)], (41.0, 8.0), 31.0, 1.48)[0], rotation=31.0)
    got = fit(route(), seen, guess)
    assert got.whole.p == pytest.approx(1)
    assert got.whole.rotation == pytest.approx(33)
    assert got.whole.route == "toy/1"
    assert got.whole.parts == seen
    assert got.whole.hidden == []


def test_a_small_disturbance_costs_a_little() -> None:
    seen = [*PARTS[:3], replace(PARTS[3], position=(31.0, 63.0))]
    p = fit(route(), seen, whole("toy", PARTS)).whole.p
    assert 0.9 < p < 1


def test_another_colour_costs_less_than_another_place() -> None:
    guess = whole("toy", PARTS)
    coloured = [*PARTS[:3], replace(PARTS[3], attributes={"red": 0.0})]
    moved = [*PARTS[:3], replace(PARTS[3], position=(42.0, 62.0))]
    assert fit(route(), moved, guess).whole.p < fit(route(), coloured, guess).whole.p < 1


def test_a_whole_without_one_part_names_where_it_should_be() -> None:
    seen = transform(PARTS, (0.0, 0.0), 90.0, 2.0)
    guess = replace(transform([whole("toy", PARTS)], (0.0, 0.0), 90.0, 2.0)[0], rotation=90.0)
    got = fit(route(), [*seen[:2], None, seen[3]], guess).whole
    assert got.p == pytest.approx(0.75)
    (absent,) = got.hidden
    assert absent.symbol == "triangle"
    assert absent.position == pytest.approx(seen[2].position)
    assert absent.size == pytest.approx(seen[2].size)


def test_a_capsule_has_the_attributes_of_all_its_routes() -> None:
    capsule = SemanticCapsule("toy", (route(), route(2, ("red", "wooden"))))
    assert capsule.names == ("red", "wooden")
    assert capsule.route("toy/2").number == 2
