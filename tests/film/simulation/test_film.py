"""Films whose scenes are known, without seeing: their worlds, what follows, and what would be otherwise."""

import math
from dataclasses import replace

import pytest

from unrender import Observation, Scene
from unrender.errors import UnrenderError
from unrender.film.film import Film
from unrender.worlds.mechanics import WALL, Link, Setting, Thing

RGB = ("red", "green", "blue")
THINGS = (
    Thing("circle", (30, 80), (20, 20), (0.9, 0.1, 0.1), (110, 0), mass=1.5, elasticity=0.95, friction=0.0),
    Thing("square", (110, 84), (24, 24), (0.1, 0.1, 0.9), mass=1.0, elasticity=0.95, friction=0.0),
    Thing("circle", (60, 20), (20, 20), (0.1, 0.7, 0.1), (15, 10), elasticity=0.95, friction=0.0),
)
TABLE = Setting(220, 160, THINGS, frames=45)


def filmed(setting: Setting) -> Film:
    """A film that was seen without any error."""
    scenes = []
    for states in setting.run().states:
        nodes = [
            Observation(
                *(thing.kind, (float(x), float(y)), thing.size, math.remainder(turn, 90.0)),
                dict(zip(("red", "green", "blue"), thing.colour, strict=True))
                | {"filled": 1.0, "thickness": 0.0},
                track=k,
            )
            for k, (thing, (x, y, turn, *_)) in enumerate(zip(setting.things, states, strict=True))
        ]
        scenes.append(Scene(setting.width, setting.height, nodes, (240, 240, 240)))
    return Film(scenes, setting.fps)


@pytest.fixture(scope="module")
def table() -> Film:
    return filmed(TABLE)


def at(film: Film, frame: int, track: int) -> tuple[float, float]:
    return next(node.position for node in film.scenes[frame].axioms if node.track == track)


def test_a_film_tells_its_world(table):
    assert table.world.gravity == (0.0, 0.0)
    assert [body.track for body in table.world.bodies] == [1, 0, 2]  # by area
    ball, box = table.world.body(0), table.world.body(1)
    assert ball.mass / box.mass == pytest.approx(1.5, rel=0.05)
    assert ball.restitution == pytest.approx(0.95**2, abs=0.03)


def test_a_prediction_goes_on_where_the_film_ends(table):
    longer = table.predict(0.5)
    assert len(longer) == 45 + 15
    truth = replace(TABLE, frames=60).run().states[-1]
    for track in range(3):
        assert math.dist(at(longer, -1, track), truth[track, :2]) < 2
    assert longer.scenes[-1].image.shape == (160, 220, 3)


def test_without_a_body_it_is_not_there_and_what_it_hit_stays(table):
    other = table.without(table.world.body(0))
    assert all(node.track != 0 for scene in other.scenes for node in scene.axioms)
    assert math.dist(at(other, -1, 1), (110, 84)) < 1
    assert at(other, -1, 2) == at(table, -1, 2)


def test_a_body_is_meant_by_its_track_its_number_or_its_name(table):
    ways = [table.tracks[1], 0, "circle.2", table.scenes[0].axioms[0]]
    for meant in ways:
        assert {node.track for node in table.without(meant).scenes[-1].axioms} == {1, 2}


def test_what_nobody_knows_is_refused_in_a_sentence(table):
    for meant in (17, "ship.1", "circle"):
        with pytest.raises(UnrenderError):
            table.without(meant)
    for change in ("circle.1.taste=2", "circle.1.velocity=fast", "circle.9.x+=1", "gravity=up"):
        with pytest.raises(UnrenderError):
            table.what_if(change)
    with pytest.raises(UnrenderError):
        table.predict(-1)


def test_a_body_with_another_velocity_goes_elsewhere(table):
    slower = table.what_if("circle.2.velocity*=0.5")
    assert at(slower, 20, 0)[0] == pytest.approx(30 + 55 * 20 / 30, abs=1)
    assert at(slower, 20, 1) == pytest.approx((110, 84), abs=0.5)  # in the film it is hit by then


def test_with_other_gravity_everything_falls(table):
    falling = table.what_if("gravity=0,100")
    assert at(falling, 30, 2)[1] == pytest.approx(20 + 10 + 50, abs=1)


def test_a_heavier_body_pushes_harder(table):
    pushed = table.what_if("circle.2.mass*=10")
    assert at(pushed, -1, 1)[0] > at(table, -1, 1)[0] + 5


def test_a_line_that_is_drawn_follows_the_ball_that_hangs_on_it():
    ball = Thing("circle", (150, 90), (20, 20))
    setting = Setting(220, 170, (ball,), (0.0, 300.0), links=(Link(0, WALL, (110, 20), 80.6),), frames=60)
    film = filmed(setting)
    scenes = []
    for scene in film.scenes:
        (x, y), (px, py) = scene.axioms[0].position, (110, 20)
        size, turn = (math.dist((x, y), (px, py)), 2.0), math.degrees(math.atan2(y - py, x - px))
        line = Observation("edge", ((x + px) / 2, (y + py) / 2), size, turn, track=9)
        scenes.append(Scene(220, 170, [line, scene.axioms[0]], (240, 240, 240)))
    film = Film(scenes, 30.0)
    assert [body.track for body in film.world.bodies] == [0]
    assert film.world.springs[0].length == pytest.approx(80.6, abs=1)
    line, ball = film.predict(0.3).scenes[-1].axioms
    assert math.dist(line.position, ((ball.position[0] + 110) / 2, (ball.position[1] + 20) / 2)) < 1


def test_a_film_tells_in_words_what_it_knows_and_what_it_cannot_tell(table):
    told = table.describe()
    assert "There is no gravity." in told
    assert "times as heavy as" in told
    alone = filmed(replace(TABLE, things=THINGS[2:])).describe()
    assert "The film cannot tell masses, restitution and friction." in alone


def test_a_film_of_one_frame_is_described_but_has_no_world():
    film = Film([Scene(20, 20, [Observation("circle", (10, 10), (6, 6), track=0)])])
    assert film.describe()
    with pytest.raises(UnrenderError, match="too short"):
        _ = film.world
