"""What people write: questions, edits, answers and names, damaged in every way."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st

import unrender
from unrender import Scene

from .cases import corpus, ended, fuzz, kept
from .mutators import SNIPPETS, mistyped, numbers

SCENE = json.loads(corpus("scenes")[0])
QUESTIONS = [
    "how many circles are left of the largest ship?",
    "is there a red triangle between a square and the smallest asteroid?",
    "what colour is the thing nearest to the ship that is not very large?",
    "which is larger, the leftmost circle or the biggest square?",
    "does the ship have more than two parts?",
    "are there as many circles as squares in the picture?",
    "how far is the circle from the ship?",
    "is the largest circle larger than every triangle and slightly red or outlined?",
    "which parts does the ship have?",
    "how many more circles than squares are there that aren't part of a ship?",
    "is the second circle from the left's colour the same as that of both asteroids?",
    "which of the ships is more damaged, the left one or the one in the top right corner?",
]
WORDS = sorted({word.strip("?,") for question in QUESTIONS for word in question.split()})
EDITS = [
    *(
        "ship.1.red=1",
        "ship.*.rotation+=45",
        "remove circle.1",
        "*.position=20,30",
        "1.size*=2",
        "circle.width/=3",
    ),
    *(
        "ship.1.triangle.1.colour=dark blue",
        "asteroid.1.colour=#ff8000",
        "ship.x-=1e3",
        "delete ship.1.circle.2",
    ),
    *(
        "make the ship blue and 50% bigger",
        "move the left circle up a bit",
        "delete all triangles except the largest one",
        "turn the ship by 30 degrees to the left, then make it as wide as the circle",
        "swap the two largest circles",
        "undo",
    ),
]
sentences = st.lists(st.sampled_from(WORDS) | st.sampled_from(SNIPPETS), max_size=70).map(" ".join)


def scene() -> Scene:
    return Scene.from_dict(SCENE)


@fuzz(30, question=mistyped(QUESTIONS) | sentences | st.text())
def test_any_question_is_answered_or_refused(question: str) -> None:
    answer = ended(lambda: scene().ask(question))
    if answer is not None:
        assert str(answer)
        assert str(answer.steps)


@fuzz(30, edits=st.lists(mistyped(EDITS) | st.text(), min_size=1, max_size=3))
def test_any_edit_is_made_or_refused(edits: list[str]) -> None:
    own = scene()
    before = own.to_dict()
    done = ended(lambda: own.edit(*edits))
    if done is None:
        assert own.to_dict() == before
    else:
        ended(lambda: own.image)
        ended(own.describe)


names = st.sampled_from(["lamp", "circle", "red", "x", "lamp/1", "half open", ""]) | mistyped(
    ["lamp", "belt-scene"]
)
answers = st.fixed_dictionaries(
    {"answer": names},
    optional={
        "cause": st.sampled_from(["A.1", "A.2", "B.1", "B.2", "C", "", 3, None]),
        "value": numbers | st.sampled_from([None, "1", []]),
        "parts": st.lists(st.integers(0, 3), max_size=3),
    },
)


@pytest.fixture(scope="module")
def primitives() -> Scene:
    """A circle and a square, as they are seen."""
    brain = unrender.open()
    picture = brain.draw("circle", position=(26, 42), size=(24, 24))
    return brain.see(brain.draw("square", position=(54, 42), size=(20, 20), canvas=picture))


@fuzz(6, given=answers)
def test_any_answer_is_learned_or_refused(primitives: Scene, given: dict[str, Any]) -> None:
    brain = unrender.open()
    seen = brain.see_again(primitives)
    question = seen.question
    assert question is not None
    parts = (
        [seen.observations[i % len(seen.observations)] for i in given.pop("parts")]
        if "parts" in given
        else None
    )
    if ended(lambda: brain.answer(question, **given, parts=parts)) is not None:
        ended(lambda: str(brain.grammar))
        ended(lambda: brain.see_again(primitives).question)


@fuzz(5, old=names, new=names)
def test_any_name_is_given_or_refused(primitives: Scene, old: str, new: str) -> None:
    brain = unrender.open()
    if ended(lambda: brain.teach(brain.see_again(primitives), old)) is not None:
        ended(lambda: brain.rename(old, new))
        ended(lambda: brain.forget(new))


drawings = st.dictionaries(
    st.sampled_from(["position", "size", "rotation", "red", "filled", "thickness", "x", "\0"]),
    numbers | st.tuples(numbers, numbers) | st.sampled_from([None, "", "red", (), (1,), np.zeros(3)]),
    max_size=4,
)
canvases = st.tuples(numbers, numbers) | st.sampled_from(
    [(40, 30), (40, 30), None, (), "ab", np.zeros((0, 3), "u1")]
)


@fuzz(10, symbol=names, attributes=drawings, canvas=canvases)
def test_anything_is_drawn_or_refused(symbol: str, attributes: dict[str, Any], canvas: Any) -> None:
    ended(lambda: unrender.open().draw(symbol, canvas=canvas, **attributes))


@pytest.mark.parametrize("path", kept("questions"), ids=lambda path: path.name)
def test_words_that_once_failed_do_not_fail_again(path: Path) -> None:
    text = path.read_bytes().decode("utf-8", "surrogatepass")
    ended(lambda: scene().ask(text))
    ended(lambda: scene().edit(text))
    ended(lambda: Scene.from_dict(SCENE).edit(f"1.x={text}"))


@pytest.mark.parametrize(
    "question",
    [
        "how many " + "circles that are " * 19 + "red?",
        "is the ship " + "not " * 55 + "red?",
        "red " * 100_000,
        "x" * 10**6,
        "is there a circle " + "near a circle " * 19 + "?",
        "is there " + "9" * 5000 + " circles?",
    ],
    ids=["that", "not", "long", "one word", "near", "number"],
)
def test_a_monstrous_question_is_answered_or_refused(question: str) -> None:
    ended(lambda: scene().ask(question))
