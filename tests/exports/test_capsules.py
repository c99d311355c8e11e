"""The capsule graph: every capsule and every route is in the drawing, wholes right of their parts."""

import warnings
from dataclasses import dataclass, field
from xml.etree import ElementTree

import pytest

from unrender.exports.capsules import capsule_graph, capsule_graph_png, capsule_graph_svg
from unrender.exports.levels import levels


@dataclass(frozen=True)
class Form:
    """A route, as far as a drawing needs to know it."""

    parts: tuple[str, ...]
    own: tuple[str, ...] = ()


@dataclass
class Known:
    """Symbols with their routes: the lower network of the paper's figure, unless told otherwise."""

    symbols: dict[str, list[Form]] = field(
        default_factory=lambda: {
            "belt-scene": [Form(("ship", "asteroid", "asteroid", "asteroid"))],
            "ship": [Form(("booster", "shuttle"))],
            "booster": [Form(("square", "triangle", "triangle"))],
            "shuttle": [Form(("circle", "triangle"))],
            "asteroid": [Form(("circle",) * 3, ("elongated",)), Form(("circle",) * 3)],
        }
    )


PRIMITIVES = ("circle", "square", "triangle")


def test_primitives_stand_left_and_every_whole_right_of_its_parts() -> None:
    drawn = levels(Known().symbols, PRIMITIVES)
    columns = {name: i for name, (i, _) in drawn.places.items()}
    assert [columns[name] for name in ("circle", "booster", "asteroid", "ship", "belt-scene")] == [
        0,
        1,
        1,
        2,
        3,
    ]
    assert all(columns[link.part] < columns[link.whole] for link in drawn.links)


def test_a_link_that_skips_a_column_has_a_place_of_its_own_there() -> None:
    drawn = levels(Known().symbols, PRIMITIVES)
    (link,) = [one for one in drawn.links if (one.part, one.whole) == ("asteroid", "belt-scene")]
    assert link.count == 3
    (bend,) = link.via
    assert drawn.places[bend][0] == 2
    assert drawn.places[bend] != drawn.places["ship"]
    assert sorted(drawn.capsules) == sorted([*PRIMITIVES, *Known().symbols])


def test_no_links_cross_where_none_need_to() -> None:
    drawn = levels(
        {"x": [Form(("triangle",))], "y": [Form(("circle",))], "z": [Form(("square",))]}, PRIMITIVES
    )
    rows = {name: row for name, (_, row) in drawn.places.items()}
    assert all(rows[link.part] == rows[link.whole] for link in drawn.links)


def test_a_part_that_nobody_explains_counts_as_a_primitive() -> None:
    drawn = levels({"flower": [Form(("petal", "circle"))]}, PRIMITIVES)
    assert drawn.places["petal"][0] == 0


def test_the_svg_names_every_capsule_numbers_routes_and_counts_parts() -> None:
    text = capsule_graph_svg(Known())
    root = ElementTree.fromstring(text)
    said = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
    for name in (*PRIMITIVES, *Known().symbols, "elongated"):
        assert said.count(name) == 1
    assert said.count("1") == said.count("2") == 1  # the two routes of the asteroid
    assert said.count("3×") == 2  # once for both routes of the asteroid, once for the belt
    assert said.count("2×") == 1
    assert text == capsule_graph_svg(Known()), "the same network gives another file"


@pytest.mark.parametrize("symbols", [{}, {f"object{i}": [Form(("circle", "square"))] for i in range(40)}])
def test_a_brain_that_knows_nothing_and_one_that_knows_much_are_drawn(symbols: dict[str, list[Form]]) -> None:
    figure = capsule_graph(Known(symbols))
    figure.canvas.draw()
    names = [text.get_text() for text in figure.axes[0].texts]
    assert set(names) >= {*PRIMITIVES, *symbols}


@pytest.mark.parametrize("name", ["船", "हिन्दी", "корабль", "سفينة", "a" * 64])
def test_names_of_any_script_are_drawn_without_a_warning(name: str) -> None:
    known = Known({name: [Form(("circle", "square"))]})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert f">{name}</text>" in capsule_graph_svg(known)
        assert capsule_graph_png(known, 50).startswith(b"\x89PNG")
