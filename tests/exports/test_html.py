"""A scene in a notebook: the picture, what was seen in it, and the tree."""

import base64
import io
from html.parser import HTMLParser

import numpy as np
from PIL import Image

from unrender import Observation, Scene

KNOWN = {"div", "span", "b", "img", "svg", "image", "title"}
SHAPES = {"circle", "ellipse", "rect", "line", "polyline", "polygon", "path"}


class Page(HTMLParser):
    """What a browser makes of it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag != "img":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def images(page: Page) -> list[Image.Image]:
    found = []
    for tag, attributes in page.tags:
        data = attributes.get("src" if tag == "img" else "href")
        if tag in ("img", "image"):
            assert data is not None
            assert data.startswith("data:image/png;base64,")
            found.append(Image.open(io.BytesIO(base64.b64decode(data.partition(",")[2]))))
    return found


def test_any_scene_is_a_page_that_needs_nothing_else(scene: Scene) -> None:
    page = Page(scene._repr_html_())
    assert page.open == []
    tags = [tag for tag, _ in page.tags]
    assert set(tags) <= KNOWN | SHAPES
    assert sum(tag in SHAPES for tag in tags) == len(scene.primitives)
    addresses = [value for _, own in page.tags for name, value in own.items() if name in ("href", "src")]
    assert all(value is not None and value.startswith("data:") for value in addresses)
    (below,) = images(page)
    assert below.size == (scene.width, scene.height)


def test_what_was_seen_is_shown_beside_its_picture(seen: list[Scene]) -> None:
    for scene in seen:
        page = Page(scene._repr_html_())
        picture, below = images(page)
        assert np.array_equal(np.asarray(picture), scene.picture)
        assert np.array_equal(np.asarray(below), scene.picture)
        for node in scene.axioms:
            assert f"{node.symbol}." in page.text
            assert f"{node.position[0]:.1f}, {node.position[1]:.1f}" in page.text


def test_no_name_becomes_part_of_the_page(nest: Scene) -> None:
    nest.axioms[0].symbol = "</div><script>alert(1)</script>&amp;"
    nest.axioms[1].symbol = "triangle"
    text = nest._repr_html_()
    assert "<script" not in text
    page = Page(text)
    assert page.open == []
    assert "</div><script>alert(1)</script>&amp;.1" in page.text


def test_an_edit_shows() -> None:
    looks = {"red": 1.0, "green": 0.0, "blue": 0.0, "filled": 1.0, "thickness": 0.0}
    scene = Scene(40, 30, [Observation("circle", (20, 15), (10, 10), 0.0, looks)])
    scene.edit("circle.1.x=7")
    assert "7.0, 15.0" in Page(scene._repr_html_()).text


def test_a_scene_of_thousands_and_one_that_cannot_be_drawn_are_shown_too() -> None:
    looks = {"red": 1.0, "green": 0.0, "blue": 0.0, "filled": 1.0, "thickness": 0.0}
    many = [Observation("circle", (i % 60, i // 60), (2, 2), 0.0, dict(looks), depth=i) for i in range(3000)]
    text = Scene(4000, 100, many)._repr_html_()
    assert "and 2800 more" in text
    assert len(text) < 1_000_000
    unknown = Scene(40, 30, [Observation("blob <b>", (20, 15), (10, 10))])
    assert "blob &lt;b&gt;.1" in unknown._repr_html_()
    many[0].size = (1e300, float("nan"))
    assert "circle.1" in Scene(60, 60, many[:1])._repr_html_()
