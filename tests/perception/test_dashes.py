"""A dashed line is one stroke: as others draw it, as we draw it again, in words, in files, and as a part."""

import math
import sys
from collections.abc import Callable
from pathlib import Path

import cairocffi
import numpy as np
import pytest

import unrender
from unrender.exports.godot import tscn
from unrender.exports.svg import svg
from unrender.render.coverage import cover
from unrender.render.layer import Layer

sys.path.insert(0, str(Path(__file__).parent))
from cairo_pictures import Drawing, disc, drawn, stroke

INK, PAPER = (0.1, 0.15, 0.3), (1.0, 1.0, 1.0)
WINDOW = (0, 80, 0, 120)


def with_dashes(drawing: Drawing, dash: float, gap: float, round_: bool = False) -> Drawing:
    def draw(context: cairocffi.Context) -> None:
        context.set_dash([dash, gap])
        drawing(context)
        context.set_dash([])

    return draw


def picture(*drawings: Drawing, size: tuple[int, int] = (160, 120)) -> np.ndarray:
    return np.round(drawn(size, *drawings, ground=PAPER) * 255).astype(np.uint8)


def edge(**looks: float) -> Layer:
    pose = {"x": 60.0, "y": 40.0, "width": 100.0, "height": 4.0, "rotation": 21.0}
    return Layer.from_vector("edge", pose | looks)


def test_a_dashed_edge_paints_what_its_dashes_paint_one_by_one() -> None:
    whole = cover(edge(dash=0.6, period=0.1).shape, WINDOW).fill
    assert whole is not None
    turn, apart = math.radians(21.0), np.zeros((80, 120))
    for k in range(10):
        off = 10 * k + 3 - 50
        own = {"x": 60 + off * math.cos(turn), "y": 40 + off * math.sin(turn), "width": 6.0}
        dash = cover(edge(**own).shape, WINDOW).fill
        assert dash is not None
        apart += dash
    assert np.abs(whole - apart).sum() < 0.04 * whole.sum(), "but for the corners of boxes"
    assert whole.sum() == pytest.approx(100 * 4 * 0.6, rel=0.01)


def test_round_dashes_are_discs_if_they_have_no_length() -> None:
    dots = cover(edge(dash=0.0, period=0.25, cap=1.0).shape, WINDOW).fill
    assert dots is not None
    assert dots.sum() == pytest.approx(4 * math.pi * 4, rel=0.02)


@pytest.mark.parametrize("name", ["arc", "curve", "path"])
def test_open_lines_end_round_or_straight(name: str) -> None:
    pose = {"x": 60.0, "y": 40.0, "width": 50.0, "height": 40.0, "thickness": 0.12, "filled": 0.0}
    form = (0.0, -1.0, -1.0, 8.0, 1.0, 1.0) if name == "path" else ()
    areas = []
    for cap in (0.0, 1.0):
        patch = cover(Layer.from_vector(name, pose | {"cap": cap}, form).shape, WINDOW)
        assert patch.stroke is not None
        areas.append(float(patch.stroke.sum()))
    assert areas[1] - areas[0] == pytest.approx(math.pi * 3**2, rel=0.06), "two half discs"


def test_a_dashed_line_is_seen_as_one_edge_with_its_dashes() -> None:
    scene = unrender.open(":memory:").see(picture(with_dashes(stroke([(10, 20), (140, 61)], 2, INK), 8, 5)))
    (line,) = scene.primitives
    assert line.symbol == "edge"
    length = line.size[0]
    assert line.attributes["period"] * length == pytest.approx(13, abs=0.1)
    assert line.attributes["dash"] == pytest.approx(8 / 13, abs=0.02)
    assert line.attributes["cap"] == 0
    assert "dashed" in scene.describe()
    written = svg(scene, "dashes")
    assert written.count("<line") == 1
    dash, gap = map(float, written.split('stroke-dasharray="')[1].split('"')[0].split())
    assert (dash, gap) == pytest.approx((8, 5), abs=0.25)
    assert tscn(scene, "dashes").count('type="Line2D"') == 11, "every dash, for Godot knows none"
    assert "data-dash" in written


def test_a_dashed_circle_is_one_circle() -> None:
    period = math.tau * 40 / 12
    ring = with_dashes(disc(80, 60, 40, INK, 3), 0.6 * period, 0.4 * period)
    (circle,) = unrender.open(":memory:").see(picture(ring)).primitives
    assert circle.symbol == "circle"
    assert circle.attributes["period"] == pytest.approx(1 / 12)
    assert circle.attributes["dash"] == pytest.approx(0.6, abs=0.04)
    assert circle.size == pytest.approx((80, 80), abs=0.5)


def test_pieces_too_short_to_be_told_alone_are_told_together() -> None:
    image = picture(with_dashes(stroke([(10, 30.5), (150, 30.5)], 1, INK), 4, 3))
    (line,) = unrender.open(":memory:").see(image).primitives
    assert (line.symbol, line.attributes["dash"]) == ("edge", pytest.approx(4 / 7, abs=0.02))


def test_a_dashed_line_goes_on_behind_what_hides_a_part_of_it() -> None:
    grid = [with_dashes(stroke([(10, y), (150, y)], 1, (0.5, 0.5, 0.5)), 6, 4) for y in (20.5, 50.5, 80.5)]
    chart = stroke([(10, 100), (60, 20), (100, 90), (150, 30)], 3, (0.9, 0.2, 0.2))
    scene = unrender.open(":memory:").see(picture(*grid, chart))
    lines = [node for node in scene.primitives if "dash" in node.attributes]
    assert [node.symbol for node in lines] == ["edge"] * 3
    assert all(node.size[0] > 130 for node in lines)
    assert len(scene.primitives) == 4


def solid(context: cairocffi.Context) -> None:
    stroke([(10, 20), (140, 61)], 2, INK)(context)


def three_dots(context: cairocffi.Context) -> None:
    for x in (40, 80, 120):
        disc(x, 60, 6, INK)(context)


def uneven(context: cairocffi.Context) -> None:
    for x in (10, 30, 65, 80, 120):
        stroke([(x, 60), (x + 10, 60)], 3, INK)(context)


@pytest.mark.parametrize(("drawing", "count"), [(solid, 1), (three_dots, 3), (uneven, 5)])
def test_nothing_else_is_dashed(drawing: Callable[[cairocffi.Context], None], count: int) -> None:
    scene = unrender.open(":memory:").see(picture(drawing))
    assert len(scene.primitives) == count
    assert not any("dash" in node.attributes for node in scene.primitives)


def test_a_dashed_stroke_is_edited_and_taught_as_a_part() -> None:
    parts = (stroke([(20, 80), (140, 80)], 4, INK), with_dashes(stroke([(20, 40), (140, 40)], 4, INK), 12, 8))
    brain = unrender.open(":memory:")
    scene = brain.see(picture(*parts))
    brain.teach(scene, "road")
    (road,) = brain.see(picture(*parts)).axioms
    assert road.symbol == "road"
    (broken,) = [part for part in road.parts if "dash" in part.attributes]
    drawn_again = brain.draw("road", position=(80, 60), size=road.size, canvas=picture())
    assert np.abs(drawn_again.astype(int) - picture(*parts)).mean() < 2
    scene = brain.see(picture(parts[0]))
    scene.edit("edge.1.dash=0.5", "edge.1.period=0.1")
    dark = (scene.image[79:81].mean(2) < 128).mean()
    assert dark == pytest.approx(120 / 160 / 2, abs=0.06)
    assert broken.attributes["dash"] == pytest.approx(0.6, abs=0.05)
