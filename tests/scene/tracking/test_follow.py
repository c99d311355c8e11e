"""Objects keep their numbers through a video, and their motion is measured."""

import json
import math
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import unrender
from unrender import Observation, Scene, UnrenderError
from unrender.capsules.gamma import whole
from unrender.primitives.registry import find
from unrender.scene.tracking.follow import follow
from unrender.worlds import Asteroids
from unrender.worlds.truth import placed

SIDE = 120
LOOKS = {"red": 1.0, "green": 1.0, "blue": 1.0, "filled": 1.0, "thickness": 0.0}


def shape(
    symbol: str, x: float, y: float, size: float = 12.0, rotation: float = 0.0, **looks: float
) -> Observation:
    return Observation(symbol, (float(x), float(y)), (float(size), float(size)), rotation, LOOKS | looks)


def ship(x: float, y: float, rotation: float = 0.0) -> Observation:
    """Two wings, a body and a nose, none of them at the middle."""
    parts = [
        shape("triangle", -15, 5, 10),
        shape("triangle", 15, 5, 10),
        shape("square", 0, 0, 14),
        shape("circle", 0, -16, 12),
    ]
    return placed(whole("ship", parts), (x, y), rotation)


def scene(*axioms: Observation) -> Scene:
    return Scene(SIDE, SIDE, list(axioms))


def followed(frames: Iterable[Scene]) -> list[Scene]:
    """All frames, each after the one before."""
    film = list(frames)
    for before, now in pairwise(film):
        follow(now, before)
    return film


def numbers(made: Scene) -> list[int | None]:
    return [axiom.track for axiom in made.axioms]


def seen(truth: Observation, rng: np.random.Generator, hidden: set[int]) -> Observation | None:
    """A tree as a good eye might see it: a little off, and without what is hidden."""
    parts = [part for child in truth.parts if (part := seen(child, rng, hidden)) is not None]
    if truth.track in hidden or (truth.parts and not parts):
        return None
    noise = rng.normal(size=4)
    return replace(
        truth,
        position=(truth.position[0] + 0.3 * noise[0], truth.position[1] + 0.3 * noise[1]),
        rotation=truth.rotation + 2 * noise[2],
        size=(truth.size[0] * (1 + 0.02 * noise[3]), truth.size[1] * (1 - 0.02 * noise[3])),
        attributes={name: value + rng.normal(0, 0.03) for name, value in truth.attributes.items()},
        parts=parts,
        track=None,
        route=str(truth.track),  # so that the truth can be found again
    )


def watched(film: list[Scene], rng: np.random.Generator, drop: float) -> list[Scene]:
    """The frames with noise; a primitive is out of sight with probability `drop`, at most twice running."""
    away: dict[int | None, int] = {}
    frames = []
    for k, truth in enumerate(film):
        hidden = set[int]()
        for leaf in truth.primitives:
            gone = k > 0 and away.get(leaf.track, 0) < 2 and rng.uniform() < drop
            away[leaf.track] = away.get(leaf.track, 0) + 1 if gone else 0
            hidden |= {leaf.track} if gone and leaf.track is not None else set()
        axioms = [axiom for top in truth.axioms if (axiom := seen(top, rng, hidden)) is not None]
        frames.append(Scene(truth.width, truth.height, axioms))
    return frames


WORLDS = {
    "slow": Asteroids(),
    "fast": Asteroids(speed=(3.0, 6.0), spin=(0.0, 12.0)),
    "crowded and alike": Asteroids(
        200, 200, overlap=True, colourful=False, part=(14.0, 14.0), ships=(3, 3), asteroids=(3, 3)
    ),
}


@pytest.mark.parametrize("drop", [0.0, 0.1])
@pytest.mark.parametrize("name", WORLDS)
def test_every_object_and_part_keeps_its_number_through_a_film(name: str, drop: float) -> None:
    rng = np.random.default_rng(5)
    truth = [picture.scene for picture in WORLDS[name].sequence(rng, 25)]
    film = followed(watched(truth, rng, drop))
    owners: dict[str | None, set[int | None]] = {}
    for frame in film:
        tracks = [node.track for node in frame.observations]
        assert None not in tracks
        assert len(set(tracks)) == len(tracks), "no number twice"
        for node in frame.observations:
            owners.setdefault(node.route, set()).add(node.track)
    assert len(owners) > 10
    switched = [owner for owner, tracks in owners.items() if len(tracks) > 1]
    assert switched == []


def test_velocity_and_spin_are_those_of_the_world() -> None:
    world = Asteroids(ships=(2, 2), speed=(1.0, 3.0), spin=(2.0, 8.0))
    truth = [picture.scene for picture in world.sequence(np.random.default_rng(2), 5)]
    film = followed([Scene.from_dict(frame.to_dict()) for frame in truth])
    assert all(node.velocity is None and node.spin is None for node in film[0].observations)
    for before, now, mine in zip(truth[-2].axioms, truth[-1].axioms, film[-1].axioms, strict=True):
        assert mine.velocity == pytest.approx(np.subtract(now.position, before.position))
        if mine.symbol != "circle":
            assert mine.spin == pytest.approx(math.remainder(now.rotation - before.rotation, 360))
        for part in mine.parts:
            assert part.velocity is not None
            assert math.dist(part.velocity, mine.velocity or (0, 0)) < 5, "and a part goes round the whole"


@pytest.mark.parametrize(("away", "same"), [(0, True), (1, True), (2, True), (3, False)])
def test_an_object_comes_back_with_its_number_after_two_frames_out_of_sight(away: int, same: bool) -> None:
    there = [scene(shape("square", 20 + 6 * k, 40), shape("circle", 90, 90)) for k in range(3)]
    gone = [scene(shape("circle", 90, 90)) for _ in range(away)]
    back = scene(shape("square", 20 + 6 * (3 + away), 40), shape("circle", 90, 90))
    film = followed([*there, *gone, back])
    assert (film[-1].axioms[0].track == film[0].axioms[0].track) == same
    assert film[-1].axioms[1].track == film[0].axioms[1].track


def test_what_was_hidden_is_expected_where_its_velocity_takes_it() -> None:
    """A new square where the old one was last seen is somebody else."""
    there = [scene(shape("square", 10 + 10 * k, 40)) for k in range(4)]
    back = scene(shape("square", 40, 40), shape("square", 70, 40))
    film = followed([*there, scene(), scene(), back])
    assert numbers(film[-1])[1] == numbers(film[0])[0]
    assert numbers(film[-1])[0] != numbers(film[0])[0]


def test_a_hidden_part_comes_back_where_the_whole_has_carried_it() -> None:
    def frame(k: int, parts: slice) -> Scene:
        seen = ship(40 + 3 * k, 60, 14.0 * k)
        seen.parts = seen.parts[parts]
        return scene(seen)

    film = followed([frame(0, slice(4)), frame(1, slice(1, 4)), frame(2, slice(1, 4)), frame(3, slice(4))])
    first, last = film[0].axioms[0], film[-1].axioms[0]
    assert [part.track for part in last.parts] == [part.track for part in first.parts]


def test_what_has_stopped_may_start_off_as_fast_as_it_was() -> None:
    """Thrown back by something, it stands for a frame and then goes the other way."""
    film = followed(scene(shape("circle", x, 40)) for x in (20, 29, 38, 47, 47, 38, 29))
    assert len({numbers(frame)[0] for frame in film}) == 1
    assert film[-1].axioms[0].velocity == pytest.approx((-9.0, 0.0))


def test_of_two_that_nearly_look_alike_each_is_itself() -> None:
    """Another one, a little smaller and darker, is nearer to where the first was expected."""
    there = [
        scene(shape("circle", 20 + 6 * k, 40), shape("circle", 38 + 6 * k, 40, 11, red=0.9)) for k in range(4)
    ]
    film = followed([*there, scene(shape("circle", 52, 40, 11, red=0.9))])
    assert numbers(film[-1])[0] == numbers(film[0])[1]


def test_a_far_jump_is_another_object() -> None:
    film = followed([scene(shape("circle", 20, 20)), scene(shape("circle", 100, 90))])
    assert numbers(film[1]) != numbers(film[0])
    assert film[1].axioms[0].velocity is None


def test_an_object_of_another_colour_and_size_is_another_object() -> None:
    film = followed([scene(shape("circle", 20, 20)), scene(shape("circle", 22, 20, 24, red=0.0, green=0.2))])
    assert numbers(film[1]) != numbers(film[0])


def test_objects_enter_and_leave_and_no_number_is_used_twice() -> None:
    row = [shape("circle", 10.0 + 25 * i, 20) for i in range(4)]
    windows = [row[0:2], row[1:3], row[2:4], [], [], [], row[0:1]]
    film = followed(scene(*(replace(node) for node in window)) for window in windows)
    a, b = numbers(film[0])
    c, d = numbers(film[1])[1], numbers(film[2])[1]
    assert numbers(film[1]) == [b, c]
    assert numbers(film[2]) == [c, d]
    assert len({a, b, c, d, *numbers(film[-1])}) == 5


PATHS: dict[str, Callable[[int], list[tuple[float, float]]]] = {
    "head on": lambda k: [(20 + 6 * k, 60), (100 - 6 * k, 60)],
    "at an angle": lambda k: [(30 + 5 * k, 30 + 5 * k), (95 - 5 * k, 28 + 5 * k)],
    "overtaking": lambda k: [(10 + 8 * k, 60), (42 + 3 * k, 62)],
}


@pytest.mark.parametrize("make", [lambda x, y: shape("circle", x, y), ship], ids=["circles", "ships"])
@pytest.mark.parametrize("path", PATHS)
def test_two_alike_that_cross_keep_their_identities(
    path: str, make: Callable[[float, float], Observation]
) -> None:
    film = followed(scene(*(make(x, y) for x, y in PATHS[path](k))) for k in range(13))
    for frame in film:
        for then, now in zip(film[0].axioms, frame.axioms, strict=True):
            assert [node.track for node in now.walk()] == [node.track for node in then.walk()]


def test_one_of_two_that_cross_may_be_hidden_behind_the_other() -> None:
    frames = []
    for k in range(13):
        back, front = (shape("square", x, y) for x, y in PATHS["head on"](k))
        frames.append(scene(front) if k in (6, 7) else scene(front, back))
    film = followed(frames)
    assert numbers(film[-1]) == numbers(film[0])


@pytest.mark.parametrize(
    ("symbol", "size"),
    [
        ("square", (20, 20)),
        ("square", (20, 12)),
        ("triangle", (20, 20)),
        ("triangle", (14, 22)),
        ("circle", (20, 12)),
    ],
)
def test_spin_goes_on_where_the_reading_starts_again(symbol: str, size: tuple[float, float]) -> None:
    """A square is read as turned by -45 to 45 degrees only, a rectangle with its sides exchanged."""
    frames = []
    for k in range(20):
        width, height, rotation = find(symbol).symmetry.canonical(*size, 11.0 * k)
        frames.append(scene(Observation(symbol, (60, 60), (width, height), rotation, LOOKS)))
    film = followed(frames)
    assert len({numbers(frame)[0] for frame in film}) == 1
    assert [frame.axioms[0].spin for frame in film[1:]] == pytest.approx([11.0] * 19)


def test_a_circle_does_not_spin_whatever_its_rotation_is_read_as() -> None:
    film = followed(scene(shape("circle", 60, 60, rotation=turn)) for turn in (0.0, 40.0, -41.0, 12.0))
    assert len({numbers(frame)[0] for frame in film}) == 1
    assert film[-1].axioms[0].spin == 0


def test_a_whole_that_looks_the_same_upside_down_may_be_read_that_way() -> None:
    def frame(k: int) -> Scene:
        parts = [shape("square", -20, 0), shape("circle", 0, 0, 16), shape("square", 20, 0)]
        read = placed(whole("station", parts), (60, 60), 9.0 * k)
        return scene(replace(read, rotation=read.rotation + 180, parts=read.parts[::-1]) if k == 3 else read)

    film = followed(frame(k) for k in range(6))
    first = film[0].axioms[0]
    for k, (station,) in enumerate(made.axioms for made in film):
        parts = [part.track for part in station.parts]
        assert station.track == first.track
        assert (parts[::-1] if k == 3 else parts) == [part.track for part in first.parts]
        assert station.spin == (None if k == 0 else pytest.approx(9.0))


def test_primitives_keep_their_numbers_when_they_become_parts_and_when_the_whole_is_lost() -> None:
    loose = [scene(*ship(40 + 3 * k, 60).parts) for k in range(2)]
    whole_again = [scene(ship(40 + 3 * k, 60)) for k in (2, 3)]
    film = followed([*loose, *whole_again, scene(*ship(52, 60).parts)])
    parts = numbers(film[0])
    assert [part.track for part in film[2].axioms[0].parts] == parts
    assert numbers(film[4]) == parts
    assert film[2].axioms[0].track == film[3].axioms[0].track not in parts


def test_tracks_tell_for_how_long_and_as_part_of_what_an_object_was_seen() -> None:
    film = followed(
        [scene(ship(40, 60)), scene(ship(43, 60)), scene(*ship(46, 60).parts, shape("square", 90, 20))]
    )
    tracks = film[-1].tracks
    assert tracks is not None
    *parts, new = film[-1].axioms
    top = film[0].axioms[0].track
    assert top is not None
    assert new.track is not None
    for part in parts:
        assert part.track is not None
        assert tracks.frames(part.track) == 2
        assert tracks.whole_of(part.track) == (top, "ship")
    assert tracks.frames(top) == 2, "lost, and still known"
    assert tracks.frames(new.track) == 0
    assert tracks.whole_of(new.track) is None
    assert tracks.frames(999) == 0
    assert tracks.whole_of(999) is None


def test_objects_within_objects_are_followed_on_every_level() -> None:
    def fleet(k: int) -> Scene:
        return scene(placed(whole("fleet", [ship(30, 40), ship(90, 40)]), (60 + 2 * k, 60), 8.0 * k))

    film = followed(fleet(k) for k in range(6))
    first = [node.track for node in film[0].observations]
    assert all([node.track for node in frame.observations] == first for frame in film)
    assert film[-1].axioms[0].spin == pytest.approx(8.0)


def test_a_whole_that_was_learned_from_a_frame_is_followed_from_there() -> None:
    first, second = followed([scene(*ship(40, 60).parts), scene(*ship(43, 60).parts)])
    taught = scene(whole("ship", second.axioms))
    taught.tracks = second.tracks
    third = scene(ship(46, 60))
    follow(third, taught)
    assert [part.track for part in third.axioms[0].parts] == numbers(first)
    assert third.axioms[0].track == taught.axioms[0].track
    assert third.axioms[0].velocity == pytest.approx((3.0, 0.0))


def test_following_a_scene_from_a_file_is_following_the_scene() -> None:
    def frames() -> list[Scene]:
        hidden = [scene(shape("circle", 90, 90)), scene(shape("circle", 91, 90))]
        return [
            *(scene(ship(30 + 4 * k, 50, 9.0 * k), shape("circle", 88 + k, 90)) for k in range(3)),
            *hidden,
        ]

    film, last = followed(frames()), scene(ship(50, 50, 45.0), shape("circle", 93, 90))
    text = json.dumps(film[-1].to_dict())
    read = Scene.from_dict(json.loads(text))
    assert json.dumps(read.to_dict()) == text
    again = scene(ship(50, 50, 45.0), shape("circle", 93, 90))
    follow(last, film[-1])
    follow(again, read)
    assert json.dumps(last.to_dict()) == json.dumps(again.to_dict())
    assert last.axioms[0].track == film[0].axioms[0].track
    assert (
        Scene.from_dict(json.loads(json.dumps(last.to_dict()))).axioms[0].velocity == last.axioms[0].velocity
    )


def test_a_scene_written_before_there_was_motion_still_loads_and_can_be_followed() -> None:
    old = scene(shape("circle", 20, 20)).to_dict()
    del old["tracks"], old["axioms"][0]["velocity"], old["axioms"][0]["spin"]
    before, now = Scene.from_dict(old), scene(shape("circle", 23, 21))
    follow(now, before)
    assert now.axioms[0].velocity == pytest.approx((3.0, 1.0))
    assert numbers(now) == numbers(before) == [0]


def test_numbers_that_a_scene_has_already_are_kept() -> None:
    before = scene(shape("circle", 20, 20), shape("circle", 60, 60), shape("circle", 100, 20))
    before.axioms[0].track = before.axioms[2].track = 7
    now = scene(*(replace(node, track=None) for node in before.axioms))
    follow(now, before)
    assert numbers(now) == numbers(before) == [7, 8, 9], "one number twice is a mistake, and is mended"


def test_a_frame_of_another_size_cannot_follow() -> None:
    with pytest.raises(UnrenderError, match="120x120 pixels cannot follow one of 60x40"):
        follow(scene(), Scene(60, 40, []))


@pytest.mark.parametrize(
    "damage",
    [
        {"tracks": 7},
        {"tracks": {"frame": 1}},
        {"tracks": {"frame": 0, "free": 1, "known": [{"number": 0}]}},
        {"tracks": {"frame": 0, "free": "many", "known": []}},
    ],
)
def test_damaged_tracks_are_one_sentence(damage: dict[str, Any]) -> None:
    with pytest.raises(UnrenderError, match=r"^These are not the tracks of a scene: .*\.$"):
        Scene.from_dict(scene().to_dict() | damage)


def test_a_track_without_sightings_is_refused() -> None:
    data = followed([scene(shape("circle", 20, 20)), scene(shape("circle", 22, 20))])[-1].to_dict()
    data["tracks"]["known"][0]["sightings"] = []
    with pytest.raises(UnrenderError, match="track 0 needs sightings"):
        Scene.from_dict(data)


def test_a_video_of_the_world_is_seen_with_the_same_numbers_in_every_frame() -> None:
    world = Asteroids(
        128, 128, ships=(1, 1), asteroids=(1, 1), loose=(1, 1), part=(13.0, 16.0), speed=(2.0, 4.0)
    )
    film = world.sequence(np.random.default_rng(1), 4)
    with unrender.open() as brain:
        first = brain.see(film[0].image)
        ship_parts = film[0].scene.axioms[[a.symbol for a in film[0].scene.axioms].index("ship")].parts
        near = [min(first.axioms, key=lambda o: math.dist(o.position, p.position)) for p in ship_parts]
        brain.teach(first, "ship", near)
        seen = [brain.see(film[0].image)]
        for picture in film[1:]:
            seen.append(brain.see(picture.image, after=seen[-1]))
    owner: dict[int | None, int | None] = {}
    for picture, made in zip(film, seen, strict=True):
        assert sum(axiom.symbol == "ship" for axiom in made.axioms) == 1
        for leaf in made.primitives:
            truth = min(picture.scene.primitives, key=lambda o: math.dist(o.position, leaf.position))
            assert owner.setdefault(truth.track, leaf.track) == leaf.track
    assert len(owner) == len(film[0].scene.primitives)
    (one,), (two,) = ([a for a in made.axioms if a.symbol == "ship"] for made in (seen[0], seen[-1]))
    assert one.track == two.track
    true = next(axiom for axiom in film[-1].scene.axioms if axiom.symbol == "ship")
    then = next(axiom for axiom in film[-2].scene.axioms if axiom.symbol == "ship")
    assert two.velocity == pytest.approx(np.subtract(true.position, then.position), abs=0.2)
    assert two.spin == pytest.approx(math.remainder(true.rotation - then.rotation, 360), abs=0.5)
