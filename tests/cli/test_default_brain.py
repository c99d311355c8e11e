"""One rule for all commands: -b, or UNRENDER_BRAIN, or my.brain in this folder."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import unrender

Run = Callable[..., int]
Capture = pytest.CaptureFixture[str]

LOOKING = [
    ("see", "{ship}"),
    ("see", "{ship}", "{ship}x", "--json"),
    ("describe", "{ship}"),
    ("ask", "{ship}", "how many ships are there?"),
    ("find", "ship", "{ship}"),
    ("edit", "{ship}", "ship.1.x+=3", "-o", "out.svg"),
    ("draw", "ship", "-o", "out.png"),
]
IN_BRAIN = [
    ("show",),
    ("lessons",),
    ("grammar",),
    ("matrix",),
    ("graph",),
    ("rename", "ship", "boat"),
    ("undo",),
]


def filled(words: tuple[str, ...], ship: Path) -> list[str]:
    return [word.format(ship=ship) for word in words]


@pytest.mark.parametrize("words", LOOKING, ids=lambda words: words[0])
def test_what_looks_takes_my_brain_if_it_is_there_and_says_so(
    run: Run, ship: Path, brain: Path, words: tuple[str, ...], capsys: Capture
) -> None:
    shutil.copy(ship, f"{ship.name}x")
    brain.rename("my.brain")
    assert run(*(word.replace(f"{ship}x", f"{ship.name}x") for word in filled(words, ship))) == 0
    told = capsys.readouterr()
    assert told.err == "Using my.brain.\n"
    assert "ship" in told.out or "1" in told.out


@pytest.mark.parametrize(
    "words", [("see", "{ship}"), ("find", "circle", "{ship}")], ids=lambda words: words[0]
)
def test_what_looks_does_without_a_brain_and_makes_none(
    run: Run, ship: Path, words: tuple[str, ...], capsys: Capture
) -> None:
    assert run(*filled(words, ship)) == 0
    assert capsys.readouterr().err == ""
    assert not Path("my.brain").exists()


def test_a_brain_that_is_named_is_taken_without_a_word_and_none_is_named_memory(
    run: Run, ship: Path, brain: Path, capsys: Capture
) -> None:
    shutil.copy(brain, "my.brain")
    assert run("ask", ship, "how many ships are there?", "-b", brain) == 0
    assert capsys.readouterr() == ("1\n", "")
    assert run("find", "ship", ship, "-b", ":memory:") == 2
    assert "Nothing called ship is known" in capsys.readouterr().err


def test_the_variable_is_taken_before_the_folder(ship: Path, brain: Path) -> None:
    with unrender.open("my.brain"):
        pass  # knows nothing
    command = [sys.executable, "-m", "unrender.cli", "find", "ship", str(ship)]
    environment = os.environ | {"UNRENDER_BRAIN": str(brain)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("words", IN_BRAIN, ids=lambda words: words[0])
def test_what_looks_into_a_brain_needs_one(
    run: Run, brain: Path, words: tuple[str, ...], capsys: Capture
) -> None:
    assert run("brain", *words) == 2
    assert 'There is no brain file "my.brain"; "unrender teach" makes one.' in capsys.readouterr().err
    brain.rename("my.brain")
    assert run("brain", *words) == 0


def test_what_learns_makes_it(run: Run, ship: Path, capsys: Capture) -> None:
    assert run("teach", ship, "ship") == 0
    assert "Kept in my.brain" in capsys.readouterr().out
    with unrender.open("my.brain") as opened:
        assert list(opened.symbols) == ["ship"]
    assert run("teach", ship, "ship", "-b", ":memory:") == 2
    assert "name one with -b" in capsys.readouterr().err


@pytest.mark.parametrize(
    "command", ["see", "describe", "ask", "find", "edit", "draw", "teach", "learn", "studio"]
)
def test_help_tells_the_rule(run: Run, command: str, capsys: Capture) -> None:
    assert run(command, "--help") == 0
    text = " ".join(capsys.readouterr().out.replace("│", " ").split())
    assert "env var: UNRENDER_BRAIN" in text
    assert "default: (my.brain" in text
