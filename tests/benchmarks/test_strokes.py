"""The truth of `benchmarks/strokes.py` lies where the pictures show it, and what counts there as told."""

from __future__ import annotations

import sys
import time
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from unrender import Observation, Scene

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))  # scripts, not a package

SIDE = 96
HEAD = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="96" height="96" fill="none" '
    'stroke="#203040" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round">{}</svg>'
)
DRAWINGS = {
    "elements": '<circle cx="8" cy="8" r="5"/><rect x="12" y="11" width="9" height="8" rx="2"/>'
    '<line x1="3" y1="20" x2="10" y2="16"/><polyline points="14,3 18,7 22,3"/>',
    "arcs": '<path d="M3 12a9 6 30 1 0 15-4M5 5a3 3 0 013 3A3 3 0 115 5zM20 20a1 1 0 0 1-2-2"/>',
    "curves": '<path d="M2 20C4 4 10 4 12 12s6 8 10-8M3 3q4 8 8 0t8 0"/>',
    "straight": '<path d="M4 4h6v5H4zm10 2l6 3-2 8L13 20"/>',
    "turned": '<g transform="translate(12 12) rotate(20)"><rect x="-6" y="-4" width="12" height="8"/></g>',
    "filled": '<path fill="#203040" stroke="none" fill-rule="evenodd" d="M3 3h18v18H3zM8 8v8h8V8z"/>',
}


@pytest.mark.parametrize("name", DRAWINGS)
def test_the_true_lines_painted_by_cairo_look_like_the_picture_of_resvg(name: str) -> None:
    svg, painting, icons, scoring = (
        import_module(f"strokes_{part}") for part in ("svg", "painting", "icons", "scoring")
    )
    text = HEAD.format(DRAWINGS[name])
    again = painting.painted(svg.marks(text, SIDE), (0x20, 0x30, 0x40), (255, 255, 255), SIDE, SIDE)
    picture = icons.by_resvg(text, SIDE)
    assert scoring.likeness(again, picture) > 0.97
    moved = np.roll(picture, 1, axis=1)  # half a pixel is half of this
    assert scoring.likeness(again, moved) < 0.97


def test_a_line_beside_the_true_one_is_wrong_and_half_of_it_is_half_of_it() -> None:
    paths, scoring = import_module("strokes_paths"), import_module("strokes_scoring")

    def lines(data: str) -> list[object]:
        return [paths.laid(one) for one in paths.subpaths(data)]

    true = lines("M 10 10 H 50")
    assert scoring.compare(lines("M 10 10.2 H 50"), true).f1 == 1
    assert scoring.compare(lines("M 10 10.4 H 50"), true).f1 == 0
    half = scoring.compare(lines("M 30 10 H 50"), true)
    assert half.precision == 1
    assert half.recall == pytest.approx(0.5, abs=0.02)
    assert scoring.compare([], true).f1 == 0


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        ("M3 12a9 9 0 1 0 18 0a9 9 0 1 0 -18 0", "circle"),
        ("M5 5h14v10H5z", "rectangle"),
        ("M3 5a2 2 0 0 1 2 -2h14a2 2 0 0 1 2 2v14a2 2 0 0 1 -2 2H5a2 2 0 0 1 -2 -2z", "rounded rectangle"),
        ("M5 12l14 3", "line"),
        ("M5 12l7 3l7 -3", "path"),
        ("M5 5h14v10l-14 1z", "path"),
        ("M12 3C15 8 19 11 19 15a7 7 0 0 1 -14 0C5 11 9 8 12 3z", "path"),
    ],
)
def test_a_path_is_known_for_the_circle_rectangle_or_line_that_it_draws(data: str, kind: str) -> None:
    (one,) = import_module("strokes_paths").subpaths(data)
    assert import_module("strokes_svg").kind(one) == kind


def test_numbers_of_a_file_are_those_that_place_its_shapes() -> None:
    text = HEAD.format('<rect id="background" width="96" height="96"/>' + DRAWINGS["elements"])
    svg = import_module("strokes_svg")
    assert svg.written_numbers(text) == 3 + 5 + 4 + 6
    circle = '<path d="M3 12a9 9 0 1 0 18 0a9 9 0 1 0 -18 0"/>'
    assert svg.drawing(HEAD.format(circle)).numbers == 3


def test_a_dot_is_told_by_the_outline_of_the_disc_that_it_shows() -> None:
    svg = import_module("strokes_svg")
    (mark,) = svg.marks(HEAD.format('<path d="M12 12h.01"/>'), SIDE)
    (line,) = mark.visible()
    assert line.closed
    assert np.hypot(*(line.points - 48).T) == pytest.approx(np.full(len(line.points), 3.0), abs=0.05)


@pytest.mark.parametrize("index", range(4))
def test_pillow_and_cairo_draw_the_same_lines(index: int) -> None:
    drawings, painting, scoring = (
        import_module(f"strokes_{part}") for part in ("drawings", "painting", "scoring")
    )
    (made,) = drawings.cases(np.random.default_rng(index), 1)
    size = len(made.image)
    one, other = (
        draw(made.marks, made.colour, made.ground, size, size)
        for draw in (drawings.by_pillow, painting.painted)
    )
    assert scoring.likeness(one, other) > 0.99


def test_frames_of_the_game_show_lines_and_dots_where_they_are() -> None:
    drawings, sight, scoring = (import_module(f"strokes_{part}") for part in ("drawings", "sight", "scoring"))
    for index in range(2):  # cairo, Pillow
        made, dots = drawings.frame(np.random.default_rng(5), index)
        for x, y in dots.astype(int):
            assert (made.image[y - 1 : y + 1, x - 1 : x + 1] == 255).all()
        true = [line for mark in made.marks for line in mark.lines]
        skeleton = sight.by_skeleton(made).lines
        assert scoring.share(true, skeleton, 0.8) > 0.9


def test_a_scene_is_as_good_as_its_lines_its_picture_and_its_numbers() -> None:
    measuring, drawings, sight = (
        import_module(f"strokes_{part}") for part in ("measuring", "drawings", "sight")
    )
    square = drawings.Sketch("M 20 20 H 60 V 60 H 20 Z", 2.0)
    made = drawings.case("square", [square], (0, 0, 0), (255, 255, 255), False)
    true = made.marks[0].lines
    looks = dict.fromkeys(("red", "green", "blue", "filled"), 0.0) | {"thickness": 0.05}
    seen, shifted = (
        Scene(128, 128, [Observation("square", (x, 40), (40, 40), attributes=looks)], (255, 255, 255))
        for x in (40, 42)
    )
    right = measuring.looked(sight.by_scene(seen), true, made)
    assert right.lines.f1 == 1
    assert right.ssim > 0.98
    assert right.told.numbers == 5
    wrong = measuring.looked(sight.by_scene(shifted), true, made)
    assert wrong.lines.f1 < 0.6
    assert wrong.ssim < right.ssim


def test_tracers_are_compared_with_the_outlines_of_what_is_painted() -> None:
    drawings, painting, sight, scoring = (
        import_module(f"strokes_{part}") for part in ("drawings", "painting", "sight", "scoring")
    )
    made = drawings.case("bar", [drawings.Sketch("M 20 40 H 90", 8.0)], (0, 0, 0), (255, 255, 255), False)
    outlines = painting.outlines(made.marks, 128, 128)
    for name, look in sight.OUTLINES.items():
        assert scoring.compare(look(made, time.perf_counter).lines, outlines, 0.8).f1 > 0.9, name


def test_a_polygon_is_found_if_a_path_has_its_outline() -> None:
    polygons = import_module("strokes_polygons")
    made = polygons.panel(np.random.default_rng(1), 0)
    assert min(polygons.visible(made.sprites)) >= polygons.VISIBLE

    def data(corners: NDArray[np.float64]) -> str:
        return "M " + " L ".join(f"{x} {y}" for x, y in corners) + " Z"

    told = [("path", data(sprite.corners)) for sprite in made.sprites]
    count = len(told)
    assert polygons.score(made, told).matched == count
    told[0] = ("path", data(made.sprites[0].corners + 4.0))
    assert polygons.score(made, told).matched == count - 1
    told[1] = ("square", told[1][1])
    assert polygons.score(made, told).matched == count - 2


def test_recorded_strokes_are_read_with_y_downwards() -> None:
    text = "START\n10.0,-20.0,0.0\n30.0,-20.0,5.0\nBREAK\n40,-50,9\n40,-70,12\nBREAK\n"
    first, second = import_module("strokes_omniglot").recorded(text)
    assert first.points.tolist() == [[10.5, 20.5], [30.5, 20.5]]
    assert second.length == 20


def test_what_is_taught_stands_where_the_turned_icon_is_drawn() -> None:
    views, icons, svg = (import_module(f"strokes_{part}") for part in ("views", "icons", "svg"))
    text = HEAD.format('<path d="M2 2h4v4h-4z"/>').replace("#203040", "currentColor")
    icon = icons.Icon("set/outline/corner", text, svg.drawing(text))
    image = views.picture([views.placed(icon, "#000000", (64.0, 64.0), 60.0, 90.0)], 128)
    y, x = np.nonzero(image[..., 0] < 128)
    assert views.middle(icon, (64.0, 64.0), 60.0, 90.0) == pytest.approx(
        (x.mean() + 0.5, y.mean() + 0.5), abs=0.3
    )


def test_corners_are_compared_both_ways() -> None:
    drawings, measuring, rows = (
        import_module(f"strokes_{part}") for part in ("drawings", "measuring", "rows")
    )
    bar = drawings.Sketch("M 20 40 H 90", 4.0)
    made = drawings.case("bar", [bar], (0, 0, 0), (255, 255, 255), False)
    box = Scene(128, 128, [Observation("square", (55, 40), (70, 4))], (255, 255, 255))
    lines = import_module("strokes_sight").scene_lines(box)
    one = measuring.ours_alone(made, box, lines, made.marks[0].lines)
    assert rows.corner_errors([one]) == pytest.approx([2.0, 2.0])
    assert rows.corner_errors([one], back=True) == pytest.approx([2.0] * 4)
