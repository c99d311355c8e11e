"""unrender learn: questions at the terminal, answered by a person, a pipe, or with Ctrl-C."""

import io
import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from PIL import Image
from rich.console import Console

import unrender
from unrender import Observation, Scene
from unrender.brain import Brain
from unrender.cli.learn import Turn

COMMAND = [sys.executable, "-m", "unrender.cli", "learn"]
WHITE = {"red": 1.0, "green": 1.0, "blue": 1.0, "filled": 0.0, "thickness": 0.15}


def shape(symbol: str, x: float, y: float, depth: int, side: float = 24.0) -> Observation:
    return Observation(symbol, (x, y), (side, side), 0.0, dict(WHITE), depth=depth)


def house(shift: float = 0.0) -> Scene:
    """A square and a triangle above it, `shift` pixels to the side."""
    return Scene(96, 96, [shape("square", 48, 60, 0), shape("triangle", 48 + shift, 34, 1)])


def turn(brain: Brain, scene: Scene) -> tuple[Turn, Console]:
    """The first question about a scene, and the screen it is asked on."""
    question = brain.see_again(scene).question
    assert question is not None
    screen = Console(width=200, record=True, markup=False, file=io.StringIO())
    return Turn(brain, screen, question), screen


def run(words: list[str | Path], lines: str = "", **options: object) -> subprocess.CompletedProcess[str]:
    command = [*COMMAND, *map(str, words)]
    return subprocess.run(command, input=lines, capture_output=True, text=True, timeout=120, **options)  # type: ignore[call-overload,no-any-return]


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    path = tmp_path / "house.png"
    Image.fromarray(house().image).save(path)
    return path


def test_the_question_comes_with_its_reasons_and_its_numbered_parts() -> None:
    brain = unrender.open()
    asked, screen = turn(brain, house())
    asked.ask()
    said = screen.export_text()
    assert str(asked.question) in said
    assert "because no known object has exactly these parts" in said
    assert "1 triangle.1" in said
    assert "2 square.1" in said


def test_a_word_is_learned_and_known_from_then_on() -> None:
    brain = unrender.open()
    asked, screen = turn(brain, house())
    asked.hear("house\n")
    assert asked.over
    assert asked.answered
    assert "I now know a new object, house." in screen.export_text()
    assert [axiom.symbol for axiom in brain.see_again(house()).axioms] == ["house"]


def test_an_empty_line_skips_and_learns_nothing() -> None:
    brain = unrender.open()
    asked, _ = turn(brain, house())
    asked.hear("\n")
    assert asked.over
    assert not asked.answered
    assert brain.symbols == {}


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("circle", "[circle] is a primitive"),
        ("cause Z", "is not a cause"),
        ("value much", "A value is a number from 0 to 1"),
        ("value 3", "A value is a number from 0 to 1"),
        ("parts 7", "7"),
        ("parts", "Say which"),
        ("of boat", "[boat] is not known yet"),
    ],
)
def test_a_mistake_is_told_and_the_question_stays_open(line: str, complaint: str) -> None:
    brain = unrender.open()
    asked, screen = turn(brain, house())
    asked.hear(line)
    assert complaint in screen.export_text()
    assert not asked.over
    asked.hear("house")
    assert asked.answered


def test_parts_can_be_corrected_by_their_numbers() -> None:
    brain = unrender.open()
    scene = house()
    scene.axioms.append(shape("circle", 80, 80, 2, 16.0))
    asked, screen = turn(brain, scene)
    asked.hear("parts triangle.1,square.1")
    assert sorted(part.symbol for part in asked.question.parts) == ["square", "triangle"]
    assert "square.1" in screen.export_text()
    asked.hear("house")
    assert sorted(brain.symbols["house"][0].parts) == ["square", "triangle"]


def test_cause_value_and_object_make_an_attribute_of_the_word_to_come() -> None:
    brain = unrender.open()
    first, _ = turn(brain, house())
    first.hear("house")
    asked, _ = turn(brain, house(shift=9))
    for line in ("cause B.2", "value 0.5", "of house", "crooked"):
        asked.hear(line)
    assert asked.answered
    assert "crooked" in (brain.knows("house") or ())


def test_what_was_said_of_the_word_to_come_can_be_taken_back() -> None:
    brain = unrender.open()
    asked, _ = turn(brain, house())
    for line in ("cause B.1", "value 1", "cause", "value", "of"):
        asked.hear(line)
    assert (asked.cause, asked.value, asked.symbol) == (None, None, None)


def test_help_and_see_tell_without_answering() -> None:
    brain = unrender.open()
    asked, screen = turn(brain, house())
    asked.hear("?")
    asked.hear("see")
    said = screen.export_text()
    assert "parts 1,2,5" in said
    assert "2 objects" in said
    assert not asked.over


def test_a_piped_lesson_is_kept_in_the_brain_file_and_asked_about_no_more(picture: Path) -> None:
    brain = picture.with_name("my.brain")
    done = run([picture, "missing.png"], "circle\nhouse\n", cwd=picture.parent)
    assert done.returncode == 1
    assert 'no file "missing.png"' in done.stderr
    assert "[circle] is a primitive" in done.stdout
    assert "I now know a new object, house." in done.stdout
    assert "1 answer kept in my.brain." in done.stdout
    with unrender.open(brain) as opened:
        assert opened.see_again(house()).question is None


def test_the_end_of_input_at_a_question_leaves_cleanly_and_no_empty_brain(picture: Path) -> None:
    done = run([picture], cwd=picture.parent)
    assert done.returncode == 0
    assert done.stderr == ""
    assert "What new noun best describes them?" in done.stdout
    assert not picture.with_name("my.brain").exists()


def test_ctrl_c_at_a_prompt_keeps_what_was_learned(picture: Path) -> None:
    other = picture.with_name("other.png")
    Image.fromarray(Scene(96, 96, [shape("circle", 30, 40, 0), shape("circle", 58, 40, 1)]).image).save(other)
    brain = picture.with_name("kept.brain")
    here, there = pty.openpty()  # a terminal, so that a person is asked
    process = subprocess.Popen(
        [*COMMAND, str(picture), str(other), "-b", str(brain)],
        stdin=there,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    os.close(there)
    os.write(here, b"house\n")
    assert process.stdout is not None
    said = ""
    while "parts:" not in said.partition("other.png")[2]:
        line = process.stdout.readline()
        assert line, f"it ended early, having said: {said}"
        said += line
    time.sleep(0.3)  # until it waits at the prompt
    process.send_signal(signal.SIGINT)
    rest, errors = process.communicate(timeout=60)
    os.close(here)
    assert process.returncode == 130
    assert errors == ""
    assert "1 answer kept" in rest
    with unrender.open(brain) as opened:
        assert list(opened.symbols) == ["house"]
