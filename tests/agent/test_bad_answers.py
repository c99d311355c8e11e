"""A bad answer is one clear error; the question stays open, and nothing changes."""

from collections.abc import Callable

import pytest

import unrender
from unrender import Answer, Brain, Question, UnrenderError


@pytest.fixture
def question(brain: Brain, build: Callable, show: Callable) -> Question:
    """About a ship that is damaged beyond recognition."""
    question = brain.see_again(show(build(damaged=1.0))).question
    assert question is not None
    return question


def refused(brain: Brain, question: Question, match: str, *answer: object, **more: object) -> None:
    """An answer is refused with one sentence, and leaves all as it was."""
    before = (brain.lessons, str(brain.grammar), brain.matrix, brain.knows("ship"))
    with pytest.raises(UnrenderError, match=match) as caught:
        brain.answer(question, *answer, **more)
    assert "\n" not in str(caught.value)
    assert (brain.lessons, str(brain.grammar), brain.matrix, brain.knows("ship")) == before
    assert not question.answered
    assert question.scene.question is question


def test_after_a_bad_answer_a_good_one_is_taken(brain: Brain, question: Question) -> None:
    refused(brain, question, "primitive", "circle", cause="A.2")
    brain.answer(question, "wreck", cause="A.2")
    assert "wreck" in brain.symbols


@pytest.mark.parametrize("word", ["", "   ", None, 7])
def test_an_empty_answer(brain: Brain, question: Question, word: object) -> None:
    refused(brain, question, "needs a word", word)


@pytest.mark.parametrize("cause", ["C.1", "", "A", 3])
def test_an_unknown_cause(brain: Brain, question: Question, cause: object) -> None:
    refused(brain, question, r"is not a cause; it is one of A\.1", "wreck", cause=cause)


CONTRADICTIONS = {
    "a known object as a new one": ("ship", "A.2", {}, r"\[ship\] is known already; answer A\.1"),
    "a new object as a known one": ("boat", "A.1", {}, r"\[boat\] is not known yet.*answer A\.2"),
    "a new attribute as a known one": ("bent", "B.1", {}, r'no attribute "bent" yet; answer B\.2'),
    "a known attribute as a new one": ("red", "B.2", {}, r'has the attribute "red" already; answer B\.1'),
    "an object with a value": ("boat", "A.2", {"value": 0.5}, "An object has no value"),
    "a place with a value": ("position", "B.1", {"value": 0.5}, "has no value"),
    "a place that is new": ("position", "B.2", {}, "answer B"),
    "two objects at once": ("boat", "A.2", {"symbol": "ship"}, r"both \[boat\] and \[ship\]"),
    "an attribute of an unknown object": ("bent", "B.2", {"symbol": "boat"}, r"no symbol \[boat\]"),
    "an attribute of a primitive": ("bent", "B.2", {"symbol": "circle"}, "is a primitive"),
    "too much of an attribute": ("bent", "B.2", {"value": 1.5}, "between 0 and 1"),
    "less than nothing of it": ("bent", "B.2", {"value": -0.1}, "between 0 and 1"),
    "no number of it": ("bent", "B.2", {"value": float("nan")}, "between 0 and 1"),
    "a word for a number": ("bent", "B.2", {"value": "very"}, "between 0 and 1"),
    "an example without what it shows": ("bent", "B.2", {"value": 0.0}, "must show it"),
    "another value than the parts have": ("red", "B.1", {"value": 0.1}, "comes from its parts"),
}


@pytest.mark.parametrize(("name", "cause", "more", "match"), CONTRADICTIONS.values(), ids=CONTRADICTIONS)
def test_a_contradictory_answer(
    brain: Brain, question: Question, name: str, cause: str, more: dict, match: str
) -> None:
    refused(brain, question, match, Answer(name, cause, **more))


@pytest.mark.parametrize(
    ("name", "cause", "match"),
    [
        ("ship", "B.2", '"ship" is the name of an object'),
        ("circle", "B.2", '"circle" is the name of an object'),
        ("ship", "B.1", '"ship" is the name of an object'),
        ("red", "A.2", '"red" is an attribute already'),
        ("rotation", "A.2", '"rotation" is an attribute already'),
        ("circle", "A.2", r"\[circle\] is a primitive"),
        ("circle", "A.1", r"\[circle\] is a primitive"),
    ],
)
def test_a_name_taken_by_another_kind_of_word(
    brain: Brain, question: Question, name: str, cause: str, match: str
) -> None:
    refused(brain, question, match, name, cause=cause)


def test_a_taught_attribute_is_not_a_noun(shipwright: Brain, build: Callable, show: Callable) -> None:
    question = shipwright.see_again(show(build("asteroid"))).question
    refused(shipwright, question, '"damaged" is an attribute already', "damaged", cause="A.2")


@pytest.mark.parametrize("name", ["red", "thickness", "circle", "width"])
def test_words_of_the_primitives_are_taken_before_anything_is_learned(
    name: str, build: Callable, show: Callable
) -> None:
    brain = unrender.open()
    question = brain.see_again(show(build())).question
    refused(brain, question, "is an attribute|is a primitive|Nothing known resembles", name)


@pytest.mark.parametrize("name", ["sh!p", "2nd", "a  b", "-", "sh\nip"])
def test_a_word_that_is_no_name(brain: Brain, question: Question, name: str) -> None:
    for cause in ("A.2", "B.2"):
        refused(brain, question, r"cannot name an? (symbol|attribute)", name, cause=cause)


def test_parts_that_are_no_parts(brain: Brain, question: Question, build: Callable, show: Callable) -> None:
    other = show(build()).axioms
    for parts, match in [
        ([], "at least one part"),
        (["circle"], "must be an observation"),
        (other, "another scene"),
        (question.parts[:1] * 2, "given twice"),
    ]:
        with pytest.raises(UnrenderError, match=match):
            brain.answer(question, "wreck", cause="A.2", parts=parts)
    assert not question.answered
    assert set(brain.symbols) == {"ship"}


def test_an_attribute_of_parts_that_make_up_nothing_known(brain: Brain, question: Question) -> None:
    refused(
        brain, question, r"exactly these parts; answer A\.1", "bent", cause="B.2", parts=question.parts[:4]
    )


def test_an_attribute_where_nothing_is_known(build: Callable, show: Callable) -> None:
    brain = unrender.open()
    question = brain.see_again(show(build())).question
    refused(brain, question, "Nothing known resembles these parts", "bent", cause="B.2")


def test_a_question_of_an_older_scene(
    brain: Brain, question: Question, build: Callable, show: Callable
) -> None:
    brain.see_again(show(build("asteroid")))
    for act in (lambda: brain.answer(question, "wreck"), lambda: brain.skip(question)):
        with pytest.raises(UnrenderError, match="older scene; see that picture again"):
            act()
    assert not question.answered
    assert len(brain.lessons) == 1
    again = brain.see_again(question.scene).question
    brain.answer(again, "wreck", cause="A.2")


def test_a_question_of_another_brain(brain: Brain, question: Question) -> None:
    with pytest.raises(UnrenderError, match="older scene"):
        unrender.open().answer(question, "wreck")


def test_a_question_that_was_answered_or_skipped_before(
    brain: Brain, question: Question, build: Callable, show: Callable
) -> None:
    brain.answer(question, "wreck", cause="A.2")
    with pytest.raises(UnrenderError, match="has been answered"):
        brain.answer(question, "hulk", cause="A.2")
    with pytest.raises(UnrenderError, match="has been answered"):
        brain.skip(question)
    skipped = brain.see_again(show(build("asteroid"))).question
    brain.skip(skipped)
    with pytest.raises(UnrenderError, match="has been answered"):
        brain.answer(skipped, "asteroid")
    assert set(brain.symbols) == {"ship", "wreck"}
    assert len(brain.lessons) == 3


@pytest.mark.parametrize("thing", [None, "ship", 4])
def test_what_is_no_question(brain: Brain, thing: object) -> None:
    with pytest.raises(UnrenderError, match="belongs to a scene's question"):
        brain.answer(thing, "ship")
    with pytest.raises(UnrenderError, match="belongs to a scene's question"):
        brain.skip(thing)
