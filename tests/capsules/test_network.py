"""What a network finds after one lesson for each object: scenes without pixels."""

import math
import time
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from unrender.capsules.experience import Entry
from unrender.capsules.gamma import whole
from unrender.capsules.network import Network
from unrender.capsules.semantic import SemanticCapsule
from unrender.errors import UnrenderError
from unrender.learning.objects.augment import transform
from unrender.learning.objects.lesson import learn, new_route
from unrender.scene import Observation, Scene

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
        network = learn(network, scene_of(parts), name, None).network
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


# one example


def test_an_object_is_found_where_it_was_taught_with_rotation_0(upright: Observation) -> None:
    assert upright.rotation == pytest.approx(0, abs=1e-6)
    assert upright.p == pytest.approx(1)
    assert upright.route == "ship/1"
    assert [part.symbol for part in upright.parts] == ["square", "triangle", "circle", "triangle", "square"]
    assert upright.hidden == []


@pytest.mark.parametrize("scale", [0.5, 0.8, 1.3, 2.0])
def test_one_example_is_found_moved_and_scaled_at_any_turn(
    ships: Network, upright: Observation, scale: float
) -> None:
    for turn in range(-170, 190, 24):
        change = ((7.0 * scale, -4.0), float(turn), scale, (100.0, 100.0))
        (wanted,) = transform([upright], *change)
        scene = ships.understand(scene_of(transform(ship(), *change)))
        (own,) = scene.axioms
        assert own.symbol == "ship"
        assert own.p == pytest.approx(1)
        assert own.position == pytest.approx(wanted.position, abs=1e-6)
        assert own.size == pytest.approx(wanted.size)
        assert off(own.rotation, turn) < 1e-6


def test_other_colours_and_line_widths_are_still_the_object(ships: Network) -> None:
    for looks in ({"red": 0.1, "green": 0.2, "blue": 1.0}, {"filled": 0.0, "thickness": 0.3}, {"green": 0.0}):
        shapes = [replace(part, attributes=LOOKS | looks) for part in ship()]
        (own,) = found(ships, shapes, "ship")
        assert own.p > 0.6
        assert len(own.parts) == 5
        for name, value in looks.items():
            assert own.attributes[name] == pytest.approx(value)


def test_several_at_once_are_all_found(ships: Network) -> None:
    changes = [((-60.0, -50.0), 15.0, 0.6), ((60.0, -55.0), 200.0, 0.7), ((5.0, 45.0), -80.0, 0.9)]
    shapes = [part for change in changes for part in transform(ship(), *change, (100.0, 100.0))]
    seen = found(ships, shapes, "ship")
    assert sorted(round(own.rotation) for own in seen) == [-160, -80, 15]
    used = [id(part) for own in seen for part in own.parts]
    assert len(used) == len(set(used)) == 15


@pytest.mark.parametrize("seed", range(5))
def test_an_object_is_found_among_clutter(ships: Network, seed: int) -> None:
    rng = np.random.default_rng(seed)
    clutter = [
        shape(
            str(rng.choice(["circle", "square", "triangle"])), *rng.uniform(0, 300, 2), *rng.uniform(8, 40, 2)
        )
        for _ in range(25)
    ]
    turn = float(rng.uniform(-180, 180))
    shapes = [*transform(ship(), (50.0, 50.0), turn, 1.2, (100.0, 100.0)), *clutter]
    (own,) = found(ships, [shapes[i] for i in rng.permutation(len(shapes))], "ship", 300)
    assert off(own.rotation, turn) < 1e-6
    assert len(own.parts) == 5


def test_an_object_that_touches_others_is_found(ships: Network, upright: Observation) -> None:
    beside = [
        shape("square", 100, 135, 30, 20),
        shape("circle", 136, 112, 20, 20),
        shape("triangle", 88, 66, 8, 8),
    ]
    (own,) = found(ships, [*ship(), *beside], "ship")
    assert own.position == pytest.approx(upright.position)
    assert len(own.parts) == 5


def test_a_little_noise_in_every_part_is_averaged(ships: Network, upright: Observation) -> None:
    rng = np.random.default_rng(3)
    shapes = []
    for part in ship():
        x, y = np.array(part.position) + rng.normal(0, 0.3, 2)
        w, h = np.array(part.size) * rng.normal(1, 0.01, 2)
        shapes.append(
            replace(part, position=(x, y), size=(w, h), rotation=part.rotation + rng.normal(0, 0.5))
        )
    (own,) = found(ships, shapes, "ship")
    assert own.position == pytest.approx(upright.position, abs=0.6)
    assert own.size == pytest.approx(upright.size, rel=0.02)
    assert abs(own.rotation) < 1
    assert 0.9 < own.p < 1


# what is missing, and what only looks like it


@pytest.mark.parametrize("gone", range(5))
def test_an_object_of_five_without_one_is_found_and_the_part_is_named(
    ships: Network, upright: Observation, gone: int
) -> None:
    change = ((5.0, 0.0), 37.0, 1.1, (100.0, 100.0))
    shapes = transform(ship(), *change)
    absent = shapes.pop(gone)
    (own,) = found(ships, shapes, "ship")
    assert own.p == pytest.approx(0.8, abs=0.01)
    assert own.rotation == pytest.approx(37)
    assert own.position == pytest.approx(transform([upright], *change)[0].position, abs=0.5)
    (hidden,) = own.hidden
    assert hidden.symbol == absent.symbol
    assert hidden.position == pytest.approx(absent.position, abs=0.5)
    assert hidden.size == pytest.approx(absent.size, rel=0.02)


def test_an_object_of_three_is_found_behind_a_shape_but_not_with_a_part_missing_in_plain_sight() -> None:
    trio = ship()[:3]
    network = taught(trio=trio)
    assert len(found(network, trio, "trio")) == 1
    for gone in trio:
        assert found(network, [part for part in trio if part is not gone], "trio") == []
    cover = shape("circle", 100, 62, 46, 46, blue=0.0)
    (own,) = found(network, [trio[0], trio[2], cover], "trio")
    assert [part.symbol for part in own.hidden] == ["triangle"]


def test_an_object_that_leaves_the_picture_is_found_by_what_is_left_of_it() -> None:
    trio = ship()[:3]
    network = taught(trio=trio)
    moved = transform(trio, (0.0, -70.0))
    (own,) = found(network, [part for part in moved if part.symbol != "triangle"], "trio")
    assert own.hidden[0].position == pytest.approx(moved[1].position)


def test_two_of_five_parts_are_not_enough(ships: Network) -> None:
    parts = ship()
    for i in range(5):
        for j in range(i):
            assert found(ships, [parts[i], parts[j]], "ship") == []


def test_the_same_parts_thrown_together_are_not_the_object(ships: Network) -> None:
    rng = np.random.default_rng(0)
    for _ in range(30):
        shapes = [
            replace(part, position=tuple(rng.uniform(50, 150, 2)), rotation=float(rng.uniform(0, 360)))
            for part in ship()
        ]
        assert found(ships, shapes, "ship") == []


def test_other_sizes_of_the_same_parts_are_not_the_object(ships: Network) -> None:
    shapes = [
        replace(p, size=(p.size[0] * k, p.size[1] * k))
        for p, k in zip(ship(), (1, 2, 0.5, 2, 0.5), strict=True)
    ]
    assert found(ships, shapes, "ship") == []


def test_an_object_of_other_primitives_is_not_the_object(ships: Network) -> None:
    assert found(ships, [replace(part, symbol="circle") for part in ship()], "ship") == []


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


# several routes


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
        lesson = learn(network, scene_of(asteroid(form)), "asteroid", None)
        network, route = lesson.network, lesson.route
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


def test_the_same_arrangement_taught_again_is_one_more_entry_of_memory(ships: Network) -> None:
    again = transform(ship(), (20.0, 10.0), 77.0, 1.3, (100.0, 100.0))
    lesson = learn(ships, scene_of(again), "ship", None)
    network, route = lesson.network, lesson.route
    assert route.name == "ship/1"
    assert len(network.capsules["ship"].routes) == 1
    assert len(route.memory) == 2
    assert route.memory[1].whole.rotation == pytest.approx(77)
    (own,) = found(network, ship(), "ship")
    assert own.rotation == pytest.approx(0, abs=1e-6)
    assert len(ships.capsules["ship"].routes[0].memory) == 1  # a network never changes


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
        lesson = learn(network, scene_of(belt(y)), "belt", None, "belt/1")
        network, route = lesson.network, lesson.route
        assert route.name == "belt/1"
    assert len(network.capsules["belt"].routes) == 1
    for y in (92.0, 108.0, 118.0):
        (own,) = found(network, belt(y), "belt")
        assert len(own.parts) == 3
        assert own.hidden == []


# levels and rivals


def booster() -> list[Observation]:
    return [shape("square", 60, 100, 12, 40), shape("triangle", 60, 72, 12, 16)]


def shuttle() -> list[Observation]:
    return [
        shape("square", 100, 100, 20, 50),
        shape("triangle", 100, 66, 20, 24),
        shape("circle", 104, 90, 8, 8),
    ]


def pair() -> list[Observation]:
    rocket = [*booster(), *shuttle()]
    return [*rocket, *transform(rocket, (90.0, 40.0), 30.0, 0.8, (80.0, 90.0))]


@pytest.fixture(scope="module")
def fleets() -> Network:
    """booster + shuttle -> ship; two ships -> fleet."""
    network = taught(booster=booster(), shuttle=shuttle())
    network = learn(network, network.understand(scene_of([*booster(), *shuttle()])), "ship", None).network
    return learn(network, network.understand(scene_of(pair(), 300)), "fleet", None).network


def test_parts_may_be_wholes_themselves_to_any_depth(fleets: Network) -> None:
    shapes = transform(pair(), (30.0, 60.0), 77.0, 0.9, (100.0, 100.0))
    (fleet,) = fleets.understand(scene_of(shapes, 300)).axioms
    assert fleet.symbol == "fleet"
    assert fleet.rotation == pytest.approx(77)
    assert [part.symbol for part in fleet.parts] == ["ship", "ship"]
    assert sorted(round(part.rotation) for part in fleet.parts) == [77, 107]
    for own in fleet.parts:
        assert sorted(part.symbol for part in own.parts) == ["booster", "shuttle"]
    assert len(fleet.primitives) == 10


def test_a_lone_ship_is_an_axiom_of_its_own(fleets: Network) -> None:
    scene = fleets.understand(scene_of([*booster(), *shuttle()]))
    assert [axiom.symbol for axiom in scene.axioms] == ["ship"]


def test_what_belongs_to_no_whole_stays_an_axiom(fleets: Network) -> None:
    scene = fleets.understand(scene_of([*booster(), shape("circle", 150, 30, 30, 30)]))
    assert sorted(axiom.symbol for axiom in scene.axioms) == ["booster", "circle"]


def test_a_shuttle_that_hides_a_part_still_makes_a_ship() -> None:
    four = [*shuttle(), shape("square", 88, 120, 6, 16), shape("square", 112, 120, 6, 16)]
    network = taught(booster=booster(), shuttle=four)
    network = learn(network, network.understand(scene_of([*booster(), *four])), "ship", None).network
    (own,) = network.understand(scene_of([*booster(), *four[:2], *four[3:]])).axioms
    assert own.symbol == "ship"
    assert own.hidden == []
    (inner,) = [part for part in own.parts if part.symbol == "shuttle"]
    assert [part.symbol for part in inner.hidden] == ["circle"]


def test_of_two_symbols_that_share_parts_the_one_that_explains_more_wins() -> None:
    lamp = [booster()[1], shape("circle", 100, 60, 20, 20), shape("circle", 130, 66, 10, 10)]
    network = taught(booster=booster(), lamp=lamp)
    scene = network.understand(scene_of([booster()[0], *lamp]))
    assert sorted(axiom.symbol for axiom in scene.axioms) == ["lamp", "square"]
    (own,) = [axiom for axiom in scene.axioms if axiom.symbol == "lamp"]
    assert [rival.symbol for rival in own.rivals] == ["booster"]


def test_two_symbols_that_share_nothing_have_no_rivals(fleets: Network) -> None:
    scene = fleets.understand(scene_of([*booster(), *transform(shuttle(), (60.0, 60.0), 130.0)], 300))
    assert sorted(axiom.symbol for axiom in scene.axioms) == ["booster", "shuttle"]
    assert all(axiom.rivals == [] for axiom in scene.axioms)


# symmetry


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


def test_concentric_circles_have_rotation_0_always() -> None:
    target = [shape("circle", 100, 100, side, side) for side in (60, 40, 20)]
    network = taught(target=target)
    for turn in (0.0, 33.0, 170.0):
        (own,) = found(network, transform(target, (10.0, 5.0), turn, 0.7, (100.0, 100.0)), "target")
        assert own.rotation == 0
        assert own.position == pytest.approx((110, 105))
        assert own.size == pytest.approx((42, 42))


def test_concentric_parts_say_by_their_own_turn_how_the_whole_is_turned() -> None:
    badge = [
        shape("circle", 100, 100, 60, 60),
        shape("square", 100, 100, 30, 20),
        shape("triangle", 100, 100, 10, 10),
    ]
    network = taught(badge=badge)
    for turn in (0.0, 10.0, 100.0, -170.0):
        (own,) = found(network, transform(badge, (10.0, 0.0), turn, 0.8, (100.0, 100.0)), "badge")
        assert off(own.rotation, turn) < 1e-6


def test_an_unknown_symbol_is_an_error_that_names_the_nearest(fleets: Network) -> None:
    with pytest.raises(UnrenderError, match=r"no symbol \[shpi\].*ship"):
        fleets.capsule("shpi")


def test_an_empty_scene_stays_empty(fleets: Network) -> None:
    assert fleets.understand(scene_of([])).axioms == []


def test_fifty_objects_among_three_hundred_shapes_are_understood_quickly() -> None:
    def thing(seed: int) -> list[Observation]:
        rng = np.random.default_rng(seed)
        kinds = rng.choice(["circle", "square", "triangle"], 4)
        return [
            shape(str(kind), *rng.uniform(-20, 20, 2), *rng.uniform(6, 20, 2), float(rng.uniform(0, 360)))
            for kind in kinds
        ]

    empty, capsules = Network({}), {}
    for i in range(50):
        parts = thing(i)
        route = new_route(empty, f"thing{i}", Entry(tuple(parts), whole(f"thing{i}", parts)), 1)
        capsules[route.symbol] = SemanticCapsule(route.symbol, (route,))
    network = Network(capsules)
    rng = np.random.default_rng(0)
    shapes = [
        part
        for i in range(40)
        for part in transform(thing(i), tuple(rng.uniform(50, 950, 2)), float(rng.uniform(0, 360)), 1.0)
    ]
    shapes += [
        shape(
            str(rng.choice(["circle", "square", "triangle"])),
            *rng.uniform(0, 1000, 2),
            *rng.uniform(6, 30, 2),
        )
        for _ in range(140)
    ]
    scene = scene_of(shapes, 1000)
    times = []
    for _ in range(3):
        start = time.process_time()
        understood = network.understand(scene)
        times.append(time.process_time() - start)
    names = {axiom.symbol for axiom in understood.axioms}
    assert len(names & {f"thing{i}" for i in range(40)}) >= 38
    assert min(times) < 1.5


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
