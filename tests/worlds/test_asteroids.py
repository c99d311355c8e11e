"""The asteroid world: repeatable pictures whose truth is true."""

import json
import math
from collections import Counter
from itertools import combinations, pairwise

import numpy as np
import pytest

from unrender import Observation, Scene, UnrenderError
from unrender.capsules.wholes import corners, whole
from unrender.worlds import Asteroids
from unrender.worlds.room import margin, overlap

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


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
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
