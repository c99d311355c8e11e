"""An SVG file shows in another program what we draw, and holds the tree."""

import io
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest
import resvg_py
from numpy.typing import NDArray
from PIL import Image
from skimage.metrics import structural_similarity

from unrender import Observation, Scene

SVG = "{http://www.w3.org/2000/svg}"


def saved(scene: Scene, folder: Path) -> ET.Element:
    """The root of the file that was written."""
    scene.save(folder / "scene.svg")
    return ET.parse(folder / "scene.svg").getroot()


def rendered(folder: Path) -> NDArray[np.uint8]:
    """The file as resvg draws it, which shares no code with us."""
    picture = resvg_py.svg_to_bytes(svg_path=str(folder / "scene.svg"))
    return np.asarray(Image.open(io.BytesIO(bytes(picture))).convert("RGB"))


def alike(folder: Path, scene: Scene) -> float:
    return float(structural_similarity(rendered(folder), scene.image, channel_axis=2))


def groups(element: ET.Element) -> list[ET.Element]:
    return element.findall(f"{SVG}g")


def tree_of(group: ET.Element) -> tuple[object, ...]:
    """Symbol, place, depth and parts of a group, its parts in any order."""
    known = (group.get(f"data-{key}", "None") for key in ("symbol", "x", "y", "depth"))
    return (*known, sorted(map(tree_of, groups(group)), key=str))


def tree(node: Observation) -> tuple[object, ...]:
    """The same of a node."""
    known = (node.symbol.replace("\x07", "\ufffd"), *map(str, (*node.position, node.depth)))
    return (*known, sorted(map(tree, node.parts), key=str))


def test_another_renderer_draws_what_we_draw(scene: Scene, tmp_path: Path) -> None:
    saved(scene, tmp_path)
    assert rendered(tmp_path).shape == scene.image.shape
    assert alike(tmp_path, scene) > 0.99


def test_a_scene_that_was_really_seen_is_drawn_alike(seen: list[Scene], tmp_path: Path) -> None:
    for scene in seen:
        root = saved(scene, tmp_path)
        assert alike(tmp_path, scene) > 0.99
        assert len(groups(root)) == len(scene.axioms)


def test_there_is_one_group_per_object_nested_like_the_tree(scene: Scene, tmp_path: Path) -> None:
    root = saved(scene, tmp_path)
    assert sorted(map(tree_of, groups(root)), key=str) == sorted(map(tree, scene.axioms), key=str)
    assert len(list(root.iter(f"{SVG}g"))) == len(scene.observations)
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(ids) == len(set(ids))


def test_primitives_are_real_shapes(nest: Scene, tmp_path: Path) -> None:
    root = saved(nest, tmp_path)
    drawn = [
        (group.get("data-symbol"), [element.tag.removeprefix(SVG) for element in group][1:])
        for group in root.iter(f"{SVG}g")
        if not groups(group)
    ]
    assert sorted(drawn) == [
        ("circle", ["circle"]),
        ("circle", ["circle"]),
        ("circle", ["ellipse"]),
        ("square", ["rect"]),
        ("triangle", ["polygon"]),
        ("triangle", ["polygon"]),
    ]


def test_what_is_known_is_there_as_data(nest: Scene, tmp_path: Path, odd: str) -> None:
    (harbour,) = [g for g in groups(saved(nest, tmp_path)) if groups(g)]
    assert harbour.get("data-symbol") == odd.replace("\x07", "\ufffd")
    assert harbour.findtext(f"{SVG}title") == odd.replace("\x07", "\ufffd")
    known = {key: harbour.get(f"data-{key}") for key in ("p", "rotation", "red", "very-wet-", "attribute-p")}
    assert known == {
        "p": "0.75",
        "rotation": "-40.0",
        "red": "0.5",
        "very-wet-": "0.3",
        "attribute-p": "0.2",
    }
    assert harbour.get("data-track") is None


def test_names_that_become_alike_are_all_kept(tmp_path: Path) -> None:
    node = Observation("square", (10.0, 10.0), (5.0, 5.0))
    values = {"a b": 0.1, "a/b": 0.2, "A B": 0.3}
    bag = Observation("bag", (10.0, 10.0), (5.0, 5.0), 0.0, values, parts=[node])
    (group,) = groups(saved(Scene(20, 20, [bag]), tmp_path))
    assert sorted(v for k, v in group.attrib.items() if k.startswith("data-a-b")) == ["0.1", "0.2", "0.3"]


def test_trees_that_reach_in_front_of_each_other_are_painted_in_depth_order(
    weave: Scene, tmp_path: Path
) -> None:
    root = saved(weave, tmp_path)
    picture = rendered(tmp_path)
    assert np.array_equal(picture[30, 30], (0, 0, 255)), "down over across"
    assert np.array_equal(picture[70, 30], (255, 153, 0)), "across over down"
    assert len(root.findall(f"{SVG}use")) == 2
    for use in root.findall(f"{SVG}use"):
        (there,) = [e for e in root.iter() if e.get("id") == use.get("href", "")[1:]]
        assert there.tag == f"{SVG}rect"


def test_trees_that_interleave_only_in_number_are_painted_one_after_the_other(
    weave: Scene, tmp_path: Path
) -> None:
    across, down = weave.axioms
    across.parts[1].position = (50.0, 190.0)  # out of the picture: nothing is woven any more
    assert not saved(weave, tmp_path).findall(f"{SVG}use")
    assert alike(tmp_path, weave) > 0.99
    assert [leaf.depth for leaf in across.primitives] == [0, 2]
    assert [leaf.depth for leaf in down.primitives] == [1, 3]


def test_random_piles_of_random_trees_are_painted_right(tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    lifted = 0
    for _ in range(6):
        leaves = []
        for depth in rng.permutation(18):
            x, y, w, h = rng.uniform((10, 10, 10, 10), (70, 70, 40, 40))
            red, green, blue, filled = rng.uniform(size=4)
            looks = {"red": red, "green": green, "blue": blue, "filled": filled, "thickness": 0.15}
            symbol = str(rng.choice(["circle", "square", "triangle"]))
            turn = float(rng.uniform(-180, 180))
            leaves.append(Observation(symbol, (x, y), (w, h), turn, looks, depth=int(depth)))
        wholes = [
            Observation("heap", (40.0, 40.0), (60.0, 60.0), parts=leaves[i : i + 3]) for i in (0, 3, 6, 9)
        ]
        pile = Observation("pile", (40.0, 40.0), (60.0, 60.0), parts=[*wholes[:2], leaves[12]])
        scene = Scene(80, 80, [pile, *wholes[2:], *leaves[13:]], (90, 90, 90))
        lifted += len(saved(scene, tmp_path).findall(f"{SVG}use"))
        assert np.abs(rendered(tmp_path).astype(int) - scene.image).mean() < 2
    assert lifted > 6


def test_the_background_is_a_colour_or_the_picture_itself(nest: Scene, weave: Scene, tmp_path: Path) -> None:
    plain = saved(weave, tmp_path).find("*[@id='background']")
    assert plain is not None
    assert (plain.tag, plain.get("fill")) == (f"{SVG}rect", "#ffffff")
    picture = saved(nest, tmp_path).find("*[@id='background']")
    assert picture is not None
    assert picture.tag == f"{SVG}image"
    assert np.array_equal(rendered(tmp_path)[0], nest.background[0])


def test_a_primitive_of_another_package_is_traced(holed: Scene, tmp_path: Path) -> None:
    root = saved(holed, tmp_path)
    assert len(list(root.iter(f"{SVG}path"))) == 2
    assert alike(tmp_path, holed) > 0.98
    assert np.array_equal(rendered(tmp_path)[40, 40], (40, 40, 40)), "the hole shows the ground"


def test_an_edit_is_in_the_file(weave: Scene, tmp_path: Path) -> None:
    before = saved(weave, tmp_path)
    weave.axioms[0].parts[0].rotation = 45.0
    after = saved(weave, tmp_path)
    assert ET.tostring(before) != ET.tostring(after)
    assert alike(tmp_path, weave) > 0.99


@pytest.mark.parametrize("thickness", [0.0, 0.02, 0.5, 1.0])
@pytest.mark.parametrize("filled", [0.0, 0.4, 1.0])
def test_strokes_of_any_width_are_centred_on_the_boundary(
    thickness: float, filled: float, tmp_path: Path
) -> None:
    looks = {"red": 1.0, "green": 0.5, "blue": 0.0, "filled": filled, "thickness": thickness}
    scene = Scene(
        130,
        50,
        [
            Observation("circle", (22.3, 25.0), (20.0, 14.0), 15.0, dict(looks)),
            Observation("square", (62.0, 25.7), (16.0, 22.0), 30.0, dict(looks)),
            Observation("triangle", (105.0, 26.0), (24.0, 20.0), -50.0, dict(looks)),
        ],
    )
    saved(scene, tmp_path)
    assert alike(tmp_path, scene) > 0.97
    assert np.abs(rendered(tmp_path).astype(int) - scene.image).mean() < 2
