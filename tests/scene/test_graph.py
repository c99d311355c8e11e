"""A scene graph is written as plain JSON and read back without loss; its primitives make its pixels."""

import json

import numpy as np
import pytest

import unrender
from unrender import Observation, Scene, UnrenderError

STYLE = {"red": 1.0, "green": 0.5, "blue": 0.25, "filled": 1.0, "thickness": 0.0}


def leaf(symbol: str, x: float, y: float, side: float, depth: int, **style: float) -> Observation:
    return Observation(
        symbol, (float(x), float(y)), (float(side), float(side)), 0.0, STYLE | style, depth=depth
    )


def small_scene(background: object = (0, 0, 0)) -> Scene:
    """A house of two parts whose square stands in front of a loose circle, and of the roof."""
    roof = leaf("triangle", 10, 6, 8, 1, blue=1.0)
    body = leaf("square", 10, 12, 8, 2)
    house = Observation(
        "house", (10.0, 9.0), (8.0, 14.0), 12.5, {"red": 1.0}, 0.9, "house/1", [roof, body], track=7
    )
    circle = leaf("circle", 14, 12, 8, 0, red=0.0)
    return Scene(24, 20, [circle, house], background)  # type: ignore[arg-type]


def nodes(scene: Scene) -> list[dict[str, object]]:
    return [node.to_dict() for node in scene.observations]


TEXTURE = np.random.default_rng(0).integers(0, 256, (20, 24, 3), np.uint8)


@pytest.mark.parametrize("background", [(0, 0, 0), (200, 100, 7), TEXTURE])
def test_a_scene_survives_being_written_as_json_and_read_again(background: object) -> None:
    scene = small_scene(background)
    text = json.dumps(scene.to_dict())
    again = Scene.from_dict(json.loads(text))
    assert (again.width, again.height) == (24, 20)
    assert nodes(again) == nodes(scene)
    assert np.array_equal(again.background, scene.background)
    assert np.array_equal(again.image, scene.image)
    assert json.dumps(again.to_dict()) == text


def test_floats_survive_to_the_last_digit() -> None:
    node = Observation("circle", (1 / 3, 2 / 7), (0.1 + 0.2, 5.0), 1e-17, {"red": 1 / 9}, p=1 / 11)
    again = Observation.from_dict(json.loads(json.dumps(node.to_dict())))
    assert again.to_dict() == node.to_dict()


def test_observations_are_all_nodes_and_primitives_are_the_leaves_in_depth_order() -> None:
    scene = small_scene()
    assert [node.symbol for node in scene.observations] == ["circle", "house", "triangle", "square"]
    scene.axioms.reverse()
    assert [node.symbol for node in scene.primitives] == ["circle", "triangle", "square"]


def test_the_visible_mask_of_an_object_is_what_shows_of_it() -> None:
    scene = small_scene()
    circle, house = scene.axioms
    assert circle.full_mask.sum() > circle.mask.sum() > 0
    assert not (circle.mask & house.mask).any()
    assert (circle.mask <= circle.full_mask).all()
    roof, body = house.parts
    assert np.array_equal(house.mask, roof.mask | body.mask)
    assert np.array_equal(body.mask, body.full_mask), "nothing stands in front of the body"
    assert body.mask.sum() == 64


def test_the_picture_is_drawn_on_the_background() -> None:
    scene = small_scene(TEXTURE)
    assert np.array_equal(scene.image[0], TEXTURE[0])
    assert np.array_equal(scene.image[12, 10], (255, 128, 64))


def test_a_changed_scene_is_drawn_again() -> None:
    scene = small_scene()
    before = scene.image.copy()
    scene.axioms[0].attributes["green"] = 1.0
    assert not np.array_equal(scene.image, before)


def test_an_observation_without_a_scene_has_no_mask() -> None:
    with pytest.raises(UnrenderError, match="belongs to no scene"):
        _ = leaf("circle", 1, 1, 1, 0).mask


@pytest.mark.parametrize(
    "damage",
    [
        {"width": "wide"},
        {"width": 0},
        {"height": 10**9},
        {"axioms": None},
        {"axioms": [{"symbol": "circle"}]},
        {"axioms": [{"symbol": "circle", "position": [1], "size": [1, 1]}]},
        {"axioms": [{"symbol": "circle", "position": [1, 2], "size": ["a", 1]}]},
        {"axioms": [17]},
        {"background": "not a picture"},
        {"background": [1, 2]},
    ],
)
def test_a_damaged_file_is_one_sentence_not_a_traceback(damage: dict[str, object]) -> None:
    data = small_scene().to_dict() | damage
    with pytest.raises(UnrenderError) as error:
        Scene.from_dict(data)
    assert str(error.value).endswith(".")
    assert "\n" not in str(error.value)


def test_an_unknown_primitive_in_a_graph_is_an_error_when_drawn() -> None:
    scene = Scene(8, 8, [leaf("blob", 4, 4, 4, 0)])
    with pytest.raises(UnrenderError, match=r"no primitive called \[blob\]"):
        _ = scene.image


def test_the_public_names_are_found_at_the_top() -> None:
    assert set(unrender.__all__) <= set(dir(unrender))
    assert all(getattr(unrender, name) for name in unrender.__all__)
    with pytest.raises(AttributeError, match="no attribute 'Sceen'"):
        _ = unrender.Sceen  # type: ignore[attr-defined]
