"""What the README and the tutorial show works as it stands there."""

import re
from pathlib import Path

import numpy as np
import pandas
import pytest
from PIL import Image

import unrender
from unrender import Grammar, Scene

from .as_printed import ROOT, Session, blocks, clone

README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def followed(tmp_path_factory: pytest.TempPathFactory) -> Session:
    """Somebody who has followed the README, every snippet a program of its own."""
    session = Session(clone(tmp_path_factory.mktemp("readme")))
    for language, text in blocks(ROOT / "README.md"):
        if language == "python":
            session.names = {}
            session.python(text)
        else:
            session.shell(text)
    return session


def test_all_snippets_and_commands_of_the_readme_run_as_printed_in_a_fresh_clone(followed: Session) -> None:
    folder, printed = followed.folder, followed.printed
    words = {command.split()[1] for command in printed if command.startswith("unrender")}
    assert {"see", "teach", "learn", "find", "edit", "studio", "train"} <= words
    for name in ("scene.svg", "edited.svg", "out.png", "triangle.png", "house.png", "weights/circle.json"):
        assert (folder / name).stat().st_size > 100, name
    assert len(list((folder / "scenes").glob("*.svg"))) == 5
    assert pandas.read_parquet(folder / "all.parquet").picture.nunique() == 4
    assert len(list((folder / "films").glob("*.png"))) == 10
    with unrender.open(folder / "my.brain") as brain:
        assert set(brain.symbols) == {"ship", "rock"}


def test_what_the_commands_of_the_readme_say_is_what_stands_beside_them(followed: Session) -> None:
    said = {" ".join(command.split()[1:3]): text for command, text in followed.printed.items()}
    assert "is known already" in said["teach docs/pictures/ship.png"]
    assert "1 answer kept in my.brain." in said["learn frames"]
    assert said["find ship"].splitlines()[1].startswith("1.00  frames/asteroids-")
    assert "two ships" in said["describe docs/pictures/asteroids.png"]
    assert said["ask docs/pictures/asteroids.png"].strip() in {"green", "dark green", "light green"}
    assert said["edit docs/pictures/asteroids.png"].startswith("Changed ship.1, ship.2, circle.2\n")
    assert len(said["see frames"].splitlines()) == 3, "head shows the first three"
    assert "unrender studio" in said["studio frames"]


def test_the_first_lines_of_code_see_a_picture_and_print_what_is_in_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code = blocks(ROOT / "README.md")[0][1]
    assert sum(bool(line.strip()) for line in code.splitlines()) == 3
    session = Session(ROOT)
    session.python(code)
    scene = session.names["scene"]
    assert isinstance(scene, Scene)
    assert len(capsys.readouterr().out.splitlines()) == len(scene.axioms) > 0
    with Image.open(ROOT / "docs" / "pictures" / "asteroids.png") as picture:
        assert np.abs(scene.image.astype(int) - np.asarray(picture)).mean() < 4


def test_all_snippets_and_commands_of_the_tutorial_run_as_printed_in_a_fresh_clone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    session = Session(clone(tmp_path))
    for language, text in blocks(ROOT / "docs" / "tutorial.md"):
        (session.python if language == "python" else session.shell)(text)
    assert isinstance(session.names["scene"], Scene)
    assert (tmp_path / "edited.png").is_file()
    assert "What new noun best describes them?" in capsys.readouterr().out
    assert "is known already" in session.printed["unrender teach docs/pictures/ship.png ship"]
    assert "two ships" in session.printed["unrender describe docs/pictures/asteroids.png"]


def test_the_grammar_shown_is_a_grammar() -> None:
    (text,) = re.findall(r"^ *```text\n(.*?)^ *```", README, re.MULTILINE | re.DOTALL)
    assert Grammar.parse(text).axiom == "house"


def test_the_commands_of_make_exist() -> None:
    targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    named = set(re.findall(r"(?:^|`)make ([a-z]+)", README, re.MULTILINE))
    assert {"demo", "test"} <= named <= set(targets)


def test_every_picture_and_link_is_there() -> None:
    links = [link for link in re.findall(r"\]\(([^)]+)\)", README) if "://" not in link]
    assert links
    assert all((ROOT / link).is_file() for link in links)
