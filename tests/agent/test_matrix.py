"""The decision matrix: where it starts, how it decides, grows and prints."""

import pytest

import unrender
from unrender import Cause, UnrenderError
from unrender.agent.matrix import DecisionMatrix

A1, A2, B1, B2 = Cause


def test_an_empty_matrix_decides_for_what_asks_for_least() -> None:
    assert DecisionMatrix().decide(["same parent"]) is A2
    assert list(DecisionMatrix().votes([])) == [A2, A1, B2, B1]


def test_a_feature_without_a_row_has_no_say() -> None:
    matrix = DecisionMatrix({"odd": (0, 0, 3, 1)})
    assert matrix.votes(["odd", "never heard of"]) == {B1: 3, B2: 1, A2: 0, A1: 0}


def test_an_answer_makes_a_new_matrix_and_leaves_the_old_one() -> None:
    old = DecisionMatrix({"odd": (1, 0, 0, 0)})
    new = old.with_answer(["odd", "even"], B2)
    assert old.rows == {"odd": (1, 0, 0, 0)}
    assert new.rows == {"odd": (1, 0, 0, 1), "even": (0, 0, 0, 1)}


def test_answers_outweigh_the_start_in_the_end() -> None:
    matrix, features = DecisionMatrix.paper(), ["same parent", "pose only"]
    assert matrix.decide(features) is B1
    for _ in range(20):
        matrix = matrix.with_answer(features, A1)
    assert matrix.decide(features) is A1
    assert matrix.decide(["not the same parent"]) is A2


def test_it_prints_its_most_telling_rows_first() -> None:
    matrix = DecisionMatrix(
        {"tells nothing": (9, 9, 9, 9), "tells all": (0, 20, 0, 0), "tells some": (4, 8, 0, 0)}
    )
    title, *rows = str(matrix).splitlines()
    assert title.split() == ["feature", "A.1", "A.2", "B.1", "B.2"]
    assert [row.rsplit(maxsplit=4) for row in rows] == [
        ["tells all", "0", "20", "0", "0"],
        ["tells some", "4", "8", "0", "0"],
        ["tells nothing", "9", "9", "9", "9"],
    ]
    assert len({len(line) for line in [title, *rows]}) == 1


def test_one_answer_tells_less_than_twenty() -> None:
    assert DecisionMatrix({"once": (0, 1, 0, 0), "often": (0, 20, 1, 0)}).telling() == ["often", "once"]


def test_a_brain_starts_from_the_paper_from_nothing_or_from_another_one() -> None:
    other = DecisionMatrix({"odd": (0, 0, 3, 1)})
    assert unrender.open().matrix == DecisionMatrix.paper()
    assert unrender.open(matrix="empty").matrix.rows == {}
    assert unrender.open(matrix=other).matrix == other
    with pytest.raises(UnrenderError, match='"paper" or "empty", not \'full\''):
        unrender.open(matrix="full")
