"""unrender brain: look inside, and change what is there."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

import unrender
from unrender import Grammar

Run = Callable[..., int]
Capture = pytest.CaptureFixture[str]


def test_show_tells_symbols_routes_parts_and_attributes(run: Run, brain: Path, capsys: Capture) -> None:
    assert run("brain", "show", "-b", brain) == 0
    title, row, last = capsys.readouterr().out.splitlines()
    assert title.split() == ["symbol", "route", "parts", "attributes", "examples"]
    assert row.split()[:3] == ["ship", "ship/1", "square"]
    assert "thickness" in row
    assert last == f"1 symbol, 1 lesson: {brain}"


def test_lessons_are_listed_and_the_last_can_be_taken_back(run: Run, brain: Path, capsys: Capture) -> None:
    assert run("brain", "rename", "ship", "boat", "-b", brain) == 0
    assert run("brain", "lessons", "-b", brain) == 0
    listed = capsys.readouterr().out
    assert "ship from square, circle" in listed
    assert "ship is now called boat" in listed
    assert run("brain", "undo", "-b", brain) == 0
    assert capsys.readouterr().out == "Took back: ship is now called boat\n"
    with unrender.open(brain) as opened:
        assert list(opened.symbols) == ["ship"]
    assert run("brain", "undo", "-b", brain) == 0
    assert run("brain", "undo", "-b", brain) == 2
    assert run("brain", "lessons", "-b", brain) == 0
    assert "Nothing has been taught yet." in capsys.readouterr().out


def test_forget_unlearns_a_symbol(run: Run, brain: Path, capsys: Capture) -> None:
    assert run("brain", "forget", "shp", "-b", brain) == 2
    assert 'Did you mean "ship"' in capsys.readouterr().err
    assert run("brain", "forget", "ship", "-b", brain) == 0
    with unrender.open(brain) as opened:
        assert opened.symbols == {}


def test_grammar_prints_what_a_grammar_reads(run: Run, brain: Path, capsys: Capture) -> None:
    assert run("brain", "grammar", "-b", brain) == 0
    assert "ship" in Grammar.parse(capsys.readouterr().out).symbols


def test_graph_draws_the_capsules_as_a_picture(
    run: Run, brain: Path, tmp_path: Path, capsys: Capture
) -> None:
    assert run("brain", "graph", "-b", brain, "-o", tmp_path / "new" / "brain.png") == 0
    with Image.open(tmp_path / "new" / "brain.png") as image:
        assert min(image.size) > 200
    assert run("brain", "graph", "-b", brain, "-o", tmp_path / "brain.svg") == 0
    text = (tmp_path / "brain.svg").read_text()
    assert text.startswith("<svg")
    assert ">ship<" in text
    assert run("brain", "graph", "-b", brain, "-o", tmp_path / "brain.docx") == 2
    assert "ends in .png or .svg" in capsys.readouterr().err


def test_matrix_prints_the_decision_matrix(run: Run, brain: Path, capsys: Capture) -> None:
    assert run("brain", "matrix", "-b", brain) == 0
    assert capsys.readouterr().out.split()[:5] == ["feature", "A.1", "A.2", "B.1", "B.2"]


def test_a_brain_that_is_not_there_is_not_made(run: Run, tmp_path: Path, capsys: Capture) -> None:
    assert run("brain", "show", "-b", tmp_path / "none.brain") == 2
    assert "There is no brain file" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
