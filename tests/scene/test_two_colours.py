"""Inside and stroke have a colour each; what is not told, or not changed, takes that of the other."""

from pathlib import Path

import numpy as np
import pytest

from unrender import Observation, Scene
from unrender.grammar.attribute import STROKE_NAMES, one_colour

WHITE = {"red": 1.0, "green": 1.0, "blue": 1.0}
BLACK_STROKE = dict.fromkeys(STROKE_NAMES, 0.0)


def box(**looks: float) -> Scene:
    """A box in the middle of 40x40 grey pixels; filled, with a stroke of 4 px."""
    style = WHITE | {"filled": 1.0, "thickness": 0.2} | looks
    return Scene(40, 40, [Observation("square", (20.0, 20.0), (20.0, 20.0), 0.0, style)], (128, 128, 128))


def inside(scene: Scene) -> list[int]:
    return [int(value) for value in scene.image[20, 20]]


def stroke(scene: Scene) -> list[int]:
    return [int(value) for value in scene.image[20, 10]]


def test_a_scene_of_the_first_version_has_strokes_in_the_colour_of_the_inside() -> None:
    data = box().to_dict()
    (old,) = data["axioms"]
    old["attributes"] = {name: value for name, value in old["attributes"].items() if "stroke" not in name}
    for entry in ("form", "count"):
        del old[entry]
    del data["residual"]
    scene = Scene.from_dict(data)
    assert one_colour(scene.axioms[0].attributes)
    assert inside(scene) == stroke(scene) == [255, 255, 255]


def test_a_border_is_drawn_told_and_kept() -> None:
    scene = box(**BLACK_STROKE)
    assert (inside(scene), stroke(scene)) == ([255, 255, 255], [0, 0, 0])
    assert "It is white and bordered in black." in scene.describe()
    assert scene.ask("what is the border colour of the square?").value == "black"
    assert scene.ask("how many bordered squares are there?").value == 1
    again = Scene.from_dict(scene.to_dict())
    assert np.array_equal(again.image, scene.image)
    assert repr(again.axioms[0]).endswith("#ffffff in #000000, p 1.00>")


def test_a_new_colour_is_that_of_both_where_both_were_the_same() -> None:
    plain, bordered = box(), box(**BLACK_STROKE)
    for scene in (plain, bordered):
        scene.edit("square.1.colour=red")
    assert inside(plain) == stroke(plain) == [255, 0, 0]
    assert (inside(bordered), stroke(bordered)) == ([255, 0, 0], [0, 0, 0])


@pytest.mark.parametrize("edit", ["square.1.border=blue", "square.1.stroke_colour=#0000ff"])
def test_the_border_has_an_edit_of_its_own(edit: str) -> None:
    scene = box()
    scene.edit(edit)
    assert (inside(scene), stroke(scene)) == ([255, 255, 255], [0, 0, 255])


def test_one_channel_set_by_hand_shows_in_an_outline() -> None:
    scene = box(filled=0.0)
    scene.axioms[0].attributes["red"] = 0.0
    assert stroke(scene) == [0, 255, 255]


def test_the_colour_of_an_outline_is_that_of_its_stroke() -> None:
    scene = box(filled=0.0, **BLACK_STROKE)
    assert scene.ask("what colour is the square?").value == "black"


def test_both_colours_are_in_the_svg(tmp_path: Path) -> None:
    box(**BLACK_STROKE).save(tmp_path / "box.svg")
    text = (tmp_path / "box.svg").read_text()
    assert 'fill="#ffffff" stroke="#000000" stroke-width="4"' in text
