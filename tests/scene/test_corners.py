"""Pointed corners of strokes are seen, drawn again and exported; round ones stay round."""

import sys
from pathlib import Path

import numpy as np
import pytest

import unrender
from unrender.scene import Observation, Scene

sys.path.insert(0, str(Path(__file__).parents[1] / "perception"))
from cairo_pictures import drawn, stroke

CORNERS = [(30.0, 28.0), (90.0, 28.0), (90.0, 70.0), (30.0, 70.0)]
PAPER, INK = (1.0, 1.0, 1.0), (0.1, 0.15, 0.3)


@pytest.mark.parametrize("round_", [False, True])
def test_the_corners_of_a_border_are_told_as_they_are_drawn(round_: bool, tmp_path: Path) -> None:
    picture = drawn((128, 96), stroke(CORNERS, 8.0, INK, closed=True, round_=round_), ground=PAPER)
    with unrender.open(":memory:") as brain:
        scene = brain.see((picture * 255).round().astype(np.uint8))
    (square,) = scene.primitives
    assert square.symbol == "square"
    assert ("mitre" in square.attributes) == (not round_)
    assert np.abs(scene.image / 255 - picture).max() < 0.1  # the same corners
    scene.save(tmp_path / "border.svg")
    join = 'stroke-linejoin="round"' if round_ else 'stroke-linejoin="miter"'
    assert join in (tmp_path / "border.svg").read_text(encoding="utf-8")


def test_pointed_corners_come_back_from_a_file_and_into_other_formats(tmp_path: Path) -> None:
    looks = {"filled": 0.0, "thickness": 0.2, "mitre": 1.0}
    scene = Scene(96, 96, [Observation("square", (48.0, 48.0), (40.0, 40.0), 0.0, looks)])
    scene.save(tmp_path / "border.json")
    again = Scene.load(tmp_path / "border.json")
    assert again.primitives[0].attributes["mitre"] == 1
    scene.save(tmp_path / "border.tscn")
    assert "joint_mode = 0" in (tmp_path / "border.tscn").read_text(encoding="utf-8")
    assert "mitre" not in scene.describe()
