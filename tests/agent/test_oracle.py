"""Who answers: any callable, the truth of a world, or nobody."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

import unrender
from unrender import Answer, Brain, Cause, Scene, UnrenderError, attend
from unrender.agent.matrix import DecisionMatrix
from unrender.agent.oracle import Nobody, Truth, match, observed, understood, variants
from unrender.worlds import Asteroids


def as_seen(scene: Scene) -> Scene:
    """The shapes of a true scene, without what they truly are."""
    return Scene(scene.width, scene.height, [replace(leaf, scene=None) for leaf in scene.primitives])


def decided(cause: Cause) -> DecisionMatrix:
    """A matrix that decides for one cause, where anything like it is known."""
    row = tuple(9 * (cause is own) for own in Cause)
    return DecisionMatrix({"same parent": row})  # type: ignore[arg-type]


def test_any_callable_may_answer_with_a_word_an_answer_or_none(build: Callable, show: Callable) -> None:
    brain = unrender.open()
    done = attend(brain, show(build()), lambda question: "ship")
    assert [axiom.symbol for axiom in done.scene.axioms] == ["ship"]
    done = attend(brain, show(build(damaged=1.0)), lambda question: Answer("damaged", "B.2"))
    assert "damaged" in done.scene.axioms[0].attributes
    done = attend(brain, show(build("asteroid")), lambda question: None)
    assert [exchange.told for exchange in done.exchanges] == [None] * len(done.exchanges)
    assert set(brain.symbols) == {"ship"}


def test_nobody_invents_names_that_are_free_and_can_be_changed_later(build: Callable, show: Callable) -> None:
    brain = unrender.open()
    for shapes in (build(), build("asteroid"), build("station")):
        (own,) = attend(brain, show(shapes), Nobody(brain)).scene.axioms
        assert own.symbol in brain.symbols
    assert sorted(brain.symbols) == ["object1", "object2", "object3"]
    brain.rename("object1", "ship")
    (own,) = brain.see_again(show(build(turn=20.0))).axioms
    assert own.symbol == "ship"


def test_nobody_gives_a_known_object_another_form(build: Callable, show: Callable) -> None:
    brain = unrender.open(matrix=decided(Cause.LACKING_ROUTE))
    brain.teach(show(build("asteroid")), "asteroid")
    attend(brain, show(build("asteroid", 1)), Nobody(brain))
    assert [route.name for route in brain.symbols["asteroid"]] == ["asteroid/1", "asteroid/2"]


def test_nobody_invents_an_attribute_and_shows_more_of_it_later(build: Callable, show: Callable) -> None:
    brain = unrender.open(matrix=decided(Cause.MISSING_ATTRIBUTE))
    brain.teach(show(build()), "ship")
    attend(brain, show(build(damaged=1.0)), Nobody(brain))
    assert brain.knows("ship")[-1] == "quality1"
    brain.rename("quality1", "damaged")
    (own,) = brain.see_again(show(build(damaged=0.7))).axioms
    assert own.attributes["damaged"] == pytest.approx(0.7, abs=0.1)
    question = brain.ask_about(scene := brain.see_again(show(build())), scene.primitives)
    more = replace(question, cause=Cause.LACKING_DATA)
    assert Nobody(brain)(more) == Answer("damaged", Cause.LACKING_DATA)
    assert Nobody(brain)(replace(question, cause=Cause.MISSING_ATTRIBUTE)).name == "quality1"


def test_nobody_takes_a_lack_of_data_for_parts_that_are_not_always_in_one_place(
    build: Callable, show: Callable
) -> None:
    brain = unrender.open(matrix=decided(Cause.LACKING_DATA))
    brain.teach(show(build()), "ship")
    done = attend(brain, show(build(damaged=1.0)), Nobody(brain))
    assert [exchange.reply for exchange in done.exchanges] == [Answer("position", Cause.LACKING_DATA)]
    assert brain.symbols["ship"][0].loose


def test_what_nobody_says_is_never_refused(build: Callable, show: Callable) -> None:
    brain = unrender.open()
    rng = np.random.default_rng(3)
    world = Asteroids(ships=(1, 1), asteroids=(1, 1), loose=(0, 1))
    for _ in range(4):
        attend(brain, as_seen(world.sample(rng).scene), Nobody(brain))
    assert len(brain.lessons) > 3


def test_the_oracle_may_be_exchanged_and_taken_away_at_any_time(build: Callable, show: Callable) -> None:
    brain = unrender.open()
    attend(brain, show(build()), lambda question: "ship")
    attend(brain, show(build("station")), Nobody(brain))
    lessons, matrix = brain.lessons, brain.matrix
    done = attend(brain, show(build("asteroid")), None)
    assert done.exchanges == []
    assert done.scene.question is not None
    assert (brain.lessons, brain.matrix) == (lessons, matrix)
    assert [attend(brain, show(own), None).scene.axioms[0].symbol for own in (build(), build("station"))] == [
        "ship",
        "object1",
    ]


def test_the_truth_teaches_a_world_until_nothing_is_left_to_ask() -> None:
    world = Asteroids(width=320, height=320, ships=(1, 1), asteroids=(1, 1), loose=(0, 2), damaged=0.5)
    rng = np.random.default_rng(3)
    brain = unrender.open()
    truth = Truth(brain)
    told, clear = [], 0
    for _ in range(10):
        true = world.sample(rng).scene
        truth.scene = true
        done = attend(brain, as_seen(true), truth)
        told.append(len(done.exchanges))
        clear += all(understood(own, done.scene) for own in true.axioms if own.parts)
    assert clear >= 7
    assert set(brain.symbols) == {"ship", "asteroid"}
    assert "damaged" in brain.knows("ship")
    assert sum(told[:5]) > sum(told[5:])
    off = []
    for _ in range(5):
        true = world.sample(rng).scene
        seen = brain.see_again(as_seen(true))
        for ship in (own for own in true.axioms if own.symbol == "ship"):
            off.append(abs(match(ship, seen.observations).attributes["damaged"] - ship.attributes["damaged"]))
    assert np.mean(off) < 0.1


def test_the_truth_says_which_cause_it_is(build: Callable, show: Callable) -> None:
    def told(scene: Scene, **values: float) -> Answer | None:
        """What the truth says of shapes that are a ship with these values."""
        seen = brain.see_again(scene)
        parts = [replace(own, scene=None) for own in seen.primitives]
        middle = tuple(np.mean([own.position for own in parts], axis=0))
        top = unrender.Observation("ship", middle, (60.0, 80.0), 0.0, values, route=form, parts=parts)
        truth.scene = Scene(500, 500, [top])
        return truth(brain.ask_about(seen, seen.primitives))

    brain = unrender.open()
    truth, form = Truth(brain), "ship/1"
    truth.scene = show(build())
    assert truth(brain.see_again(show(build())).question) is None  # no object in it
    assert told(show(build(damaged=1.0)), damaged=1.0) is None  # a new object that is damaged: too much
    first = told(show(build()), damaged=0.0)
    assert (first.name, first.cause) == ("ship", Cause.MISSING_CAPSULE)
    brain.teach(show(build()), "ship")
    second = told(show(build(damaged=1.0)), damaged=1.0)
    assert (second.name, second.cause, second.value, second.symbol) == ("damaged", "B.2", 1.0, "ship")
    loose = told(show(build(damaged=1.0)), damaged=0.0)
    assert (loose.name, loose.cause) == ("position", Cause.LACKING_DATA)
    form = "ship/2"
    other = told(show(build(form=1)), damaged=0.0)
    assert (other.name, other.cause) == ("ship", Cause.LACKING_ROUTE)


def test_an_object_that_was_not_seen_whole_has_no_answer(build: Callable, show: Callable) -> None:
    whole = show(build())
    top = unrender.Observation("ship", (100.0, 88.0), (80.0, 90.0), parts=[*whole.axioms])
    assert len(observed(top, show(build()))) == 5
    assert observed(top, show(build()[:4])) is None
    assert variants(replace(top, attributes={"damaged": 0.0, "red": 1.0})) == ["damaged"]


def test_an_oracle_whose_answer_is_refused_says_so(brain: Brain, build: Callable, show: Callable) -> None:
    with pytest.raises(UnrenderError, match="is a primitive"):
        attend(brain, show(build("asteroid")), lambda question: "circle")
    assert len(brain.lessons) == 1
