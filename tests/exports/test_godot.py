"""A .tscn file, read by the rules of Godot's text format, is the scene: places, tree, depth and pixels."""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image, ImageDraw
from skimage.metrics import structural_similarity

from unrender import Observation, Scene, UnrenderError
from unrender.worlds.truth import placed

FINE = 4  # the reader draws this many times as large, then makes it smaller

TOKEN = re.compile(
    r"""\s*(?:
        (?P<string>"(?:[^"\\]|\\.)*")
      | (?P<number>[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)
      | (?P<word>[A-Za-z_][\w/]*)
      | (?P<sign>[\[\]{}(),:=])
    )""",
    re.VERBOSE | re.DOTALL,
)
ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", '"': '"'}


@dataclass
class Node:
    """A node of the file with its path, and where it stands in the picture."""

    name: str
    kind: str
    properties: dict[str, Any]
    path: str
    matrix: NDArray[np.float64] = field(repr=False)  # (2, 3): own frame -> picture
    z: int
    children: list["Node"] = field(default_factory=list)


class Reader:
    """Values, headings and properties of Godot's text format, one token after the other."""

    def __init__(self, text: str) -> None:
        self.tokens = list(self._tokens(text))
        self.at = 0

    @staticmethod
    def _tokens(text: str) -> Iterator[tuple[str, str]]:
        at, end = 0, len(text.rstrip())
        while at < end:
            found = TOKEN.match(text, at)
            assert found is not None, f"not a token: {text[at : at + 40]!r}"
            assert found.lastgroup is not None
            yield found.lastgroup, found[found.lastgroup]
            at = found.end()

    def next(self, *expected: str) -> str:
        text = self.tokens[self.at][1]
        assert not expected or text in expected, (text, expected)
        self.at += 1
        return text

    def peek(self) -> str:
        return self.tokens[self.at][1] if self.at < len(self.tokens) else "["

    def value(self) -> Any:
        kind, text = self.tokens[self.at]
        self.at += 1
        if kind == "string":
            return re.sub(r"\\(.)", lambda found: ESCAPES[found[1]], text[1:-1], flags=re.DOTALL)
        if kind == "number":
            return float(text) if re.search(r"[.eE]", text) else int(text)
        if text == "{":
            return self._dictionary()
        if text in ("true", "false"):
            return text == "true"
        assert kind == "word", text
        self.next("(")
        return (text, *self._until(")"))

    def _until(self, end: str) -> Iterator[Any]:
        while self.peek() != end:
            yield self.value()
            if self.peek() != end:
                self.next(",")
        self.next(end)

    def _dictionary(self) -> dict[str, Any]:
        found = {}
        while self.peek() != "}":
            key = self.value()
            self.next(":")
            found[key] = self.value()
            if self.peek() != "}":
                self.next(",")
        self.next("}")
        return found

    def sections(self) -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
        """Tag, heading and properties of each section."""
        while self.at < len(self.tokens):
            self.next("[")
            tag, heading, properties = self.next(), {}, {}
            while self.peek() != "]":
                key = self.next()
                self.next("=")
                heading[key] = self.value()
            self.next("]")
            while self.peek() != "[":
                key = self.next()
                self.next("=")
                properties[key] = self.value()
            yield tag, heading, properties


def transform(properties: dict[str, Any]) -> NDArray[np.float64]:
    """Node2D's transform: scale, then rotation, then position."""
    _, x, y = properties.get("position", ("Vector2", 0.0, 0.0))
    _, sx, sy = properties.get("scale", ("Vector2", 1.0, 1.0))
    angle = properties.get("rotation", 0.0)
    cos, sin = math.cos(angle), math.sin(angle)
    return np.array([[cos * sx, -sin * sy, x], [sin * sx, cos * sy, y]])


@dataclass
class GodotScene:
    """A file as Godot would hold it."""

    nodes: list[Node]
    resources: dict[str, dict[str, Any]]

    @classmethod
    def read(cls, path: Path) -> "GodotScene":
        (tag, heading, _), *sections = Reader(path.read_text("utf-8")).sections()
        assert (tag, heading["format"]) == ("gd_scene", 3)
        scene = cls([], {})
        by_path: dict[str, Node] = {}
        for tag, heading, properties in sections:
            if tag == "sub_resource":
                assert not by_path, "resources stand before nodes"
                scene.resources[heading["id"]] = properties
                continue
            assert tag == "node"
            name = heading["name"]
            assert not re.search(r'[.:@/"%]', name), "a name that Godot would change"
            if "parent" not in heading:
                assert not by_path, "one root, and first"
                here, parent = ".", None
            else:
                parent = by_path[heading["parent"]]  # it stands before its children
                here = name if parent.path == "." else f"{parent.path}/{name}"
            assert here not in by_path, "two nodes of one name"
            matrix, z = transform(properties), properties.get("z_index", 0)
            assert -4096 <= z <= 4096
            if parent is not None:
                matrix = parent.matrix[:, :2] @ matrix + np.pad(parent.matrix[:, 2:], ((0, 0), (2, 0)))
                z += parent.z
            by_path[here] = Node(name, heading["type"], properties, here, matrix, z)
            if parent is not None:
                parent.children.append(by_path[here])
            scene.nodes.append(by_path[here])
        assert len(scene.resources) + 1 == sections_of(path)
        return scene

    def draw(self, width: int, height: int) -> NDArray[np.uint8]:
        """The picture: by z_index, and in the order of the tree where that is the same."""
        picture = Image.new("RGB", (width * FINE, height * FINE))
        for node in sorted(self.nodes, key=lambda node: node.z):
            if node.kind == "Sprite2D":
                picture.paste(self._texture(node).resize(picture.size, Image.Resampling.NEAREST))
            elif node.kind in ("Polygon2D", "Line2D"):
                self._paint(node, picture)
            else:
                assert node.kind == "Node2D"
        return np.asarray(picture.reduce(FINE))

    def _texture(self, node: Node) -> Image.Image:
        assert node.properties["centered"] is False
        texture = self.resources[node.properties["texture"][1]]
        data = self.resources[texture["image"][1]]["data"]
        assert data["format"] == "RGB8"
        return Image.frombytes("RGB", (data["width"], data["height"]), bytes(data["data"][1:]))

    def _paint(self, node: Node, picture: Image.Image) -> None:
        own = np.array(node.properties["polygon" if node.kind == "Polygon2D" else "points"][1:])
        there = own.reshape(-1, 2) @ node.matrix[:, :2].T + node.matrix[:, 2]
        line = [(x, y) for x, y in (there * FINE - 0.5).tolist()]
        mask = Image.new("L", picture.size)
        brush = ImageDraw.Draw(mask)
        _, *rgb, alpha = node.properties["color" if node.kind == "Polygon2D" else "default_color"]
        level = round(255 * alpha)
        if node.kind == "Polygon2D":
            brush.polygon(line, fill=level)
        else:
            wide = node.properties["width"] * math.sqrt(abs(np.linalg.det(node.matrix[:, :2]))) * FINE
            assert node.properties["joint_mode"] == 2
            closed = node.properties.get("closed", False)
            caps = [node.properties.get(f"{end}_cap_mode", 0) for end in ("begin", "end")]
            assert caps[0] == caps[1]
            assert len(line) > 2 or not closed
            assert not closed or math.dist(line[0], line[-1]) > 1e-3, "Godot closes it itself"
            around = [*line, line[0]] if closed else line
            joins = around if closed or caps[0] == 2 else line[1:-1]
            for x, y in joins:
                brush.ellipse((x - wide / 2, y - wide / 2, x + wide / 2, y + wide / 2), fill=level)
            for (x, y), (u, v) in pairwise(around):
                away = np.array([y - v, u - x]) / max(math.dist((x, y), (u, v)), 1e-9) * wide / 2
                corners = [np.add(end, side * away) for end, side in (((x, y), 1), ((u, v), 1))]
                corners += [np.add(end, -away) for end in ((u, v), (x, y))]
                brush.polygon([(a, b) for a, b in corners], fill=level)
        picture.paste(tuple(round(255 * c) for c in rgb), mask=mask)


def sections_of(path: Path) -> int:
    """load_steps: resources and the scene itself."""
    found = re.match(r"\[gd_scene load_steps=(\d+)", path.read_text("utf-8"))
    return int(found[1]) if found else 1


def saved(scene: Scene, folder: Path) -> GodotScene:
    scene.save(folder / "level one.tscn")
    return GodotScene.read(folder / "level one.tscn")


def objects(read: GodotScene) -> list[Node]:
    """The nodes that are observations, parents before parts."""
    return [node for node in read.nodes if "metadata/symbol" in node.properties]


def pose(node: Node) -> tuple[float, float, float]:
    """x, y and rotation in degrees in the picture."""
    x, y = node.matrix[:, 2]
    return x, y, math.degrees(math.atan2(node.matrix[1, 0], node.matrix[0, 0]))


def test_godot_draws_what_we_draw(scene: Scene, tmp_path: Path) -> None:
    picture = saved(scene, tmp_path).draw(scene.width, scene.height)
    assert structural_similarity(picture, scene.image, channel_axis=2) > 0.97


def test_a_scene_that_was_really_seen_is_drawn_alike(seen: list[Scene], tmp_path: Path) -> None:
    for scene in seen:
        picture = saved(scene, tmp_path).draw(scene.width, scene.height)
        assert structural_similarity(picture, scene.image, channel_axis=2) > 0.97


def test_every_object_is_a_node_that_stands_where_it_was_seen(scene: Scene, tmp_path: Path) -> None:
    read = saved(scene, tmp_path)
    assert (read.nodes[0].name, read.nodes[0].kind) == ("level one", "Node2D")
    found = objects(read)
    assert {node.kind for node in found} <= {"Node2D"}
    for node, own in zip(found, scene.observations, strict=True):
        x, y, turn = pose(node)
        assert (x, y) == pytest.approx(own.position)
        assert math.remainder(turn - own.rotation, 360) == pytest.approx(0, abs=1e-6)
        area = abs(np.linalg.det(node.matrix[:, :2])) * 64**2
        assert area == pytest.approx(own.size[0] * own.size[1])
        below = [child for child in node.children if child.kind == "Node2D"]
        assert len(below) == len(own.parts)


def test_depth_is_the_z_index(weave: Scene, tmp_path: Path) -> None:
    depths = {pose(node)[:2]: node.z for node in objects(saved(weave, tmp_path)) if not objects_below(node)}
    assert depths == {leaf.position: leaf.depth for leaf in weave.primitives}


def objects_below(node: Node) -> list[Node]:
    return [child for child in node.children if child.kind == "Node2D"]


def test_what_is_known_is_metadata_whatever_its_name(nest: Scene, tmp_path: Path, odd: str) -> None:
    nest.axioms[0].track = 7
    nest.axioms[0].velocity, nest.axioms[0].spin = (1.5, -2.0), 3.25
    harbour = objects(saved(nest, tmp_path))[0]
    clean = odd.replace("\x07", "\ufffd")
    known = {key: harbour.properties[f"metadata/{key}"] for key in ("symbol", "p", "route", "track")}
    assert known == {"symbol": clean, "p": 0.75, "route": f"{clean}/1", "track": 7}
    assert harbour.properties["metadata/attributes"] == {"red": 0.5, "very <wet>": 0.3, "p": 0.2}
    assert harbour.properties["metadata/velocity"] == ("Vector2", 1.5, -2.0)
    assert harbour.properties["metadata/spin"] == 3.25
    assert harbour.properties["metadata/size"] == ("Vector2", 60.0, 40.0)


def test_every_name_is_there_once(scene: Scene, tmp_path: Path) -> None:
    names = [node.name for node in objects(saved(scene, tmp_path))]
    assert len(names) == len(set(names))


def test_symbols_that_become_alike_have_different_names(tmp_path: Path) -> None:
    trees = [
        Observation(name, (9.0, 9.0), (4.0, 4.0), parts=[Observation("circle", (9.0, 9.0), (4.0, 4.0))])
        for name in ("a.b", "a:b", "a_b", "", "-1")
    ]
    names = [node.name for node in objects(saved(Scene(20, 20, trees), tmp_path))]
    assert len(set(names)) == len(names) == 10


def below(node: Node) -> list[Any]:
    """All that hangs under a node, in its own frame."""
    hidden = ("metadata/size", "z_index")
    return [
        (child.kind, {k: v for k, v in child.properties.items() if k not in hidden}, below(child))
        for child in node.children
    ]


def nearly(a: Any, b: Any) -> bool:
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(nearly(a[key], b[key]) for key in a)
    if isinstance(a, (list, tuple)):
        return len(a) == len(b) and all(nearly(x, y) for x, y in zip(a, b, strict=True))
    return bool(a == b or (isinstance(a, float) and math.isclose(a, b, rel_tol=1e-4, abs_tol=1e-4)))


def test_an_object_elsewhere_turned_and_larger_differs_only_in_its_own_pose(
    nest: Scene, tmp_path: Path
) -> None:
    boat = nest.axioms[0].parts[0]
    other = placed(boat, (100.0, 60.0), 75.0, 1.7)
    for leaf in other.primitives:
        leaf.depth = (leaf.depth or 0) + 10
    pair = Scene(160, 110, [placed(boat, boat.position, boat.rotation), other])
    first, second = saved(pair, tmp_path).nodes[0].children[1:]
    assert nearly(below(first), below(second))
    assert not nearly(first.properties["scale"], second.properties["scale"])
    changed = placed(boat, (100.0, 60.0), 75.0, 1.7)
    changed.parts[0] = replace(changed.parts[0], rotation=0.0)
    first, second = saved(Scene(160, 110, [boat, changed]), tmp_path).nodes[0].children[1:]
    assert not nearly(below(first), below(second))


def test_a_primitive_of_another_package_is_traced_hole_and_all(holed: Scene, tmp_path: Path) -> None:
    read = saved(holed, tmp_path)
    assert [node.kind for node in read.nodes].count("Line2D") == 2, "one around it and one around the hole"
    picture = read.draw(holed.width, holed.height)
    assert structural_similarity(picture, holed.image, channel_axis=2) > 0.97
    assert np.array_equal(picture[40, 40], (40, 40, 40)), "the hole shows the ground"


def test_more_shapes_than_godot_has_depths_are_refused(tmp_path: Path) -> None:
    crowd = [Observation("circle", (5.0, 5.0), (2.0, 2.0), depth=i) for i in range(4098)]
    with pytest.raises(UnrenderError, match=r"Godot knows 4097 depths and this scene has 4098 primitives"):
        Scene(10, 10, crowd).save(tmp_path / "crowd.tscn")
