"""draw: a symbol and its attributes become pixels (Equation pixLayer), with the real primitives."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

import unrender.grammar
from unrender.errors import UnrenderError
from unrender.grammar import Grammar

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def house() -> Grammar:
    return Grammar.load(EXAMPLES / "house.grammar")


def box(image: NDArray[np.uint8]) -> tuple[int, int, int, int]:
    """Left, top, right, bottom of everything that is not black."""
    rows, columns = np.nonzero(image.any(axis=2))
    return columns.min(), rows.min(), columns.max() + 1, rows.max() + 1


def test_the_house_fills_its_box_and_not_more(house: Grammar) -> None:
    image = house.draw("house", {"position": (60, 50), "size": (80, 60)}, (120, 100))
    assert image.shape == (100, 120, 3)
    assert image.dtype == np.uint8
    left, top, right, bottom = box(image)
    assert (left, right, bottom) == (20, 100, 80)
    assert 20 <= top <= 22  # the apex is thinner than a pixel


def test_roof_and_body_meet_and_the_body_is_darker(house: Grammar) -> None:
    image = house.draw("house", {"position": (50, 50), "size": (80, 80), "red": 1.0}, (100, 100))
    column = image[:, 50, 0]
    assert column[40] == 255
    assert column[60] == 153
    assert (column[12:90] >= 153).all()  # no gap where they meet
    assert not image[:, :, 1:].any()


def test_a_house_is_wooden_on_request(house: Grammar) -> None:
    wall = house.draw("house", {"wooden": 1.0}, (50, 50))[35, 25]
    assert wall[0] > wall[1] > wall[2]


def test_without_a_pose_the_symbol_stands_in_the_middle_in_white(house: Grammar) -> None:
    image = house.draw("house", {}, (200, 100))
    left, _, right, bottom = box(image)
    assert (left, right, bottom) == (60, 140, 90)
    assert (image[35, 100] == 255).all()
    assert (house.draw("square", {}, (20, 10))[5, 10] == 255).all()


def test_a_turned_house_is_the_turned_picture_of_the_house(house: Grammar) -> None:
    upright = house.draw("house", {"size": (60, 70)}, (100, 100))
    turned = house.draw("house", {"size": (60, 70), "rotation": 90}, (100, 100))
    difference = np.abs(np.rot90(upright, -1).astype(int) - turned)
    assert difference.max() <= 2


def test_the_first_part_of_a_rule_lies_at_the_back() -> None:
    circle, square = "\n [circle] red = 1, blue = 0", "\n [square] red = 0, blue = 1"
    one = Grammar.parse("[a] -> [circle] [square]" + circle + square).draw("a", {}, (20, 20))
    other = Grammar.parse("[a] -> [square] [circle]" + square + circle).draw("a", {}, (20, 20))
    assert tuple(one[10, 10]) == (0, 255, 255)
    assert tuple(other[10, 10]) == (255, 255, 0)


def test_drawing_on_a_picture_leaves_that_picture_as_it_was(house: Grammar) -> None:
    picture = np.full((40, 40, 3), 7, np.uint8)
    image = house.draw("house", {"size": (10, 10)}, picture)
    assert (picture == 7).all()
    assert (image[0, 0] == 7).all()
    assert (image[23, 20] != 7).all()


def test_a_dining_room_shows_table_and_chair_side_by_side() -> None:
    table = Grammar.parse("[table] -> [square]\n [square] red = 1, green = 0, blue = 0")
    chair = Grammar.parse("[chair] -> [circle]\n [circle] red = 0, green = 0, blue = 1")
    image = Grammar.union(table, chair).draw("dining-room", {"size": (80, 80)}, (100, 100))
    assert tuple(image[50, 30]) == (255, 0, 0)
    assert tuple(image[50, 70]) == (0, 0, 255)


@pytest.mark.parametrize("canvas", [(0, 10), (10,), "big", np.zeros((5, 5)), None])
def test_an_impossible_canvas_is_an_error(canvas: object, house: Grammar) -> None:
    with pytest.raises(UnrenderError, match="canvas"):
        house.draw("house", {}, canvas)  # type: ignore[arg-type]


def test_the_house_example_runs(tmp_path: Path) -> None:
    file = tmp_path / "house.png"
    subprocess.run([sys.executable, EXAMPLES / "house.py", file], check=True, capture_output=True)
    with Image.open(file) as image:
        assert image.size == (320, 160)
        assert image.getpixel((70, 100)) == (138, 0, 0)
    assert len((EXAMPLES / "house.py").read_text().splitlines()) <= 20


def test_a_grammar_needs_no_torch_until_it_is_drawn() -> None:
    source = Path(unrender.grammar.__file__).parents[2]
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); import unrender.grammar; print('torch' in sys.modules)"
    )
    command = [sys.executable, "-c", code, str(source)]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "False"
