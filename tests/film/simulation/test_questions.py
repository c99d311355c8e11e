"""Questions about what happens, what would happen, and why."""

import math

import pytest

from unrender import Observation, Scene
from unrender.errors import UnrenderError
from unrender.film.film import Film
from unrender.worlds.mechanics import Setting, Thing

RGB = ("red", "green", "blue")
RED, BLUE, GREEN = (0.9, 0.1, 0.1), (0.1, 0.1, 0.9), (0.1, 0.7, 0.1)
THINGS = (
    Thing("circle", (30, 80), (20, 20), RED, (110, 0), mass=1.5, elasticity=0.95, friction=0.0),
    Thing("square", (110, 80), (24, 24), BLUE, mass=1.0, elasticity=0.95, friction=0.0),
    Thing("circle", (60, 20), (20, 20), GREEN, (60, 0), elasticity=0.95, friction=0.0),
    Thing("square", (200, 80), (20, 40), (0.0, 0.0, 0.0), static=True, elasticity=0.95),
)


@pytest.fixture(scope="module")
def film() -> Film:
    setting = Setting(220, 160, THINGS, frames=28)
    scenes = []
    for states in setting.run().states:
        nodes = [
            Observation(
                *(thing.kind, (float(x), float(y)), thing.size, math.remainder(turn, 180.0)),
                dict(zip(RGB, thing.colour, strict=True)) | {"filled": 1.0, "thickness": 0.0},
                track=k,
            )
            for k, (thing, (x, y, turn, *_)) in enumerate(zip(setting.things, states, strict=True))
        ]
        scenes.append(Scene(220, 160, nodes, (240, 240, 240)))
    return Film(scenes, 30.0)


def test_what_will_hit_what(film):
    answer = film.ask("Will the blue box hit the black box?")
    assert answer.value is True
    assert answer.sure > 0.8
    assert film.ask("will the green ball hit the red ball in 1 second?").value is False


def test_what_happens_next_names_the_next_contact(film):
    assert "The blue square hits the black square" in str(film.ask("what happens next?"))


def test_why_a_body_moved_names_the_one_that_hit_it(film):
    answer = film.ask("Why did the blue box move?")
    assert [node.track for node in answer.value] == [0]
    assert "the red circle" in str(answer)
    assert film.ask("why does the green ball move?").value == "start"


def test_what_would_have_been_without_a_body(film):
    answer = film.ask("what if the red ball were not there?")
    assert [node.track for node in answer.value] == [1]
    assert "would not have moved" in str(answer)
    assert film.ask("would the blue box still move without the red ball?").value is False
    assert film.ask("would the green ball move if the red ball was not there?").value is True


def test_which_is_heavier_is_told_where_they_pushed_each_other(film):
    assert [node.track for node in film.ask("which is heavier?").value] == [0]
    assert film.ask("is the blue box heavier than the red ball?").value is False
    unknown = film.ask("which is heavier, the green ball or the blue box?")
    assert unknown.value == "unknown"
    assert unknown.sure == 0


def test_where_a_body_will_be(film):
    assert film.ask("where will the green ball be in 1 second?").value == pytest.approx((174, 20), abs=2)


def test_what_has_happened(film):
    assert film.ask("did the red ball hit the blue box?").value is True
    assert film.ask("did the green ball hit the blue box?").value is False


def test_gravity_and_materials_can_be_asked_for(film):
    assert film.ask("is there gravity?").value == 0.0
    assert film.ask("what is the restitution of the red ball?").value == pytest.approx(0.9, abs=0.04)
    assert film.ask("what is the mass of the green ball?").value == "unknown"


def test_any_other_question_is_about_one_frame(film):
    assert film.ask("how many circles are there?").value == 2


def test_what_cannot_be_read_is_refused_in_a_sentence(film):
    for text in ("will the ship hit the box?", "why did the ball move?", "colourless green ideas"):
        with pytest.raises(UnrenderError):
            film.ask(text)
