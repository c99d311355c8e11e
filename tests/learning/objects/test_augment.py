"""T and U change copies: what memory holds stays as it is."""

import pytest

from unrender.capsules.experience import Entry
from unrender.capsules.gamma import whole
from unrender.learning.objects.augment import UNSEEN, restyle, transform, unseen
from unrender.scene import Observation


def parts() -> list[Observation]:
    return [
        Observation("square", (10.0, 20.0), (4.0, 6.0), 170.0, {"red": 0.5, "wooden": 0.0}, p=0.8, depth=3),
        Observation("circle", (14.0, 20.0), (2.0, 2.0), 0.0, {"red": 0.1}),
    ]


def test_a_quarter_turn_about_a_point_then_a_move() -> None:
    square, circle = transform(parts(), (100.0, 0.0), 90.0, 2.0, (10.0, 10.0))
    assert square.position == pytest.approx((10 - 20 + 100, 10))
    assert circle.position == pytest.approx((10 - 20 + 100, 10 + 8))
    assert square.size == (8, 12)
    assert square.rotation == pytest.approx(-100)
    assert (square.p, square.depth) == (0.8, 3)


def test_the_originals_stay_as_they_were() -> None:
    own = parts()
    for changed in (transform(own, (5.0, 5.0), 40.0, 3.0), restyle(own, {"red": 1.0})):
        changed[0].attributes["red"] = 0.77
    assert [(p.position, p.size, p.rotation, p.attributes) for p in own] == [
        (p.position, p.size, p.rotation, p.attributes) for p in parts()
    ]


def test_no_change_changes_nothing() -> None:
    for was, now in zip(parts(), transform(parts()), strict=True):
        assert (now.position, now.size, now.rotation) == (was.position, was.size, was.rotation)


def test_a_style_is_put_only_on_parts_that_have_the_attribute() -> None:
    square, circle = restyle(parts(), {"wooden": 0.9})
    assert square.attributes == {"red": 0.5, "wooden": 0.9}
    assert circle.attributes == {"red": 0.1}


def test_an_attribute_is_unseen_while_every_whole_in_memory_is_below_epsilon() -> None:
    def entry(wooden: float) -> Entry:
        own = restyle(parts(), {"wooden": wooden})
        return Entry(tuple(own), whole("thing", own))

    names = ["red", "wooden", "metallic"]
    assert unseen([entry(0.0), entry(UNSEEN / 2)], names) == ["wooden", "metallic"]
    assert unseen([entry(0.0), entry(2 * UNSEEN)], names) == ["metallic"]
