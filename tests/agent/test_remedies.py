"""The four remedies, and answers that correct the question."""

from collections.abc import Callable
from dataclasses import replace

import pytest

import unrender
from unrender import Answer, Brain, Cause, Scene
from unrender.agent.remedies import resolve
from unrender.capsules.network import Network

HELD_OUT = (0.1, 0.25, 0.4, 0.6, 0.75, 0.9)


@pytest.fixture
def errors(build: Callable, show: Callable) -> Callable[..., list[float]]:
    """By how much `damaged` is off on ships that were not shown, as a share of `full`."""

    def errors(brain: Brain, full: float = 1.0) -> list[float]:
        off = []
        for i, value in enumerate(HELD_OUT):
            (own,) = brain.see_again(show(build(damaged=value, at=(240.0, 200.0), turn=50.0 * i))).axioms
            off.append(abs(own.attributes["damaged"] - min(1.0, value / full)))
        return off

    return errors


def asked(brain: Brain, scene: Scene) -> unrender.Question:
    """The question about a scene, of all of its shapes if the brain has none of its own."""
    seen = brain.see_again(scene)
    return seen.question or brain.ask_about(seen, seen.primitives)


def test_a2_five_primitives_become_a_ship_which_is_seen_from_then_on(build: Callable, show: Callable) -> None:
    brain = unrender.open()
    scene = brain.see_again(show(build()))
    assert len(scene.axioms) == 5
    assert scene.question.cause is Cause.MISSING_CAPSULE
    assert brain.answer(scene.question, "ship") == "I now know a new object, ship."
    for again in (brain.see_again(scene), brain.see_again(show(build(turn=130.0, at=(300.0, 250.0))))):
        (ship,) = again.axioms
        assert (ship.symbol, ship.route, len(ship.parts)) == ("ship", "ship/1", 5)
        assert again.question is None


def test_a1_another_form_is_a_new_route(build: Callable, show: Callable) -> None:
    brain = unrender.open()
    brain.teach(show(build("asteroid")), "asteroid")
    told = brain.answer(asked(brain, show(build("asteroid", 1))), "asteroid", cause="A.1")
    assert told == "I now know asteroid in another form, asteroid/2."
    for form in (0, 1):
        (own,) = brain.see_again(show(build("asteroid", form, turn=70.0))).axioms
        assert (own.symbol, own.route) == ("asteroid", f"asteroid/{form + 1}")


def test_a1_of_a_form_that_is_known_is_one_more_example_of_it(
    brain: Brain, build: Callable, show: Callable
) -> None:
    told = brain.answer(asked(brain, show(build(turn=40.0))), "ship", cause="A.1")
    assert told == "I now know one more example of ship/1."
    assert [len(route.memory) for route in brain.symbols["ship"]] == [2]


def test_b2_one_example_is_a_new_attribute_with_a_wider_g(
    brain: Brain, shipwright: Brain, errors: Callable
) -> None:
    (before,), (after,) = brain.symbols["ship"], shipwright.symbols["ship"]
    assert after.decoder.weights[0].shape[1] == before.decoder.weights[0].shape[1] + 1
    assert shipwright.knows("ship") == (*before.names, "damaged")
    assert max(errors(shipwright)) < 0.1


def test_b2_the_intact_one_is_not_damaged_at_all(shipwright: Brain, build: Callable, show: Callable) -> None:
    (own,) = shipwright.see_again(show(build(turn=77.0))).axioms
    assert own.attributes["damaged"] < 0.05


def test_b2_the_value_may_be_told(brain: Brain, build: Callable, show: Callable, errors: Callable) -> None:
    told = brain.answer(asked(brain, show(build(damaged=0.8))), "damaged", cause="B.2", value=0.8)
    assert told == "I now know that ship can be damaged."
    assert max(errors(brain)) < 0.1


def test_b1_a_value_that_is_not_told_is_placed_between_what_is_known(
    shipwright: Brain, build: Callable, show: Callable
) -> None:
    brain = shipwright
    told = brain.answer(asked(brain, show(build(damaged=0.5))), "damaged", cause="B.1")
    values = [entry.whole.attributes["damaged"] for entry in brain.symbols["ship"][0].memory]
    assert values == pytest.approx([0.0, 1.0, 0.5], abs=0.05)
    assert told == f"I now know more of how damaged ship can be; this one is {values[2]:.2f}."


def test_b1_past_what_is_known_the_older_values_are_rescaled(
    brain: Brain, build: Callable, show: Callable, errors: Callable
) -> None:
    brain.answer(asked(brain, show(build(damaged=0.5))), "damaged", cause="B.2")
    assert max(errors(brain, full=0.5)) < 0.1
    brain.answer(asked(brain, show(build(damaged=1.0))), "damaged", cause="B.1")
    values = [entry.whole.attributes["damaged"] for entry in brain.symbols["ship"][0].memory]
    assert values == pytest.approx([0.0, 0.5, 1.0], abs=0.06)
    assert max(errors(brain)) < 0.1


def test_b1_a_position_widens_the_windows_of_the_route(brain: Brain, build: Callable, show: Callable) -> None:
    shapes = build()
    shapes[1] = replace(shapes[1], position=(116.0, 64.0))
    scene = brain.see_again(show(shapes))
    assert len(scene.axioms) == 2
    before = brain.symbols["ship"][0].widths
    told = brain.answer(scene.question, "position")
    assert told == "I now know that the parts of ship are not always in one place."
    (after,) = brain.symbols["ship"]
    assert after.widths[1, 0] > 1.5 * before[1, 0]
    assert (after.widths >= before - 1e-9).all()
    (own,) = brain.see_again(scene).axioms
    assert own.symbol == "ship"


def test_b1_of_what_the_parts_have_is_one_more_example(brain: Brain, build: Callable, show: Callable) -> None:
    brain.answer(asked(brain, show(build(damaged=1.0))), "red", cause="B.1")
    (route,) = brain.symbols["ship"]
    assert len(route.memory) == 2
    assert route.own == ()


@pytest.mark.parametrize(
    ("name", "cause"), [("ship", "A.1"), ("damaged", "B.2"), ("position", "B.1"), ("red", "B.1")]
)
def test_a_word_alone_says_which_cause_it_is(
    name: str, cause: str, brain: Brain, build: Callable, show: Callable
) -> None:
    """Of a question that proposes an attribute."""
    question = asked(brain, show(build(damaged=1.0)))
    assert not question.cause.about_parts
    assert resolve(brain._knowledge.network, question, Answer(name)).cause == cause


def test_a_new_word_is_a_noun_where_the_question_asks_for_one(build: Callable, show: Callable) -> None:
    question = asked(unrender.open(), show(build()))
    assert resolve(Network({}), question, Answer("ship")).cause == "A.2"


def test_a_new_word_is_a_noun_for_other_parts_than_those_of_what_they_resemble(
    brain: Brain, build: Callable, show: Callable
) -> None:
    question = asked(brain, show(build(damaged=1.0)))
    assert not question.cause.about_parts
    network = brain._knowledge.network
    assert resolve(network, question, Answer("hull", parts=question.parts[:2])).cause == "A.2"
    assert resolve(network, question, Answer("damaged", parts=question.parts)).cause == "B.2"


def test_the_answer_may_correct_the_cause(brain: Brain, build: Callable, show: Callable) -> None:
    question = asked(brain, show(build(damaged=1.0)))
    assert question.cause is not Cause.MISSING_CAPSULE
    row = brain.matrix.rows["same parent"]
    brain.answer(question, "wreck", cause="A.2")
    assert set(brain.symbols) == {"ship", "wreck"}
    assert brain.matrix.rows["same parent"] == (row[0], row[1] + 1, *row[2:])


def test_the_answer_may_leave_parts_out_and_add_others(build: Callable, show: Callable) -> None:
    brain = unrender.open()
    scene = brain.see_again(show(build(), build("asteroid", at=(380.0, 380.0))))
    by_depth = {part.depth: part for part in scene.axioms}
    assert len(scene.question.parts) == 5
    brain.answer(scene.question, "odd", parts=[by_depth[0], by_depth[1], by_depth[5]])
    assert brain.symbols["odd"][0].parts == ("square", "circle", "circle")


def test_the_matrix_learns_from_the_parts_as_they_were_corrected(
    brain: Brain, build: Callable, show: Callable
) -> None:
    """A damaged ship resembles the ship; its hull and cabin alone do not."""
    question = asked(brain, show(build(damaged=1.0)))
    assert "same parent" in question.features
    before = brain.matrix.rows
    brain.answer(question, "hull", cause="A.2", parts=question.parts[:2])
    assert brain.matrix.rows["same parent"] == before["same parent"]
    assert brain.matrix.rows["not the same parent"][1] == before["not the same parent"][1] + 1


def test_the_answer_may_say_which_object_it_is_about(brain: Brain, build: Callable, show: Callable) -> None:
    """What resembles a wreck most is a ship, though, and a damaged one."""
    brain.teach(show(build(damaged=1.0)), "wreck")
    shapes = build(damaged=1.0)
    shapes[1] = replace(shapes[1], position=(112.0, 64.0))
    question = asked(brain, show(shapes))
    assert question.resembles == "wreck"
    meant = resolve(
        brain._knowledge.network, question, Answer("damaged", Cause.MISSING_ATTRIBUTE, symbol="ship")
    )
    assert (meant.symbol, meant.node.route, len(meant.node.parts)) == ("ship", "ship/1", 5)
    assert resolve(brain._knowledge.network, question, Answer("damaged", "B.2")).symbol == "wreck"


def test_an_answer_as_one_object_says_the_same_as_its_words_one_by_one(
    build: Callable, show: Callable
) -> None:
    """Whichever way, the lesson has the same title and makes the same grammar."""
    known = []
    for answer, more in [(Answer("boat", "A.2"), {}), ("boat", {"cause": "a2"})]:
        brain = unrender.open()
        question = asked(brain, show(build()))
        brain.answer(question, answer, **more)
        known.append((str(brain.grammar), brain.lessons[-1].title))
    assert known[0] == known[1]


def test_an_answer_about_a_whole_with_hidden_parts_takes_what_was_seen_of_it_and_says_so(
    brain: Brain, build: Callable, show: Callable
) -> None:
    scene = brain.see_again(show(build(damaged=1.0)))
    (guess,) = (axiom for axiom in scene.axioms if axiom.symbol == "ship")
    assert guess.hidden
    told = brain.answer(brain.ask_about(scene, scene.axioms), "wreck", cause="A.2")
    assert told == (
        "I now know a new object, wreck. "
        "Some parts of the ship could not be seen, so only those that could were taken."
    )
    (route,) = brain.symbols["wreck"]
    assert sorted(route.parts) == ["circle", "square", "triangle", "triangle", "triangle"]
    assert "ship" not in brain.lessons[-1].title


def test_an_answer_that_is_known_already_says_so(brain: Brain, build: Callable, show: Callable) -> None:
    scene = brain.see_again(show(build()))
    (ship,) = scene.axioms
    told = brain.answer(brain.ask_about(scene, ship.parts), "ship", cause="A.1")
    assert told == "I know this ship already, as ship/1."
    assert len(brain.symbols["ship"][0].memory) == 1


def test_yes_answers_whether_it_is_also_what_it_resembles(
    brain: Brain, build: Callable, show: Callable
) -> None:
    scene = brain.see_again(show(build(form=1)))
    question = brain.ask_about(scene, scene.axioms)
    question.cause = Cause.LACKING_ROUTE  # what the decision matrix would say after enough answers
    assert question.resembles == "ship"
    assert str(question).endswith("Is this also a ship?")
    assert brain.answer(question, "yes").startswith("I now know")
    assert [axiom.symbol for axiom in brain.see_again(scene).axioms] == ["ship"]
