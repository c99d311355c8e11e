"""Equations memoryTrainingSet and AugmentedTrainingSet: ((γ(T(U(α)))), (T(U(α)))), from a single example."""

import math
from dataclasses import replace

import numpy as np
import pytest

from unrender.capsules.experience import Entry
from unrender.capsules.gamma import whole
from unrender.capsules.poses import POSE
from unrender.capsules.route import Route
from unrender.learning.objects.augment import UNSEEN, restyle, transform, unseen
from unrender.learning.objects.decode import fit_decoder, samples
from unrender.primitives.symmetry import Symmetry
from unrender.scene import Observation

NAMES = ("red", "metallic")
CHANGES = [
    {"move": (30.0, -12.0)},
    {"turn": 73.0},
    {"scale": 0.4},
    {"move": (-5.0, 8.0), "turn": -160.0, "scale": 1.9, "about": (40.0, 60.0)},
]


def apple(body: float = 0.0, stem: float = 0.0) -> list[Observation]:
    """A red body and a brownish stem, each more or less metallic."""
    return [
        Observation("circle", (50.0, 60.0), (40.0, 36.0), 0.0, {"red": 0.9, "metallic": body}),
        Observation("square", (52.0, 36.0), (4.0, 14.0), 12.0, {"red": 0.4, "metallic": stem}),
    ]


def route_of(*examples: list[Observation]) -> Route:
    turnings = (Symmetry.of_order(0, stretched=True), Symmetry.of_order(4, stretched=True))
    memory = tuple(Entry(tuple(parts), whole("apple", parts)) for parts in examples)
    return Route("apple", 1, ("circle", "square"), NAMES, turnings, memory)


def test_memory_keeps_the_probabilities_and_attributes_of_parts_and_whole() -> None:
    parts = [replace(part, p=p) for part, p in zip(apple(0.2, 0.1), (0.7, 0.9), strict=True)]
    entry = Entry(tuple(parts), whole("apple", parts, rotation=20.0, route="apple/1"))
    again = Entry.from_dict(entry.to_dict())
    assert [part.p for part in again.parts] == [0.7, 0.9]
    for was, now in zip([*entry.parts, entry.whole], [*again.parts, again.whole], strict=True):
        assert now is not was
        assert (now.symbol, now.position, now.size, now.rotation) == (
            was.symbol,
            was.position,
            was.size,
            was.rotation,
        )
        assert now.attributes == was.attributes


@pytest.mark.parametrize("change", CHANGES)
def test_t_leaves_the_parts_to_each_other_as_they_are(change: dict) -> None:
    before, after = apple(), transform(apple(), **change)
    scale = change.get("scale", 1.0)
    assert math.dist(after[0].position, after[1].position) == pytest.approx(
        scale * math.dist(before[0].position, before[1].position)
    )
    for was, now in zip(before, after, strict=True):
        assert now.size == pytest.approx((was.size[0] * scale, was.size[1] * scale))
        assert now.attributes == was.attributes

    def heading(parts: list[Observation]) -> float:
        (x, y), (u, v) = parts[0].position, parts[1].position
        return math.degrees(math.atan2(v - y, u - x)) - parts[1].rotation

    assert math.remainder(heading(before) - heading(after), 360) == pytest.approx(0, abs=1e-9)
    turned = math.remainder(after[1].rotation - after[0].rotation, 360)
    assert turned == pytest.approx(before[1].rotation - before[0].rotation)


@pytest.mark.parametrize("change", CHANGES)
def test_the_whole_of_transformed_parts_is_the_transformed_whole(change: dict) -> None:
    route = route_of(apple())
    was = route.encode(apple(), 0.0)
    got = route.encode(transform(apple(), **change), change.get("turn", 0.0))
    (wanted,) = transform([was], **change)
    assert was.rotation == pytest.approx(0)
    assert got.position == pytest.approx(wanted.position)
    assert got.size == pytest.approx(wanted.size)
    assert got.rotation == pytest.approx(wanted.rotation)
    assert got.attributes == pytest.approx(wanted.attributes)


def test_u_sets_one_constant_on_all_parts() -> None:
    styled = restyle(apple(), {"metallic": 0.7})
    assert [part.attributes for part in styled] == [
        {"red": 0.9, "metallic": 0.7},
        {"red": 0.4, "metallic": 0.7},
    ]
    assert [part.position for part in styled] == [part.position for part in apple()]


def test_only_what_memory_never_held_may_be_invented() -> None:
    assert unseen(route_of(apple()).memory, NAMES) == ["metallic"]
    low = 0.9 * UNSEEN
    assert unseen(route_of(apple(low, low)).memory, NAMES) == ["metallic"]
    assert unseen(route_of(apple(), apple(0.6, 0.0)).memory, NAMES) == []


def test_the_training_set_has_metallic_apples_of_every_degree_but_no_other_red_ones() -> None:
    route = route_of(apple())
    inputs, targets = samples(route, np.random.default_rng(0))
    red, metallic = inputs[:, 1], inputs[:, 2]  # after the form; differences from the example
    assert red == pytest.approx(np.zeros(len(red)))
    assert metallic.min() == pytest.approx(0)
    assert metallic.max() > 0.9
    assert np.ptp(np.sort(metallic)[metallic.size // 2 :]) > 0.5
    assert targets == pytest.approx(np.zeros_like(targets))  # all parts as metallic as the whole


def test_a_metallic_apple_can_be_drawn_though_none_was_ever_seen() -> None:
    route = fit_decoder(route_of(apple()))
    top = replace(route.memory[0].whole, attributes=route.memory[0].whole.attributes | {"metallic": 0.8})
    body, stem = route.decode(top)
    assert body.attributes["metallic"] == pytest.approx(0.8, abs=0.03)
    assert stem.attributes["metallic"] == pytest.approx(0.8, abs=0.03)
    assert body.attributes["red"] == pytest.approx(0.9, abs=0.03)
    assert stem.attributes["red"] == pytest.approx(0.4, abs=0.03)
    assert body.position == pytest.approx((50, 60), abs=0.5)


def test_an_apple_that_was_seen_with_a_metallic_body_keeps_its_plain_stem() -> None:
    route = fit_decoder(route_of(apple(1.0, 0.0)))
    assert len(samples(route, np.random.default_rng(0))[0]) == 1  # nothing may be invented
    body, stem = route.decode(route.memory[0].whole)
    assert body.attributes["metallic"] == pytest.approx(1.0, abs=0.01)
    assert stem.attributes["metallic"] == pytest.approx(0.0, abs=0.01)


def test_one_example_is_enough_to_begin() -> None:
    route = fit_decoder(route_of(apple()))
    got = route.decode(route.memory[0].whole)
    for was, now in zip(apple(), got, strict=True):
        assert now.position == pytest.approx(was.position, abs=0.2)
        assert now.size == pytest.approx(was.size, rel=0.02)
        assert now.rotation == pytest.approx(was.rotation, abs=0.5)
    assert route.rest.shape == (2, POSE + len(NAMES))
