"""What the agent keeps beside the network: in the brain file, undone with the lesson, shared by processes."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import unrender
from unrender import Brain, Observation, UnrenderError
from unrender.agent import features
from unrender.agent.agent_state import DECLINED, MATRIX, Mind
from unrender.agent.matrix import DecisionMatrix
from unrender.memory import Store

PAPER = DecisionMatrix.paper()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "my.brain"


def test_the_matrix_grows_by_one_in_each_true_row_with_every_answer(build: Callable, show: Callable) -> None:
    brain = unrender.open()
    for shapes, name in [(build(), "ship"), (build("asteroid"), "asteroid")]:
        before = brain.matrix
        question = brain.see_again(show(shapes)).question
        assert question is not None
        brain.answer(question, name)
        assert brain.matrix == before.with_answer(question.features, question.cause)
        assert len(question.features) > 0


def test_the_matrix_is_kept_in_the_file_whatever_it_is_opened_with(
    path: Path, build: Callable, show: Callable
) -> None:
    with unrender.open(path, matrix="empty") as brain:
        brain.answer(brain.see_again(show(build())).question, "ship")
        kept = brain.matrix
    assert 0 < sum(map(sum, kept.rows.values())) < 10
    with unrender.open(path) as brain:
        assert brain.matrix == kept
        assert str(brain.matrix) == str(kept)


def test_undo_takes_the_answer_out_of_the_matrix_too(path: Path, build: Callable, show: Callable) -> None:
    with unrender.open(path) as brain:
        brain.answer(brain.see_again(show(build())).question, "ship")
        once = brain.matrix
        brain.answer(brain.see_again(show(build("asteroid"))).question, "asteroid")
        assert brain.matrix != once
        brain.undo()
        assert brain.matrix == once
        brain.undo()
        assert brain.matrix == PAPER
        assert brain.lessons == ()


def test_lessons_without_a_question_leave_the_matrix_alone(brain: Brain) -> None:
    assert brain.matrix == PAPER


def test_every_question_and_its_answer_are_kept(path: Path, build: Callable, show: Callable) -> None:
    with unrender.open(path) as brain:
        question = brain.see_again(show(build())).question
        brain.answer(question, "ship")
        brain.skip(brain.see_again(show(build("asteroid"))).question)
    with Store.open(path) as store:
        asked = store.read().records["question"]
    assert [body["answer"] for body in asked.values()] == ["ship", None]
    assert asked["1"]["question"] == str(question)
    assert asked["1"]["features"] == list(question.features)
    assert asked["1"]["cause"] == "A.2"


def declined(path: Path) -> set[str]:
    with Store.open(path) as store:
        return set(store.read().records.get(DECLINED, {}))


def test_what_was_skipped_is_known_by_the_new_name_of_its_parts(
    path: Path, build: Callable, show: Callable
) -> None:
    moon = Observation("circle", (100.0, 145.0), (9.0, 9.0))
    with unrender.open(path) as brain:
        brain.teach(show(build()), "ship")
        brain.skip(brain.see_again(show([*build(), moon])).question)
        assert declined(path) == {"circle+ship"}
        brain.rename("ship", "boat")
        assert declined(path) == {"boat+circle"}
        assert brain.see_again(show([*build(), moon])).question is None
        brain.undo()
        assert declined(path) == {"circle+ship"}
        brain.forget("ship")
        assert declined(path) == set()
        brain.teach(show(build()), "ship")
        assert brain.see_again(show([*build(), moon])).question is not None


@pytest.mark.parametrize("body", [{}, {"counts": [1, 2, 3]}, {"counts": "many"}, {"counts": [1, 2, 3, None]}])
def test_a_damaged_matrix_is_one_clear_error(body: dict) -> None:
    with pytest.raises(UnrenderError, match="decision matrix is damaged"):
        Mind.of({MATRIX: {"same parent": body}}, PAPER)


SKIP = """
import sys
import unrender
from unrender.worlds.blueprints import BLUEPRINTS

rocks = [piece.observed((1.0, 1.0, 1.0)) for piece in BLUEPRINTS["asteroid"][0].pieces]
with unrender.open(sys.argv[1]) as brain:
    brain.skip(brain.see_again(unrender.Scene(99, 99, rocks)).question)
"""


def test_two_processes_ask_about_one_file(path: Path, build: Callable, show: Callable) -> None:
    with unrender.open(path) as brain:
        question = brain.see_again(show(build())).question
        subprocess.run([sys.executable, "-c", SKIP, path], check=True, timeout=60)
        brain.answer(question, "ship")
        assert [lesson.kind for lesson in brain.lessons] == ["skip", "answer"]
        assert brain.see_again(show(build("asteroid", 1))).question is None
    with Store.open(path) as store:
        assert [body["answer"] for body in store.read().records["question"].values()] == [None, "ship"]


@pytest.fixture
def registered() -> Iterator[Callable]:
    """Registers a feature, which is forgotten after the test."""
    known = dict(features.features())
    yield features.feature
    for name in set(features.features()) - set(known):
        del features._FEATURES[name]


def test_what_another_program_teaches_in_the_midst_of_an_answer_is_not_lost(
    path: Path, build: Callable, show: Callable, registered: Callable
) -> None:
    with unrender.open(path) as brain, unrender.open(path) as other:
        question = brain.see_again(show(build())).question

        @registered("interrupted", "another program teaches just now")
        def teach(situation: features.Situation) -> bool:
            if not other.symbols:
                other.teach(show(build("station")), "station")
            return False

        brain.answer(question, "ship")
        assert sorted(brain.symbols) == sorted(other.symbols) == ["ship", "station"]
