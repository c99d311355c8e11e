"""Template questions: all are right on the true graph, and on pictures nearly all."""

from __future__ import annotations

import sys
from importlib import import_module
from itertools import groupby
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))  # scripts, not a package


def test_all_questions_are_answered_right_from_the_true_graph() -> None:
    cases = list(import_module("questions").cases(scenes=100, each=2, seed=11))
    assert len(cases) == 200
    assert len({case.template for case in cases}) == 12
    assert [case.question for case in cases if not case.right(case.truth)] == []


def test_questions_are_answered_right_from_pictures() -> None:
    questions = import_module("questions")
    brain, right = questions.taught(seed=3), []
    for _, about in groupby(questions.cases(scenes=4, each=5, seed=5), key=lambda case: id(case.truth)):
        cases = list(about)
        scene = brain.see(cases[0].truth.image)
        right += [case.right(scene) for case in cases]
    assert len(right) == 20
    assert sum(right) >= 19
