"""What `benchmarks/many.py` makes of its measurements."""

import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))  # scripts, not a package


@pytest.fixture
def many() -> ModuleType:
    return import_module("many")


def table(many: ModuleType, rates: list[float], texts: list[dict[str, str]]) -> list[tuple[str, str, bool]]:
    teams = [many.Team(kind, count, None, None, []) for kind in ("jobs", "cluster") for count in (1, 2)]
    measured = {team: many.Rate(rate, 100.0, 1.0) for team, rate in zip(teams, rates, strict=True)}
    return [(line.what, line.measured, line.passed) for line in many.lines(measured, texts)]


def test_two_workers_that_are_twice_as_fast_are_fully_efficient(many: ModuleType) -> None:
    rows = table(many, [10.0, 20.0, 10.0, 12.0], [{"a": "1"}] * 4)
    assert ("2 by --jobs", "20.0", None) in rows
    assert ("--jobs", "1.00", True) in rows
    assert ("--cluster", "0.60", False) in rows
    assert ("2 by --cluster", "1.00", True) in rows


def test_scenes_that_differ_between_teams_are_noticed(many: ModuleType) -> None:
    assert table(many, [1.0] * 4, [{"a": "1"}, {"a": "1"}])[-1][2]
    assert not table(many, [1.0] * 4, [{"a": "1"}, {"a": "2"}])[-1][2]
