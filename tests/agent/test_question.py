"""What a question tells, and a question about parts that somebody has chosen."""

from collections.abc import Callable

import pytest

import unrender
from unrender import Brain, Cause, UnrenderError
from unrender.agent.question import TOLD


def test_a_question_about_the_unknown_tells_what_is_seen_and_asks_for_a_noun(
    build: Callable, show: Callable
) -> None:
    question = unrender.open().see_again(show(build())).question
    assert question.cause is Cause.MISSING_CAPSULE
    assert question.resembles is None
    assert question.near is None
    assert question.names == ()
    assert question.differences == []
    assert str(question).startswith("I see ")
    assert str(question).endswith("What new noun best describes them?")


def test_a_question_about_the_nearly_known_tells_what_it_resembles_and_what_differs(
    brain: Brain, build: Callable, show: Callable
) -> None:
    question = brain.see_again(show(build(damaged=1.0))).question
    assert question.resembles == "ship"
    assert question.names == ("ship",)
    assert {own.attribute for own in question.differences} == {"position", "rotation"}
    assert {own.part for own in question.differences} == {"triangle"}
    assert "ship" in str(question)
    assert "triangle" in str(question)
    assert str(question).endswith("?")


def test_the_options_are_all_causes_the_proposed_one_first(
    brain: Brain, build: Callable, show: Callable
) -> None:
    for shapes in (build(damaged=1.0), build("asteroid")):
        question = brain.see_again(show(shapes)).question
        assert set(question.options) == set(Cause)
        assert question.options[0] is question.cause


def test_an_attribute_is_not_proposed_where_nothing_has_these_parts(
    brain: Brain, build: Callable, show: Callable
) -> None:
    for shapes in (build("asteroid"), build()[:3]):
        question = brain.ask_about(scene := show(shapes), scene.axioms)
        assert question.cause.about_parts


def test_a_question_tells_a_few_differences_only(brain: Brain, build: Callable, show: Callable) -> None:
    shapes = build(damaged=1.0, thrusting=1.0)
    shapes[1].attributes["filled"] = 1.0
    question = brain.ask_about(scene := show(shapes), scene.axioms)
    assert len(question.differences) == TOLD
    names = [own.attribute for own in question.differences]
    assert len(set(names)) == len(names)


def test_somebody_may_choose_what_is_asked_about(brain: Brain, build: Callable, show: Callable) -> None:
    scene = brain.see_again(show(build("asteroid"), build("station", at=(350.0, 350.0))))
    chosen = scene.axioms[:2]
    question = brain.ask_about(scene, chosen)
    assert scene.question is question
    assert question.parts == chosen
    brain.answer(question, "pebbles")
    assert brain.symbols["pebbles"][0].parts == ("circle", "circle")


def test_a_known_object_may_be_asked_about_too(brain: Brain, build: Callable, show: Callable) -> None:
    scene = brain.see_again(show(build(damaged=0.4)))
    (ship,) = scene.axioms
    assert scene.question is None
    question = brain.ask_about(scene, ship.parts)
    assert question.resembles == "ship"
    assert question.near.whole.parts == ship.parts


def test_only_parts_of_the_scene_can_be_asked_about(brain: Brain, build: Callable, show: Callable) -> None:
    scene, other = brain.see_again(show(build("asteroid"))), show(build("asteroid"))
    with pytest.raises(UnrenderError, match="part of another scene"):
        brain.ask_about(scene, other.axioms)
    with pytest.raises(UnrenderError, match="at least one part"):
        brain.ask_about(scene, [])
