"""Template questions: nearly all are right on the true graph, and on pictures."""

from __future__ import annotations

import ast
import sys
from importlib import import_module
from itertools import groupby
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "benchmarks"
sys.path.append(str(FOLDER))  # scripts, not a package


def test_the_truth_is_worked_out_without_the_code_that_answers() -> None:
    """Of the package it has the world's true graph, which is data, and nothing that reads a graph."""
    used = set()
    for name in ("questions_truth", "lifelong_worlds", "rasterise", "scatter"):
        for node in ast.walk(ast.parse((FOLDER / f"{name}.py").read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("unrender"):
                used |= {f"{node.module}.{alias.name}" for alias in node.names}
    assert used == {
        "unrender.Observation",
        "unrender.Scene",
        "unrender.scene.Observation",
        "unrender.scene.Scene",
        "unrender.worlds.asteroids.Asteroids",
    }


def test_nearly_all_questions_are_answered_right_from_the_true_graph() -> None:
    cases = list(import_module("questions").cases(scenes=100, each=2, seed=11))
    assert len(cases) == 200
    assert len({case.template for case in cases}) == 12
    assert sum(not case.right(case.picture.scene) for case in cases) <= 2


def test_questions_are_answered_right_from_pictures() -> None:
    questions = import_module("questions")
    brain, right = questions.taught(seed=3), []
    for _, about in groupby(questions.cases(scenes=4, each=5, seed=5), key=lambda case: id(case.picture)):
        cases = list(about)
        scene = brain.see(cases[0].picture.image)
        right += [case.right(scene) for case in cases]
    assert len(right) == 20
    assert sum(right) >= 19
