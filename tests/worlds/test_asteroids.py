"""The asteroid world: repeatable pictures whose truth is true."""

import json
import math
from collections import Counter
from itertools import combinations, pairwise

import numpy as np
import pytest

from unrender import Observation, Scene, UnrenderError
from unrender.capsules.gamma import corners, whole
from unrender.worlds import Asteroids
from unrender.worlds.room import margin, overlap
from unrender.worlds.truth import placed

WORLD = Asteroids()
SEEDS = range(12)


def scene(seed: int, world: Asteroids = WORLD) -> Scene:
    return world.sample(np.random.default_rng(seed)).scene


def dump(made: Scene) -> str:
    return json.dumps(made.to_dict())


@pytest.fixture(scope="module")
def scenes() -> list[Scene]:
    return [scene(seed) for seed in SEEDS]


def test_the_same_seed_gives_the_same_picture_and_another_seed_another() -> None:
    assert dump(scene(3)) == dump(scene(3))
    assert dump(scene(3)) != dump(scene(4))
    a, b = (WORLD.sample(np.random.default_rng(3)).image for _ in range(2))
    assert np.array_equal(a, b)
    assert a.shape == (256, 256, 3)
    assert a.dtype == np.uint8


def test_the_picture_is_the_drawn_scene_and_survives_json() -> None:
    picture = WORLD.sample(np.random.default_rng(8))
    again = Scene.from_dict(json.loads(dump(picture.scene)))
    assert np.array_equal(again.image, picture.image)


def test_a_ship_is_one_square_one_circle_and_three_triangles_and_an_asteroid_three_circles(
    scenes: list[Scene],
) -> None:
    made_of = {
        "ship": Counter(square=1, circle=1, triangle=3),
        "asteroid": Counter(circle=3),
    }
    seen = Counter(axiom.symbol for made in scenes for axiom in made.axioms)
    assert set(seen) == {"ship", "asteroid", "circle", "square", "triangle"}
    for made in scenes:
        for axiom in made.axioms:
            if axiom.parts:
                assert Counter(part.symbol for part in axiom.parts) == made_of[axiom.symbol]
                assert axiom.route is not None
                assert axiom.route.startswith(axiom.symbol + "/")


def test_an_upright_ship_points_up_with_a_wing_on_either_side() -> None:
    (ship,) = scene(0, Asteroids(ships=(1, 1), asteroids=(0, 0), loose=(0, 0))).axioms
    turn = math.radians(-ship.rotation)
    R = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
    square, circle, nose, left, right = [R @ np.subtract(part.position, ship.position) for part in ship.parts]
    assert nose[1] < circle[1] < square[1]
    assert left[0] < square[0] < right[0]
    turns = [math.remainder(part.rotation - ship.rotation, 360) for part in ship.parts[2:]]
    assert turns == pytest.approx([0, -90, 90])
    assert all(part.attributes["filled"] == 0 for part in ship.parts)


def test_no_two_asteroids_are_alike_and_they_come_in_several_routes(scenes: list[Scene]) -> None:
    asteroids = [axiom for made in scenes for axiom in made.axioms if axiom.symbol == "asteroid"]
    assert len({axiom.route for axiom in asteroids}) == 3
    assert len({axiom.size[0] / axiom.size[1] for axiom in asteroids}) == len(asteroids)


def test_objects_come_in_many_turns_sizes_and_colours(scenes: list[Scene]) -> None:
    ships = [axiom for made in scenes for axiom in made.axioms if axiom.symbol == "ship"]
    assert {axiom.rotation // 90 for axiom in ships} == {-2, -1, 0, 1}
    heights = [axiom.size[1] for axiom in ships]
    assert max(heights) > 2 * min(heights)
    assert len({axiom.attributes["red"] for axiom in ships}) == len(ships)
    loose = [axiom for made in scenes for axiom in made.axioms if not axiom.parts]
    assert {axiom.attributes["filled"] for axiom in loose} == {0.0, 1.0}


def test_everything_lies_inside_the_picture(scenes: list[Scene]) -> None:
    for made in scenes:
        for axiom in made.axioms:
            box = corners(axiom, margin(axiom))
            assert box.min() >= 0
            assert box.max() <= 256
        border = np.concatenate([made.image[0], made.image[-1], made.image[:, 0], made.image[:, -1]])
        assert not border.any()


def test_objects_do_not_overlap_unless_they_may(scenes: list[Scene]) -> None:
    for made in scenes:
        for a, b in combinations(made.axioms, 2):
            assert not overlap(corners(a), corners(b))
            assert not (a.full_mask & b.full_mask).any()
    crowded = scene(1, Asteroids(128, 128, overlap=True, ships=(3, 3), asteroids=(4, 4)))
    assert any((a.full_mask & b.full_mask).any() for a, b in combinations(crowded.axioms, 2))


def test_the_truth_of_an_object_follows_from_its_parts(scenes: list[Scene]) -> None:
    for made in scenes:
        for axiom in made.axioms:
            if axiom.parts:
                again = whole(axiom.symbol, axiom.parts, axiom.rotation)
                assert again.position == pytest.approx(axiom.position, abs=1e-6)
                assert again.size == pytest.approx(axiom.size, abs=1e-6)
                assert again.attributes == pytest.approx(axiom.attributes)


def test_every_primitive_has_its_own_depth_and_every_attribute_is_in_range(scenes: list[Scene]) -> None:
    for made in scenes:
        assert [leaf.depth for leaf in made.primitives] == list(range(len(made.primitives)))
        assert all(0 <= value <= 1 for node in made.observations for value in node.attributes.values())


def test_a_white_world_on_a_coloured_ground() -> None:
    made = scene(2, Asteroids(100, 80, colourful=False, background=(10, 20, 30)))
    assert made.image.shape == (80, 100, 3)
    assert (made.image[0, 0] == (10, 20, 30)).all()
    for leaf in made.primitives:
        assert leaf.attributes["red"] == leaf.attributes["green"] == leaf.attributes["blue"]


@pytest.fixture(scope="module")
def film() -> list[Scene]:
    world = Asteroids(200, 160, speed=(2.0, 6.0))
    return [picture.scene for picture in world.sequence(np.random.default_rng(6), 60)]


def by_track(made: Scene) -> dict[int | None, Observation]:
    return {node.track: node for node in made.observations}


def test_a_track_is_the_same_object_in_every_frame(film: list[Scene]) -> None:
    first = by_track(film[0])
    assert len(first) == len(film[0].observations), "no two nodes share a track"
    assert None not in first
    for frame in film:
        now = by_track(frame)
        assert list(now) == list(first)
        for track, node in now.items():
            assert node.symbol == first[track].symbol
            assert node.size == pytest.approx(first[track].size)
            assert node.attributes == first[track].attributes
            assert [part.track for part in node.parts] == [part.track for part in first[track].parts]
            assert node.depth == first[track].depth


def test_objects_drift_and_spin_evenly_and_bounce_at_the_borders(film: list[Scene]) -> None:
    steps = [
        np.subtract(b.position, a.position)
        for x, y in pairwise(film)
        for a, b in zip(x.axioms, y.axioms, strict=True)
    ]
    lengths = np.array([np.hypot(*step) for step in steps]).reshape(len(film) - 1, -1)
    speed = lengths.max(axis=0)
    assert (speed >= 2.0).all()
    assert (speed <= 6.0).all()
    moving = lengths > 1e-9
    assert moving.mean() > 0.8, "only a body that turns back waits for a frame"
    assert np.allclose(lengths[moving], np.broadcast_to(speed, lengths.shape)[moving])
    turned = [np.sign(step) for step in np.array(steps).reshape(len(film) - 1, -1, 2)[:, :, 0].T]
    assert any({-1.0, 1.0} <= set(signs) for signs in turned), "somebody came back"
    spins = np.array(
        [
            [math.remainder(b.rotation - a.rotation, 360) for a, b in zip(x.axioms, y.axioms, strict=True)]
            for x, y in pairwise(film)
        ]
    )
    assert (np.abs(spins) <= 6.0 + 1e-9).all()
    assert np.allclose(np.abs(spins)[moving], np.broadcast_to(np.abs(spins).max(axis=0), spins.shape)[moving])


def test_moving_objects_stay_inside_apart_and_true(film: list[Scene]) -> None:
    for frame in film:
        for axiom in frame.axioms:
            box = corners(axiom, margin(axiom))
            assert (box >= 0).all()
            assert (box <= (200, 160)).all()
            if axiom.parts:
                again = whole(axiom.symbol, axiom.parts, axiom.rotation)
                assert again.position == pytest.approx(axiom.position, abs=1e-6)
        assert not any(overlap(corners(a), corners(b)) for a, b in combinations(frame.axioms, 2))


def test_the_same_seed_gives_the_same_film() -> None:
    one, two = ([dump(p.scene) for p in WORLD.sequence(np.random.default_rng(1), 5)] for _ in range(2))
    assert one == two
    assert len(set(one)) == 5


RICH = Asteroids(stations=(1, 1), ship_forms=2, ships=(2, 2), damaged=0.6, thrusting=0.6)


@pytest.fixture(scope="module")
def rich() -> list[Scene]:
    return [scene(seed, RICH) for seed in SEEDS]


def named(scenes: list[Scene], route: str) -> list[Observation]:
    return [axiom for made in scenes for axiom in made.axioms if axiom.route == route]


def intact(ship: Observation) -> bool:
    return ship.attributes["damaged"] == ship.attributes["thrusting"] == 0


def test_ships_come_in_two_forms_and_a_station_has_two_squares_and_two_triangles(rich: list[Scene]) -> None:
    made_of = {
        "ship/1": Counter(square=1, circle=1, triangle=3),
        "ship/2": Counter(square=3, circle=1, triangle=2),
        "station/1": Counter(square=2, circle=1, triangle=2),
    }
    for route, parts in made_of.items():
        found = named(rich, route)
        assert len(found) >= 5
        assert all(Counter(part.symbol for part in axiom.parts) == parts for axiom in found)


def test_half_a_turn_leaves_a_station_as_it_is() -> None:
    (station,) = scene(1, Asteroids(ships=(0, 0), asteroids=(0, 0), loose=(0, 0), stations=(1, 1))).axioms
    turned = placed(station, station.position, station.rotation + 180)
    for part in station.parts:
        near = min(turned.parts, key=lambda other: math.dist(other.position, part.position))
        assert near.symbol == part.symbol
        assert near.position == pytest.approx(part.position)


def test_the_attributes_of_a_ship_say_what_is_the_matter_with_it(rich: list[Scene]) -> None:
    ships = named(rich, "ship/1")
    for name in ("damaged", "thrusting"):
        values = [ship.attributes[name] for ship in ships]
        assert {value > 0 for value in values} == {True, False}
        assert all(value == 0 or 0.2 <= value <= 1 for value in values)
    assert any(ship.attributes["damaged"] and ship.attributes["thrusting"] for ship in ships), "both at once"
    assert all(intact(ship) for ship in named(rich, "ship/2"))
    assert "damaged" not in named(rich, "station/1")[0].attributes
    plain = scene(0, Asteroids(ships=(1, 1), asteroids=(0, 0), loose=(0, 0)))
    assert "damaged" not in plain.axioms[0].attributes, "nothing of it where no ship is ever damaged"


def test_damage_bends_one_wing_and_thrust_stretches_the_engine_and_makes_it_glow(rich: list[Scene]) -> None:
    for ship in named(rich, "ship/1"):
        upright = placed(ship, (0.0, 0.0), 0.0, 1 / ship.parts[1].size[0])  # in units of the cockpit
        engine, cockpit, nose, left, right = upright.parts
        damaged, thrusting = ship.attributes["damaged"], ship.attributes["thrusting"]
        assert math.remainder(right.rotation - left.rotation - 180, 360) == pytest.approx(-40 * damaged)
        assert left.position[1] - right.position[1] == pytest.approx(6 / 14.8 * damaged)
        assert engine.size[1] / engine.size[0] == pytest.approx(1 + 0.4 * thrusting)
        assert nose.position[0] == pytest.approx(cockpit.position[0])
        cold = 0.95 * cockpit.attributes["blue"]
        assert engine.attributes["blue"] == pytest.approx(cold * (1 - 0.8 * thrusting))


def test_the_parts_of_an_object_stay_apart_whatever_is_the_matter_with_it(rich: list[Scene]) -> None:
    for route in ("ship/1", "ship/2", "station/1"):
        for axiom in named(rich, route):
            assert not any((a.full_mask & b.full_mask).any() for a, b in combinations(axiom.parts, 2))


def test_what_is_the_matter_with_a_ship_follows_it_through_a_film() -> None:
    film = RICH.sequence(np.random.default_rng(4), 3)
    first, last = film[0].scene.axioms, film[-1].scene.axioms
    assert [axiom.attributes for axiom in first] == [axiom.attributes for axiom in last]


def test_a_world_without_the_new_objects_is_the_same_as_ever() -> None:
    """Other objects must not disturb the dice of a picture that has none of them."""
    made = scene(0)
    assert [axiom.symbol for axiom in made.axioms] == [
        "asteroid",
        "ship",
        "square",
        "ship",
        "circle",
        "asteroid",
        "triangle",
    ]
    assert made.axioms[0].position == pytest.approx((90.327051, 86.705965))


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"stations": (1, 0)}, '"stations"'),
        ({"ship_forms": 3}, "1 to 2 forms"),
        ({"damaged": 1.5}, '"damaged" must lie in 0..1'),
        ({"width": 10}, "sides of 48 to 8192"),
        ({"height": 10**6}, "sides of 48 to 8192"),
        ({"ships": (2, 1)}, '"ships"'),
        ({"part": (0.0, 5.0)}, '"part"'),
        ({"speed": (-1.0, 5.0)}, '"speed"'),
    ],
)
def test_an_impossible_world_is_refused(options: dict[str, object], complaint: str) -> None:
    with pytest.raises(UnrenderError, match=complaint):
        Asteroids(**options)  # type: ignore[arg-type]


def test_objects_too_large_for_the_picture_are_refused() -> None:
    with pytest.raises(UnrenderError, match="fits into a picture of 64x64"):
        scene(0, Asteroids(64, 64, part=(60.0, 90.0), ships=(1, 1)))


def test_a_sequence_needs_a_frame() -> None:
    with pytest.raises(UnrenderError, match="at least one frame"):
        WORLD.sequence(np.random.default_rng(0), 0)
