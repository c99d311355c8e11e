"""unrender teach, find, describe, ask and draw: what one picture teaches is known in the next."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import unrender

Run = Callable[..., int]
Capture = pytest.CaptureFixture[str]


def test_one_picture_teaches_an_object_that_is_then_found(
    run: Run, ship: Path, folder: Path, tmp_path: Path, capsys: Capture
) -> None:
    brain = tmp_path / "new.brain"
    assert run("teach", ship, "ship", "-b", brain) == 0
    assert f"Learned ship/1 from 5 parts. Kept in {brain}" in capsys.readouterr().out
    assert run("find", "ship", folder, ship, "-b", brain, "--json") == 0
    (hit,) = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert hit["image"] == str(ship)
    assert hit["p"] > 0.9
    assert hit["route"] == "ship/1"


def test_a_lesson_that_is_known_already_says_so_and_succeeds(
    run: Run, ship: Path, brain: Path, capsys: Capture
) -> None:
    before = brain.read_bytes()
    assert run("teach", ship, "ship", "-b", brain) == 0
    assert capsys.readouterr().out == "This ship is known already, as ship/1; nothing new was learned.\n"
    assert brain.read_bytes() == before


def test_parts_are_chosen_by_the_numbers_and_names_of_the_tree(
    run: Run, ship: Path, tmp_path: Path, capsys: Capture
) -> None:
    brain = tmp_path / "new.brain"
    assert run("teach", ship, "wing", "--parts", "1,2", "-b", brain) == 0
    assert run("teach", ship, "body", "--parts", "circle.1 square", "-b", brain) == 0
    with unrender.open(brain) as opened:
        assert sorted(opened.symbols["body"][0].parts) == ["circle", "square"]
        assert len(opened.symbols["wing"][0].parts) == 2


def test_parts_whose_names_have_blanks_are_chosen_by_them(
    run: Run, ship: Path, brain: Path, capsys: Capture
) -> None:
    assert run("brain", "rename", "ship", "kék hajó", "-b", brain) == 0
    assert run("teach", ship, "fleet", "--parts", "kék hajó.1", "-b", brain) == 0
    with unrender.open(brain) as opened:
        assert opened.symbols["fleet"][0].parts == ("kék hajó",)


def test_an_attribute_is_taught_by_one_object_that_shows_it(
    run: Run, ship: Path, brain: Path, tmp_path: Path, capsys: Capture
) -> None:
    with unrender.open(brain) as opened:
        scene = opened.see(ship)
        (own,) = scene.axioms
        wing = next(part for part in own.parts if part.symbol == "triangle")
        wing.rotation += 40
        Image.fromarray(scene.image).save(tmp_path / "bent.png")
    assert run("teach", tmp_path / "bent.png", "bent", "--of", "ship", "--value", "0.9", "-b", brain) == 0
    with unrender.open(brain) as opened:
        (seen,) = opened.see(tmp_path / "bent.png").axioms
    assert seen.attributes["bent"] == pytest.approx(0.9, abs=0.05)
    assert run("teach", tmp_path / "bent.png", "bent", "--of", "ship", "-b", brain) == 0
    assert "Learned that this ship is bent (0.9" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--parts", "9"), "There is no object 9"),
        (("--parts", "circl"), 'Did you mean "circle"'),
        (("--parts", "triangle"), "write triangle.1"),
        (("--value", "0.5"), "say with --of"),
        (("--of", "shp"), "shp"),
        (("--of", "circle"), "is a primitive"),
    ],
)
def test_a_lesson_that_fails_says_why_and_makes_no_brain(
    run: Run, ship: Path, tmp_path: Path, words: tuple[str, ...], complaint: str, capsys: Capture
) -> None:
    brain = tmp_path / "new.brain"
    assert run("teach", ship, "thing1", *words, "-b", brain) == 2
    told = capsys.readouterr()
    assert complaint in told.err
    assert told.err.count("\n") == 1
    assert not brain.exists()


def test_find_sorts_by_p_and_says_where(run: Run, folder: Path, capsys: Capture) -> None:
    assert run("find", "circle", folder, "--jobs", "1") == 0
    title, *rows = capsys.readouterr().out.splitlines()
    assert title.split() == ["p", "picture", "x", "y", "width", "height", "rotation"]
    assert len(rows) == 2
    assert sorted(row.split()[2] for row in rows) == ["66.0", "70.0"]


def test_find_leaves_with_1_if_there_is_none_and_with_2_if_it_is_unknown(
    run: Run, folder: Path, brain: Path, capsys: Capture
) -> None:
    assert run("find", "ship", folder, "-b", brain) == 1
    assert capsys.readouterr().out == "No ship was found.\n"
    assert run("find", "shp", folder, "-b", brain) == 2
    assert 'Nothing called shp is known. Did you mean "ship"?' in capsys.readouterr().err


def test_describe_tells_what_is_there_and_what_it_would_like_to_know(
    run: Run, folder: Path, ship: Path, brain: Path, capsys: Capture
) -> None:
    assert run("describe", folder / "one.png") == 0
    assert capsys.readouterr().out.startswith("There are a circle and a square. ")
    assert run("describe", ship, "-b", brain) == 0
    assert "There is a ship" in capsys.readouterr().out
    assert run("describe", ship) == 0
    assert capsys.readouterr().out.rstrip().endswith("?")


def test_ask_answers_and_shows_its_steps(run: Run, folder: Path, brain: Path, capsys: Capture) -> None:
    assert run("ask", folder / "one.png", "what colour is the square?") == 0
    assert capsys.readouterr().out == "yellow\n"
    assert run("ask", folder / "one.png", "is there a ship?", "--steps", "-b", brain) == 0
    assert capsys.readouterr().out == "  ship: 0 of 2\nno\n"
    assert run("ask", folder / "one.png", "is there a shp?", "-b", brain) == 2
    assert 'the word "shp". Did you mean "ship"' in capsys.readouterr().err


def test_draw_shows_an_object_as_it_was_taught(
    run: Run, brain: Path, tmp_path: Path, capsys: Capture
) -> None:
    words = ("draw", "ship", "x=40", "y=30", "width=40", "height=34", "-b", brain, "--canvas", "80x60")
    assert run(*words, "-o", tmp_path / "ship.png") == 0
    with Image.open(tmp_path / "ship.png") as image:
        painted = np.argwhere(np.asarray(image).any(axis=2))
    assert np.abs(painted.mean(axis=0) - (30, 40)).max() < 6
    assert run("draw", "shp", "-b", brain, "-o", tmp_path / "none.png") == 2
    assert 'Did you mean "ship"' in capsys.readouterr().err
    assert run("draw", "ship", "reed=1", "-b", brain, "-o", tmp_path / "none.png") == 2
    assert 'Did you mean "red"' in capsys.readouterr().err
    assert run("draw", "ship", "width=9", "-b", brain, "-o", tmp_path / "none.png") == 2
    assert not (tmp_path / "none.png").exists()
