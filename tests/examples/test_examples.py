"""Every example runs as it stands, and is short."""

import ast
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from unrender import Grammar, Scene

EXAMPLES = Path(__file__).parents[2] / "examples"
PICTURES = EXAMPLES.parent / "docs" / "pictures"
LONGEST = 20  # lines
ASKED = (
    *("see", "teach", "export", "edit", "count", "find", "grammar", "primitive", "answer", "follow"),
    *("ask", "house"),
)

# All of them in one process, which is quicker; the one that registers a primitive comes last.
PROGRAM = """
import contextlib, os, runpy, sys
given = {"count": ["../pictures"], "find": ["../pictures/ship.png", "../pictures"]}
for path in sorted(sys.argv[1:], key=lambda path: path.endswith("primitive.py")):
    name = os.path.basename(path)[:-3]
    os.makedirs(name)
    with contextlib.chdir(name), open("said.txt", "w") as said, contextlib.redirect_stdout(said):
        sys.argv = [path, *given.get(name, [])]
        runpy.run_path(path, run_name="__main__")
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for each example, with what it wrote, and what it printed in said.txt."""
    folder = tmp_path_factory.mktemp("examples")
    (folder / "pictures").mkdir()
    for name in ("ship", "asteroids"):
        shutil.copy(PICTURES / f"{name}.png", folder / "pictures")
    paths = [str(path) for path in sorted(EXAMPLES.glob("*.py"))]
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *paths],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
        env=os.environ | {"OMP_NUM_THREADS": "1"},
    )
    assert done.returncode == 0, done.stderr
    return folder


def said(folder: Path, name: str) -> str:
    return (folder / name / "said.txt").read_text()


def pixels(path: Path) -> np.ndarray:
    with Image.open(path) as image:
        return np.asarray(image).astype(int)


def test_there_is_an_example_for_everything() -> None:
    assert {path.stem for path in EXAMPLES.glob("*.py")} >= set(ASKED)


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.stem)
def test_an_example_is_short_and_says_how_it_is_run(path: Path) -> None:
    lines = path.read_text().splitlines()
    assert len(lines) <= LONGEST
    assert f"python {path.name}" in lines[0]


def test_see_prints_what_is_there_and_draws_it_again(folder: Path) -> None:
    assert "circle at (" in said(folder, "see")
    assert "There are" in said(folder, "see")
    before = pixels(PICTURES / "asteroids.png")
    assert np.abs(pixels(folder / "see" / "redrawn.png") - before).mean() < 4


def test_teach_finds_both_ships(folder: Path) -> None:
    assert said(folder, "teach").count("A ship at") == 2
    assert (folder / "teach" / "ships.brain").is_file()


def test_export_writes_every_format(folder: Path) -> None:
    root = ElementTree.parse(folder / "export" / "ship.svg").getroot()
    assert root.tag.endswith("svg")
    assert (folder / "export" / "ship.tscn").read_text().startswith("[gd_scene")
    assert len(Scene.from_dict(json.loads((folder / "export" / "ship.json").read_text())).axioms) == 5
    assert json.loads((folder / "export" / "ship.coco.json").read_text())["annotations"]
    assert said(folder, "export").count("triangle ") == 3


def test_edit_paints_the_ships_red(folder: Path) -> None:
    assert "Changed square.1, circle.1; Changed both ships: colour=red" in said(folder, "edit")
    image = pixels(folder / "edit" / "edited.png")
    assert ((image[..., 0] > 200) & (image[..., 1:].max(axis=2) < 60)).sum() > 300


def test_count_sums_up_a_folder(folder: Path) -> None:
    *each, total = said(folder, "count").splitlines()
    (ship,) = [line for line in each if line.startswith("ship.png: ")]
    assert ast.literal_eval(ship.removeprefix("ship.png: ")) == {"square": 1, "circle": 1, "triangle": 3}
    assert total.startswith("all: {")


def test_find_lists_the_surest_first(folder: Path) -> None:
    found = [float(line.split()[0]) for line in said(folder, "find").splitlines()]
    assert len(found) == 3
    assert found == sorted(found, reverse=True)


def test_grammar_is_drawn_and_seen(folder: Path) -> None:
    assert "A lamp at" in said(folder, "grammar")
    assert "turned by 20.0°, of 2 parts" in said(folder, "grammar")
    assert Grammar.parse(said(folder, "grammar").rpartition("A lamp")[0]).symbols["lamp"]


def test_primitive_is_drawn(folder: Path) -> None:
    image = pixels(folder / "primitive" / "ring.png")
    assert image.shape == (84, 84, 3)
    assert image.any()


def test_answer_learns_from_a_function(folder: Path) -> None:
    assert "What new noun best describes them?" in said(folder, "answer")
    assert "-> ship: I now know a new object, ship." in said(folder, "answer")
    assert "There is a ship" in said(folder, "answer")


def test_ask_answers_with_its_steps(folder: Path) -> None:
    assert "what colour is the largest ship? green" in said(folder, "ask")
    assert "left of the largest ship: " in said(folder, "ask")


def test_follow_gives_the_same_numbers_in_all_frames_and_tells_what_moves(folder: Path) -> None:
    *lines, told = said(folder, "follow").splitlines()
    tracks: dict[str, set[str]] = {}
    for _, frame, symbol, track, *_ in map(str.split, lines):
        tracks.setdefault(frame, set()).add(f"{symbol} {track}")
    assert len(tracks) == 5
    assert len({frozenset(own) for own in tracks.values()}) == 1
    assert all("moving by (" in line for line in lines)
    assert "px a second" in told


def test_house_is_a_street(folder: Path) -> None:
    assert "[house] ->" in said(folder, "house")
    assert pixels(folder / "house" / "house.png").shape == (160, 320, 3)
