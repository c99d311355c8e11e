"""What `benchmarks/start.py` makes of its measurements."""

import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))  # scripts, not a package


@pytest.fixture
def start() -> ModuleType:
    return import_module("start")


def test_a_command_is_compared_with_the_imports_of_the_same_run(start: ModuleType) -> None:
    costs = {"": start.Cost(0.5, 0.4), "see": start.Cost(1.4, 1.0), "ask": start.Cost(1.6, 1.2)}
    told = {line.what: (line.measured, line.passed) for line in start.command_lines(costs)}
    assert told["unrender see"] == ("2.8 times", True)
    assert told["unrender ask"] == ("3.2 times", False)


def test_torch_must_not_be_imported(start: ModuleType) -> None:
    assert start.torch_line("False").passed
    assert not start.torch_line("True").passed


def test_an_installation_counts_its_seconds_and_all_its_files(start: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "large").write_bytes(b"0" * 3000)
    (tmp_path / "small").write_bytes(b"0" * 1000)
    assert start.size(tmp_path) == pytest.approx(4e-6)
    seconds, whole = start.install_lines(61.0, 0.8, [("numba", 0.1)])
    assert (seconds.passed, whole.passed) == (False, True)


def test_a_copy_of_the_project_has_what_git_knows(start: ModuleType, tmp_path: Path) -> None:
    copied = start.copied(tmp_path)
    assert (copied / "pyproject.toml").is_file()
    assert not (copied / ".git").exists()
