"""What a network finds after one lesson for each object: scenes without pixels."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from unrender.capsules.network import Network
from unrender.scene import Observation, Scene
from unrender.training.augment import transform
from unrender.training.lesson import learn

LOOKS = {"red": 0.9, "green": 0.8, "blue": 0.7, "filled": 1.0, "thickness": 0.1}
Shapes = Sequence[Observation]


def shape(
    symbol: str, x: float, y: float, w: float, h: float, turn: float = 0.0, **looks: float
) -> Observation:
    return Observation(symbol, (x, y), (w, h), turn, LOOKS | looks)


def scene_of(shapes: Shapes, side: int = 200) -> Scene:
    return Scene(side, side, [replace(own, depth=i) for i, own in enumerate(shapes)])


def ship() -> list[Observation]:
    """Five parts around (100, 100), no two halves alike."""
    return [
        shape("square", 100, 100, 20, 50),
        shape("triangle", 100, 66, 20, 24, red=0.2),
        shape("circle", 108, 95, 10, 10, blue=0.1),
        shape("triangle", 84, 120, 14, 18, -20),
        shape("square", 122, 112, 8, 30, 10),
    ]


def taught(**objects: Shapes) -> Network:
    network = Network({})
    for name, parts in objects.items():
        network, _ = learn(network, scene_of(parts), name, None)
    return network


def found(network: Network, shapes: Shapes, symbol: str, side: int = 200) -> list[Observation]:
    return [o for o in network.understand(scene_of(shapes, side)).observations if o.symbol == symbol]


@pytest.fixture(scope="module")
def ships() -> Network:
    return taught(ship=ship())


@pytest.fixture(scope="module")
def upright(ships: Network) -> Observation:
    (own,) = found(ships, ship(), "ship")
    return own


def off(one: float, other: float, period: float = 360.0) -> float:
    return abs(math.remainder(one - other, period))


def asteroid(form: int) -> list[Observation]:
    """Three circles, in one of five forms."""
    angle, small = 40.0 + 50.0 * form, 14.0 + 2 * form
    x, y = 100 + 34 * math.cos(math.radians(angle)), 100 + 34 * math.sin(math.radians(angle))
    return [
        shape("circle", 100, 100, 50, 50),
        shape("circle", 128, 100, 26, 26),
        shape("circle", x, y, small, small),
    ]


@pytest.fixture(scope="module")
def asteroids() -> Network:
    network = Network({})
    for form in range(5):
        network, route = learn(network, scene_of(asteroid(form)), "asteroid", None)
        assert route.name == f"asteroid/{form + 1}"
    return network


@pytest.mark.parametrize("form", range(5))
def test_each_form_is_seen_by_its_own_route(asteroids: Network, form: int) -> None:
    for turn in (0.0, 75.0, -140.0):
        (own,) = found(
            asteroids, transform(asteroid(form), (3.0, 2.0), turn, 1.2, (100.0, 100.0)), "asteroid"
        )
        assert own.route == f"asteroid/{form + 1}"
        assert own.p == pytest.approx(1)
        assert off(own.rotation, turn) < 1e-6


def test_different_forms_at_once_are_told_apart(asteroids: Network) -> None:
    left = transform(asteroid(0), (-40.0, 0.0), 20.0, 0.6, (100.0, 100.0))
    right = transform(asteroid(3), (50.0, 10.0), 90.0, 0.6, (100.0, 100.0))
    seen = found(asteroids, [*left, *right], "asteroid")
    assert sorted(own.route or "" for own in seen) == ["asteroid/1", "asteroid/4"]


def test_a_route_becomes_loose_by_what_memory_holds() -> None:
    """A belt of a big and two small circles; the third wanders."""

    def belt(y: float) -> list[Observation]:
        return [
            shape("square", 60, 100, 40, 30),
            shape("circle", 110, 100, 24, 24),
            shape("triangle", 145, y, 16, 16),
        ]

    rigid = taught(belt=belt(100))
    assert not any(own.hidden == [] for own in found(rigid, belt(118), "belt"))
    network = rigid
    for y in (85.0, 115.0, 125.0):
        network, route = learn(network, scene_of(belt(y)), "belt", None, "belt/1")
        assert route.name == "belt/1"
    assert len(network.capsules["belt"].routes) == 1
    for y in (92.0, 108.0, 118.0):
        (own,) = found(network, belt(y), "belt")
        assert len(own.parts) == 3
        assert own.hidden == []


def ring(symbol: str, count: int) -> list[Observation]:
    """So many shapes around (100, 100), each turned with its place."""
    out = []
    for k in range(count):
        a = 2 * math.pi * k / count
        out.append(shape(symbol, 100 + 40 * math.cos(a), 100 + 40 * math.sin(a), 16, 12, 360 * k / count))
    return out


@pytest.mark.parametrize("count", [2, 3, 4, 5, 8])
@pytest.mark.parametrize("symbol", ["square", "triangle", "circle"])
def test_a_symmetric_object_is_turned_by_the_least_of_its_equivalent_turns(symbol: str, count: int) -> None:
    network = taught(ring=ring(symbol, count))
    period = 360 / count
    for turn in (0.0, 10.0, 0.6 * period, -130.0):
        (own,) = found(network, transform(ring(symbol, count), (4.0, 0.0), turn, 1.2, (100.0, 100.0)), "ring")
        assert off(own.rotation, turn, period) < 1e-6
        assert abs(own.rotation) <= period / 2 + 1e-6
        assert len(own.parts) == count


def mirrored(parts: Shapes) -> list[Observation]:
    return [replace(p, position=(200 - p.position[0], p.position[1]), rotation=-p.rotation) for p in parts]


def test_the_mirror_image_is_not_the_object() -> None:
    handed = ship()
    network = taught(ship=handed)
    for turn in (0.0, 40.0, -155.0):
        assert (
            found(network, transform(mirrored(handed), (0.0, 0.0), turn, 1.0, (100.0, 100.0)), "ship") == []
        )


def test_the_same_parts_as_upright_as_taught_but_elsewhere_are_not_the_object(ships: Network) -> None:
    rng = np.random.default_rng(0)
    for _ in range(60):
        shapes = [replace(part, position=tuple(rng.uniform(60, 140, 2))) for part in ship()]
        assert found(ships, shapes, "ship") == []


def test_a_cover_of_the_same_symbol_as_the_part_that_it_hides_does_not_confuse() -> None:
    trio = ship()[:3]
    network = taught(trio=trio)
    (own,) = found(network, [*trio[1:], shape("square", 100, 100, 32, 80, 45, blue=0.0)], "trio")
    assert [part.symbol for part in own.hidden] == ["square"]


def test_an_object_of_one_part_is_found() -> None:
    network = taught(wheel=[shape("circle", 100, 100, 30, 30)])
    (own,) = found(network, [shape("circle", 50, 60, 44, 44)], "wheel")
    assert own.size == pytest.approx((44, 44))


def test_an_ellipse_is_known_again_in_the_pose_that_is_turned_the_least() -> None:
    """An ellipse turned by 60 degrees is seen as one with its sides exchanged, turned by -30."""
    eye = [
        shape("circle", 100, 100, 60, 24),
        shape("square", 120, 100, 10, 14),
        shape("triangle", 80, 90, 12, 12),
    ]
    network = taught(eye=eye)
    turned = transform(eye, (0.0, 0.0), 60.0, 1.0, (100.0, 100.0))
    turned[0] = replace(turned[0], size=(24.0, 60.0), rotation=-30.0)
    (own,) = found(network, turned, "eye")
    assert own.rotation == pytest.approx(60)
    assert own.p == pytest.approx(1)


def test_shapes_without_extent_are_left_alone(ships: Network) -> None:
    assert len(found(ships, [*ship(), shape("circle", 5, 5, 0, 0)], "ship")) == 1


def test_understanding_a_scene_leaves_its_picture_as_it_is(ships: Network) -> None:
    """Nodes without a depth are painted in the order of the axioms."""
    shapes = [replace(part, depth=None) for part in [*ship(), shape("square", 100, 80, 30, 30, red=0.0)]]
    scene = Scene(200, 200, shapes)
    assert (ships.understand(scene).image == scene.image).all()
