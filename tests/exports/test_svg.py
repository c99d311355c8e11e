"""An SVG file shows in another program what we draw, and holds the tree."""

import io
import re
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest
import resvg_py
from numpy.typing import NDArray
from PIL import Image
from skimage.metrics import structural_similarity

from unrender import Observation, Scene
from unrender.primitives.vector import path_data
from unrender.scene.pixels import layer

SVG = "{http://www.w3.org/2000/svg}"


def saved(scene: Scene, folder: Path) -> ET.Element:
    """The root of the file that was written."""
    scene.save(folder / "scene.svg")
    return ET.parse(folder / "scene.svg").getroot()


def rendered(folder: Path, name: str = "scene.svg") -> NDArray[np.uint8]:
    """The file as resvg draws it, which shares no code with us."""
    picture = resvg_py.svg_to_bytes(svg_path=str(folder / name))
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


def elements(root: ET.Element) -> list[ET.Element]:
    """What is drawn of each object."""
    return [group[-1] for group in root.iter(f"{SVG}g")]


def test_strokes_and_paths_are_what_a_person_would_have_written(lines: Scene, tmp_path: Path) -> None:
    drawn = elements(saved(lines, tmp_path))
    assert [own.tag.removeprefix(SVG) for own in drawn] == [
        *["line", "line", "rect", "path", "path", "path"],
        *["polygon", "polygon", "polyline", "path", "path", "rect", "rect"],
    ]
    line, butt = drawn[:2]
    assert {key: line.get(key) for key in ("x1", "y1", "x2", "y2", "stroke-width", "stroke-linecap")} == {
        "x1": "14.41",
        "y1": "11",
        "x2": "45.59",
        "y2": "29",
        "stroke-width": "4",
        "stroke-linecap": "round",
    }
    assert butt.get("stroke-linecap") == "butt"
    arc, ellipse, curve = drawn[3:6]
    assert arc.get("d") == "M 42.14 68.82 A 15 15 0 0 1 17.86 51.18"
    assert str(ellipse.get("d")).split()[3:7] == ["A", "20", "10", "25"]
    assert str(curve.get("d")).split()[3] == "C"
    assert {own.get("fill") for own in drawn[3:6]} == {"none"}
    assert drawn[6].get("stroke") is None
    assert (drawn[7].get("fill"), drawn[7].get("stroke-width")) == ("none", "3")
    assert drawn[8].get("fill") == "none", "an open line has no inside"
    assert drawn[10].get("fill") != "none"
    assert drawn[10].get("stroke") is not None
    assert (drawn[11].get("rx"), drawn[12].get("rx")) == ("6", "10")


def test_only_boxes_and_ellipses_are_turned_by_a_transform(lines: Scene, tmp_path: Path) -> None:
    turned = {own.tag.removeprefix(SVG) for own in elements(saved(lines, tmp_path)) if own.get("transform")}
    assert turned <= {"rect", "ellipse"}


def test_numbers_have_two_decimals_at_most(seen: list[Scene], tmp_path: Path) -> None:
    for scene in seen:
        for own in elements(saved(scene, tmp_path)):
            told = " ".join(value for key, value in own.attrib.items() if not key.startswith("data-"))
            assert not re.search(r"\.\d{3}", told), told


@pytest.mark.parametrize("sweep", [0.2, 0.48, 0.5, 0.52, 0.7, 0.98, 1.0])
@pytest.mark.parametrize("height", [60.0, 31.7])
def test_arcs_stay_where_they_are_though_their_numbers_are_rounded(
    sweep: float, height: float, tmp_path: Path
) -> None:
    looks = {"red": 1.0, "green": 1.0, "blue": 1.0, "filled": 0.0, "thickness": 0.1}
    for start in (0.013, 0.37, 0.771):
        own = looks | {"start": start, "sweep": sweep}
        arc = Observation("arc", (40.123, 41.877), (60.0, height), 17.0, own)
        root, drawn = saved(Scene(84, 84, [arc]), tmp_path), layer(arc)
        (own,) = elements(root)
        own.set("d", path_data(drawn.path, drawn.position, drawn.half, drawn.rotation, decimals=7))
        (tmp_path / "exact.svg").write_bytes(ET.tostring(root))
        exact = rendered(tmp_path, "exact.svg").astype(int)
        assert np.abs(rendered(tmp_path).astype(int) - exact).max() < 64
