"""What diagrams and charts are made of: arrows, dots on lines, lines that others cut in pieces, cut rings."""

import math
import sys
from pathlib import Path

import numpy as np
import pytest

from unrender.perception.pipeline import see_primitives
from unrender.primitives.registry import primitives
from unrender.render.shape import TAU, A, B, Shape, X, Y

sys.path.insert(0, str(Path(__file__).parent))
from cairo_pictures import Drawing, disc, drawn, polygon, stroke

INK, PAPER, GREY, BLUE = (0.15, 0.17, 0.22), (1.0, 1.0, 1.0), (0.7, 0.7, 0.75), (0.2, 0.4, 0.85)


def seen(size: tuple[int, int], *drawings: Drawing) -> list[Shape]:
    state = see_primitives(drawn(size, *drawings, ground=PAPER), list(primitives().values()))
    return [each.shape for each in state.shapes]


def kinds(shapes: list[Shape]) -> list[str]:
    return sorted(shape.primitive.name for shape in shapes)


@pytest.mark.parametrize("width", [2.0, 3.0])
@pytest.mark.parametrize("turn", [0.0, 90.0])
def test_an_arrow_is_a_line_and_its_head(width: float, turn: float) -> None:
    cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))

    def at(along: float, aside: float) -> tuple[float, float]:
        return 64 + cos * along - sin * aside, 64 + sin * along + cos * aside

    shaft, head = [at(-45, 0), at(30, 0)], [at(40, 0), at(28, 6), at(28, -6)]
    picture = drawn((128, 128), stroke(shaft, width, INK), polygon(head, INK), ground=PAPER)
    both = see_primitives(picture, list(primitives().values())).shapes
    long, short = sorted(both, key=lambda each: -max(each.shape.pose[[A, B]]))
    line, tip = long.shape, short.shape
    assert 2 * min(line.pose[[A, B]]) == pytest.approx(width, abs=0.2)
    assert 2 * max(line.pose[[A, B]]) > 70
    assert tip.primitive.name in ("triangle", "path")
    top, bottom, left, right = short.painted
    x, y = zip(*head, strict=True)
    assert (left, right, top, bottom) == pytest.approx((min(x), max(x), min(y), max(y)), abs=1.1)


def test_dots_on_a_line_of_their_colour_are_discs() -> None:
    bend = [(16.0, 92.0), (60.5, 30.0), (108.0, 70.0)]
    found = seen((128, 128), stroke(bend, 2.5, INK), *(disc(x, y, 6.0, INK) for x, y in bend))
    dots = [shape for shape in found if shape.primitive.name == "circle"]
    assert sorted(shape.pose[X] for shape in dots) == pytest.approx([x for x, _ in bend], abs=0.2)
    assert [float(np.hypot(*shape.pose[[A, B]])) / math.sqrt(2) for shape in dots] == pytest.approx(
        [6.0] * 3, abs=0.2
    )


def test_a_line_behind_bars_is_one_line() -> None:
    line = stroke([(8.0, 60.5), (152.0, 60.5)], 2.0, GREY)
    bars = [polygon([(x, 30), (x + 16, 30), (x + 16, 110), (x, 110)], BLUE) for x in (24, 66, 108)]
    found = seen((160, 128), line, *bars)
    assert kinds(found).count("square") == 3
    (edge,) = [shape for shape in found if shape.primitive.name == "edge" or shape.pose[A] > 60]
    assert 2 * edge.pose[A] == pytest.approx(144, abs=0.5)


def test_lines_with_paper_between_them_stay_two() -> None:
    found = seen(
        (128, 64), stroke([(10, 30.5), (50, 30.5)], 3.0, INK), stroke([(70, 30.5), (118, 30.5)], 3.0, INK)
    )
    assert len(found) == 2


def test_a_thick_ring_that_is_cut_is_one_circle() -> None:
    across = stroke([(20.0, 20.0), (110.0, 112.0)], 14.0, BLUE, round_=False)
    found = seen((128, 128), disc(64.0, 66.0, 40.0, GREY, 12.0), across)
    (ring,) = [shape for shape in found if shape.primitive.name == "circle"]
    assert ring.pose[[X, Y]] == pytest.approx([64, 66], abs=0.1)
    assert 2 * ring.pose[TAU] == pytest.approx(12, abs=0.2)


def test_an_area_under_a_curve_is_one_path_whatever_lies_on_it() -> None:
    curve = [(10 + 3.0 * k, 60 - 36 * math.sin(k / 7)) for k in range(48)]
    area = polygon([*curve, (curve[-1][0], 120), (curve[0][0], 120)], BLUE)
    rows = [stroke([(30 + 24 * k, 80 - 6 * k), (42 + 24 * k, 77 - 6 * k)], 2.0, INK) for k in range(4)]
    found = seen((170, 128), area, *rows)
    areas = [shape for shape in found if shape.fill is not None and min(shape.pose[[A, B]]) > 20]
    assert [shape.primitive.name for shape in areas] == ["path"]
    assert 2 * areas[0].pose[A] == pytest.approx(curve[-1][0] - curve[0][0], abs=1.0)


def test_lines_of_a_pixel_under_curves_of_other_colours_stay_so_thin() -> None:
    grid = [stroke([(8.0, y + 0.5), (152.0, y + 0.5)], 1.0, GREY) for y in (24, 56, 88)]
    waves = [
        stroke([(8 + 4.0 * k, 56 + 30 * math.sin(k / 6 + turn)) for k in range(37)], 1.5, colour)
        for turn, colour in ((0.0, (0.12, 0.47, 0.71)), (2.0, (0.17, 0.63, 0.17)))
    ]
    found = seen((160, 112), *grid, *waves)
    straight = [shape for shape in found if shape.primitive.name in ("edge", "square")]
    assert {math.floor(shape.pose[Y]) for shape in straight} == {24, 56, 88}
    assert all(2 * min(shape.pose[[A, B]]) < 1.3 for shape in straight)
