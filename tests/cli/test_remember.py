"""What `see --remember` and `learn` remember: count and mean p of the parts of what they see."""

import io
import shutil
from pathlib import Path

import pytest

import unrender
from unrender.memory import PastRecord

from .conftest import Run

Capture = pytest.CaptureFixture[str]


def past(brain: Path) -> PastRecord | None:
    with unrender.open(brain) as opened:
        return opened.symbols["ship"][0].past


@pytest.fixture
def ships(ship: Path, tmp_path: Path) -> Path:
    """A folder with three pictures of one ship."""
    folder = tmp_path / "ships"
    folder.mkdir()
    for name in ("a.png", "b.png", "c.png"):
        shutil.copy(ship, folder / name)
    return folder


def test_see_remembers_one_picture_only_if_it_is_asked_to(run: Run, brain: Path, ship: Path) -> None:
    held = brain.read_bytes()
    assert run("see", ship, "-b", brain) == 0
    assert brain.read_bytes() == held
    assert run("see", ship, "-b", brain, "--remember") == 0
    with unrender.open(brain) as opened:
        (whole,) = opened.see(ship).axioms
    remembered = past(brain)
    assert remembered is not None
    assert set(remembered.counts) == {1}
    assert remembered.means == pytest.approx([part.p for part in whole.parts])


@pytest.mark.parametrize("jobs", [1, 2])
def test_see_remembers_each_of_many_pictures_once(
    run: Run, brain: Path, ships: Path, tmp_path: Path, jobs: int
) -> None:
    words = ["see", ships, "-b", brain, "--remember", "-o", tmp_path / "all.jsonl", "--jobs", str(jobs)]
    assert run(*words) == 0
    remembered = past(brain)
    assert remembered is not None
    assert set(remembered.counts) == {3}
    assert run(*words) == 0  # all were done before
    assert past(brain) == remembered


def test_see_cannot_remember_without_a_brain(run: Run, ship: Path, capsys: Capture) -> None:
    assert run("see", ship, "--remember") == 2
    assert "What is remembered is kept in a brain file; name one with -b." in capsys.readouterr().err


def test_learn_remembers_what_it_knows_already(
    run: Run, brain: Path, ships: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    assert run("learn", ships, "-b", brain) == 0
    remembered = past(brain)
    assert remembered is not None
    assert set(remembered.counts) == {3}
    with unrender.open(brain) as opened:
        assert len(opened.lessons) == 1
