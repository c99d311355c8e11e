"""What the README shows works as it stands there."""

import os
import re
import textwrap
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from unrender import Grammar, Scene
from unrender.cli.app import app

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^ *```{language}\n(.*?)^ *```", README, re.MULTILINE | re.DOTALL)


def run(code: str) -> dict[str, object]:
    """What `code` defines when it runs at the top of the repository."""
    names: dict[str, object] = {}
    before = Path.cwd()
    os.chdir(ROOT)
    try:
        exec(textwrap.dedent(code), names)
    finally:
        os.chdir(before)
    return names


def test_the_first_lines_of_code_see_a_picture_and_print_what_is_in_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code = blocks("python")[0]
    assert sum(bool(line.strip()) for line in code.splitlines()) == 3
    scene = run(code)["scene"]
    assert isinstance(scene, Scene)
    assert len(capsys.readouterr().out.splitlines()) == len(scene.axioms) > 0
    with Image.open(ROOT / "docs" / "pictures" / "asteroids.png") as picture:
        assert np.abs(scene.image.astype(int) - np.asarray(picture)).mean() < 4


def test_the_lesson_teaches_a_ship_that_is_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = blocks("python")[1].replace("my.brain", str(tmp_path / "my.brain"))
    ships = run(code)["ships"]
    assert len(ships) >= 1  # type: ignore[arg-type]
    assert "square" in capsys.readouterr().out


def test_the_lines_below_the_grammar_draw_a_house() -> None:
    pixels = run(blocks("python")[2])["pixels"]
    assert pixels.shape == (84, 84, 3)  # type: ignore[attr-defined]
    assert pixels.any()  # type: ignore[attr-defined]


def test_the_questions_and_edits_work(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    teaching, asking = blocks("python")[1], blocks("python")[3]
    for code in (teaching, asking):
        for name in ("my.brain", "edited.svg"):
            code = code.replace(name, str(tmp_path / name))
        run(code)
    assert "There are two ships" in capsys.readouterr().out
    assert "ship" in (tmp_path / "edited.svg").read_text()


def test_the_commands_shown_exist() -> None:
    shown = set(re.findall(r"^unrender ([a-z]+)", "".join(blocks("sh")), re.MULTILINE))
    known = {
        command.name or command.callback.__name__ for command in app.registered_commands if command.callback
    }
    assert {"see", "train"} <= shown <= known | {group.name for group in app.registered_groups}


def test_the_grammar_shown_is_a_grammar() -> None:
    (text,) = blocks("text")
    assert Grammar.parse(text).axiom == "house"


def test_the_commands_of_make_exist() -> None:
    targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    named = set(re.findall(r"(?:^|`)make ([a-z]+)", README, re.MULTILINE))
    assert {"demo", "test"} <= named <= set(targets)


def test_every_picture_and_link_is_there() -> None:
    links = [link for link in re.findall(r"\]\(([^)]+)\)", README) if "://" not in link]
    assert links
    assert all((ROOT / link).is_file() for link in links)
