"""The pictures of `benchmarks/seer.py` show what their truth says, and what counts there as seen."""

from __future__ import annotations

import math
import sys
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))  # scripts, not a package

RENDERERS = ("Pillow", "cairo", "resvg")
SYMBOLS = ("circle", "square", "triangle")
RED, BLUE, GREY = (1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.5019607843137255,) * 3


@pytest.fixture
def drawing() -> ModuleType:
    return import_module("seer_drawing")


@pytest.fixture
def scenes() -> ModuleType:
    return import_module("seer_scenes")


@pytest.fixture
def scoring() -> ModuleType:
    return import_module("seer_scoring")


def _bordered(drawing: ModuleType, symbol: str) -> object:
    return drawing.Painted(symbol, (30.3, 33.8), (36.0, 28.0), 25.0, RED, BLUE, 4.0)


@pytest.mark.parametrize("renderer", RENDERERS)
@pytest.mark.parametrize("symbol", SYMBOLS)
def test_inside_and_border_have_their_colours_where_the_truth_has_them(
    drawing: ModuleType, symbol: str, renderer: str
) -> None:
    shape = _bordered(drawing, symbol)
    image = drawing.RENDERERS[renderer]([shape], GREY, 64, 64)
    assert image.shape == (64, 64, 3)
    assert tuple(image[33, 30]) == (255, 0, 0)
    assert tuple(image[1, 1]) == (128, 128, 128)
    border = import_module("rasterise").outline(shape)
    mid = (border + np.roll(border, -1, axis=0)) / 2
    assert all(tuple(image[int(y), int(x)]) == (0, 0, 255) for x, y in mid)


@pytest.mark.parametrize("renderer", ["cairo", "resvg"])
@pytest.mark.parametrize("symbol", SYMBOLS)
def test_renderers_agree_but_for_corners_and_the_error_of_their_edges(
    drawing: ModuleType, symbol: str, renderer: str
) -> None:
    shape = _bordered(drawing, symbol)
    one, other = (drawing.RENDERERS[name]([shape], GREY, 64, 64) for name in ("Pillow", renderer))
    off = np.abs(one.astype(int) - other).max(axis=2)
    assert (off > 40).sum() <= (0 if symbol == "circle" else 30)  # mitred corners reach beyond round ones
    assert off.mean() < 1.5


def test_a_scene_repeats_by_seed_and_number_and_is_another_with_another_seed(scenes: ModuleType) -> None:
    for row in scenes.ROWS:
        (first,), (again,), (other,) = (list(scenes.cases(row, seed, 1)) for seed in (5, 5, 6))
        assert first.shapes == again.shapes
        assert np.array_equal(first.image, again.image)
        assert first.shapes != other.shapes


def test_twelve_pictures_meet_every_renderer_colour_and_arrangement(scenes: ModuleType) -> None:
    tags = {case.tags for case in scenes.cases("bordered", 3, 12)}
    assert len(tags) == 12
    assert {tag for each in tags for tag in each} == {*RENDERERS, "grey", "colour", "apart", "overlapping"}


def test_borders_differ_from_insides_and_both_from_the_ground(scenes: ModuleType) -> None:
    for case in scenes.cases("bordered", 8, 12):
        ground = case.image[0, 0] / 255
        for shape, group in zip(case.shapes, case.groups, strict=True):
            assert (shape.stroke is not None) == (group == "bordered")
            paints = [ground, shape.fill, *([shape.stroke] if shape.stroke else [])]
            pairs = [(a, b) for i, a in enumerate(paints) for b in paints[:i]]
            assert min(np.abs(np.subtract(a, b)).max() for a, b in pairs) > 0.1


def test_eight_thin_outlines_change_the_ground_along_their_lines(scenes: ModuleType) -> None:
    outline = import_module("rasterise").outline
    for case in scenes.cases("outlines", 4, 3):
        assert len(case.shapes) == 8
        assert all(0.75 <= shape.width <= 1.25 and shape.fill is None for shape in case.shapes)
        for shape in case.shapes:
            on = case.image[tuple(np.floor(outline(shape)).astype(int).T[::-1])]
            assert (np.abs(on.astype(int) - case.image[0, 0]).max(axis=1) > 20).mean() > 0.8


def test_discs_of_a_pile_are_as_visible_as_their_group_says(scenes: ModuleType) -> None:
    bands = {
        scenes.WHOLE: (0.9, 1.0),
        scenes.MOSTLY: (0.5, 0.9),
        scenes.PARTLY: (0.15, 0.5),
        scenes.HIDDEN: (0.0, 0.15),
    }
    for case in scenes.cases("piles", 2, 4):
        assert {scenes.MOSTLY, scenes.PARTLY} <= set(case.groups)
        for shape, group in zip(case.shapes, case.groups, strict=True):
            own = np.abs(case.image / 255 - shape.fill).max(axis=2) < 0.02
            share = own.sum() / (math.pi * shape.size[0] ** 2 / 4)
            low, high = bands[group]
            assert low - 0.15 < share < high + 0.05  # the pixels of its edge are mixed


def test_the_base_of_a_roof_lies_on_the_upper_edge_of_its_body(scenes: ModuleType) -> None:
    outline = import_module("rasterise").outline
    for case in scenes.cases("touching", 9, 12):
        body, roof = case.shapes
        assert (body.fill == roof.fill) == ("one colour" in case.tags)
        left, right = outline(body)[:2]
        across = (right - left) / np.linalg.norm(right - left)
        base = outline(roof)[1:]
        beside = (base - left) @ np.array([-across[1], across[0]])
        along = np.sort((base - left) @ across)
        assert np.abs(beside).max() < 1e-6
        assert along[0] < 1e-6
        assert along[1] > np.linalg.norm(right - left) - 1e-6
        assert (np.sum((outline(roof)[0] - left) * (outline(body)[2] - right))) < 0  # away from the body


def test_a_bordered_shape_told_as_two_is_not_found(
    drawing: ModuleType, scenes: ModuleType, scoring: ModuleType
) -> None:
    truth = _bordered(drawing, "square")
    case = scenes.Case(("resvg",), np.zeros((64, 64, 3), np.uint8), (truth,), (scenes.BORDERED,))

    def seen(*told: object) -> tuple[float, int, int]:
        tally = scoring.score("bordered", case, told)
        return tally.share(scenes.BORDERED), tally.perfect, tally.found - tally.matched

    assert seen(truth) == (1.0, 1, 0)
    assert seen(replace(truth, stroke=None), replace(truth, fill=None)) == (0.0, 0, 2)
    assert seen(truth, replace(truth, fill=None)) == (1.0, 0, 1)
    assert seen(replace(truth, stroke=(0.0, 0.2, 1.0))) == (0.0, 0, 1)
    assert seen(replace(truth, symbol="circle")) == (0.0, 0, 1)
    assert seen(replace(truth, size=(60.0, 50.0))) == (0.0, 0, 1)
    assert seen() == (0.0, 0, 0)


def test_of_a_thin_outline_the_colour_does_not_count_but_that_it_is_hollow(
    drawing: ModuleType, scoring: ModuleType
) -> None:
    truth = drawing.Painted("circle", (30.0, 30.0), (40.0, 40.0), 0.0, None, BLUE, 0.8)
    assert scoring.same("outlines", truth, replace(truth, stroke=(0.4, 0.4, 1.0), width=1.2))
    assert not scoring.same("outlines", truth, replace(truth, fill=BLUE, stroke=None))


def test_pictures_with_a_mistake_are_kept_with_words(
    drawing: ModuleType, scenes: ModuleType, scoring: ModuleType, tmp_path: Path
) -> None:
    sight = import_module("seer_sight")
    case = next(scenes.cases("touching", 1, 1))
    scoring.dump(tmp_path, "right", "touching", case, sight.Seen(list(case.shapes), case.image))
    assert not list(tmp_path.iterdir())
    scoring.dump(tmp_path, "wrong", "touching", case, sight.Seen([case.shapes[0]], case.image))
    assert (tmp_path / "wrong.png").stat().st_size > 500
    assert "missed triangle at" in (tmp_path / "misses.txt").read_text(encoding="utf-8")


def test_what_is_seen_is_told_as_it_was_painted(drawing: ModuleType) -> None:
    disc = drawing.Painted("circle", (20.5, 24.0), (22.0, 22.0), 0.0, RED)
    box = drawing.Painted("square", (66.0, 36.0), (30.0, 40.0), 0.0, None, BLUE, 4.0)
    seer = import_module("seer_sight").Seer.of()
    image = drawing.by_resvg([disc, box], GREY, 72, 96)
    seen = seer.tell(seer.look(image))
    assert seen.redrawn.shape == image.shape
    assert len(seen.shapes) == 2
    for truth in (disc, box):
        (told,) = (shape for shape in seen.shapes if shape.symbol == truth.symbol)
        assert math.dist(told.position, truth.position) < 0.2
        assert sorted(told.size) == pytest.approx(truth.size, rel=0.02)
        assert (told.fill is None, told.stroke is None) == (truth.fill is None, truth.stroke is None)
        assert told.width == pytest.approx(truth.width, abs=0.3)


def test_a_landscape_has_no_colour_that_many_pixels_share_and_a_page_has_text() -> None:
    pictures, drawing = import_module("seer_pictures"), import_module("seer_drawing")
    made = pictures.landscape(np.random.default_rng(3), 107, 160)
    assert made.shape == (107, 160, 3)
    _, counts = np.unique(made.reshape(-1, 3), axis=0, return_counts=True)
    assert counts.max() < 0.02 * made.shape[0] * made.shape[1]
    page = drawing.svg_pixels(pictures.page_svg(np.random.default_rng(3), 400, 640), 400, 640)
    dark = (page[230:].max(axis=2) < 100).mean()
    assert 0.01 < dark < 0.2  # ink of letters


def test_photographs_are_cut_to_size() -> None:
    pictures = import_module("seer_pictures")
    album = dict(pictures.photographs(np.random.default_rng(0), (64, 96)))
    assert len(album) >= 4
    assert {image.shape for image in album.values()} == {(64, 96, 3)}


def test_a_picture_that_takes_too_long_is_given_up_and_its_memory_told() -> None:
    pictures = import_module("seer_pictures")
    spent = pictures.cost(pictures.landscape(np.random.default_rng(1), 96, 128), "cpu", 0.005)
    assert not spent.ended
    assert spent.pace().startswith("over ")
    assert 0.05 < spent.memory < 4
