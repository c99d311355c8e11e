"""The benchmark of free questions and edits calls an answer right only where it is."""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture
def cases(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    words = import_module("words")

    return {case.sentence: case for case in reversed(list(words.cases()))}  # the first where two are the same


def test_there_are_more_questions_and_edits_by_others_than_by_the_author(cases: dict[str, Any]) -> None:
    for kind, count in (("questions", 1160), ("edits", 240)):
        sources = [case.source for case in cases.values() if case.kind == kind]
        assert 0.98 * count < len(sources) <= count  # few were thought of twice
        assert sum("author" not in source for source in sources) >= len(sources) // 2


@pytest.mark.parametrize(
    ("sentence", "lie"),
    [
        ("How many shapes are there?", {"number": [9]}),
        ("Are there more circles than squares?", {"yes": False}),
        ("What is the smallest circle's colour?", {"says": ["blue"]}),
        ("Which circle is the largest?", {"things": [["a"], ["a", "c"]]}),
        ("make the blue square green", {"e": {"colour": "red"}}),
        ("make the blue square green", {"e": {"colour": "green"}, "a": {"gone": True}}),
        ("delete all triangles", {"f": {"gone": True}, "g": {"gone": True}}),
        ("make the biggest circle twice as large", {"c": {"grow": [2, 1]}}),
        ("turn the black square by 30 degrees clockwise", {"i": {"turn": -30}}),
        ("move the blue car 40 px to the right", {"car2": {"dx": [0, 0], "dy": [0, 0]}}),
        ("How many cars are there?", {"unknown": True}),
    ],
)
def test_what_differs_from_the_truth_is_wrong(
    cases: dict[str, Any], sentence: str, lie: dict[str, Any]
) -> None:
    assert cases[sentence].outcome()[0] == "right"
    assert replace(cases[sentence], truth=lie).outcome()[0] == "wrong"


def test_what_is_refused_is_right_only_where_nothing_can_be_known(cases: dict[str, Any]) -> None:
    dog = cases["Can you see a dog?"]
    assert dog.outcome()[0] == "right"
    assert replace(dog, truth={"yes": False}).outcome()[0] == "refused"
    car = cases["make the car green"]
    assert car.outcome()[0] == "right"
    assert replace(car, truth={"car1": {"colour": "green"}}).outcome()[0] == "refused"
