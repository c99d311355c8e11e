"""Lines, arcs, curves and paths are drawn, placed, addressed, edited, kept and followed like all others."""

import json
import math
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import unrender
from unrender import Observation, Scene, UnrenderError
from unrender.scene.language.relations import holds
from unrender.scene.outline import Outline
from unrender.scene.tracking.follow import follow

LOOKS = {"red": 1.0, "green": 0.0, "blue": 0.0, "filled": 1.0, "thickness": 0.0}
LINE = LOOKS | {"filled": 0.0, "thickness": 0.1}
S_CURVE = (-1.0, 1.0, -0.4, -3.4, 0.4, 3.4, 1.0, -1.0)
ROCK = np.array([(-1, -0.5), (0, -1), (1, -0.3), (0.6, 0.8), (-0.4, 1)])
ELL = np.array([(-1, -1), (1, -1), (1, 1), (0.3, 1), (0.3, -0.2), (-1, -0.2)])


def line(x: float, y: float, length: float, width: float, turn: float = 0.0, cap: float = 1.0) -> Observation:
    return Observation("edge", (x, y), (length, width), turn, LOOKS | {"cap": cap})


def path(corners: np.ndarray, x: float, y: float, degrees: float, scale: float) -> Observation:
    """A closed path through corners, turned, not turned itself, as one is seen."""
    turn = math.radians(degrees)
    R = np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]])
    points = scale * corners @ R + (x, y)
    low, high = points.min(0), points.max(0)
    form = [
        number for u, v in (2 * points - low - high) / (high - low) for number in (0.0, float(u), float(v))
    ]
    form[-3] = 4.0
    (cx, cy), (w, h) = ((low + high) / 2).tolist(), (high - low).tolist()
    return Observation("path", (cx, cy), (w, h), 0.0, dict(LOOKS), form=tuple(form))


def everything() -> Scene:
    axioms = [
        line(30, 20, 40, 6, 20),
        Observation("arc", (80, 30), (40, 30), 10.0, LINE | {"start": 0.1, "sweep": 0.4}),
        Observation("curve", (30, 70), (40, 30), 0.0, dict(LINE), form=S_CURVE),
        path(ELL, 80, 75, 30, 14),
        Observation("square", (110, 75), (20, 16), 0.0, LOOKS | {"corner": 0.4}),
    ]
    return Scene(130, 100, axioms, (255, 255, 255))


def test_a_line_is_as_long_as_its_box_whether_its_ends_are_round_or_straight() -> None:
    image = Scene(60, 20, [line(30, 10, 20, 8)]).image[..., 0]
    assert image[10, 19] < 2
    assert image[10, 20] > 230
    assert image[7, 20] < 60, "and round"
    butt = Scene(60, 20, [line(30, 10, 20, 8, cap=0.0)])
    assert butt.image[10, 19, 0] == 0
    assert butt.axioms[0].mask.sum() == 20 * 8


def test_a_line_reaches_as_far_as_it_is_long_and_wide() -> None:
    assert Outline.of(line(30, 20, 20, 4, 90.0)).box == pytest.approx((28, 10, 32, 30))


def test_lines_stand_to_other_things() -> None:
    disc = Observation("circle", (30, 14), (10, 10), 0.0, dict(LOOKS))
    ground = line(30, 21, 50, 4)
    assert holds("on", disc, ground)
    assert holds("below", line(30, 60, 50, 2), disc)
    assert holds("touching", disc, ground)
    assert not holds("touching", disc, line(30, 60, 50, 2))


def test_all_of_it_is_kept_in_a_file(tmp_path: Path) -> None:
    scene = everything()
    scene.save(tmp_path / "scene.json")
    again = Scene.load(tmp_path / "scene.json")
    assert np.array_equal(again.image, scene.image)
    assert [node.form for node in again.axioms] == [node.form for node in scene.axioms]
    assert [row["symbol"] for row in again.rows()] == ["edge", "arc", "curve", "path", "square"]
    assert [row["cap"] for row in again.rows()] == [1.0, None, None, None, None]


@pytest.mark.parametrize(
    "form",
    [[1.0, 2.0], [0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 0.0, 0.0, 3.0, 1.0, 1.0], [2.0] * 500, [8.0, 0, 0]],
)
@pytest.mark.parametrize("symbol", ["path", "curve"])
def test_numbers_that_are_no_form_are_refused(symbol: str, form: list[float], tmp_path: Path) -> None:
    data = everything().to_dict()
    node = next(axiom for axiom in data["axioms"] if axiom["symbol"] == symbol)
    node["form"] = form
    (tmp_path / "scene.json").write_text(json.dumps(data))
    with pytest.raises(UnrenderError, match=f"the form of a {symbol} are not one"):
        Scene.load(tmp_path / "scene.json").image  # noqa: B018


def test_parameters_are_edited_by_their_names() -> None:
    scene = everything()
    before = scene.image.copy()
    changed = scene.edit("edge.1.cap=0", "arc.1.sweep=0.7", "square.1.corner=0", "path.1.rotation+=20")
    assert changed == ["edge.1", "arc.1", "square.1", "path.1"]
    for node, x in zip(scene.axioms, (30, 80, 30, 80, 110), strict=True):
        row, column = slice(0, 50) if node.position[1] < 50 else slice(50, 100), slice(x - 12, x + 12)
        same = np.array_equal(scene.image[row, column], before[row, column])
        assert same == (node.symbol in ("curve", "edge")), node  # the ends of the line lie further out
    assert not np.array_equal(scene.image[:, 5:15], before[:, 5:15])


def test_a_brain_draws_each_kind_so_that_it_can_be_seen() -> None:
    with unrender.open() as brain:
        for name in ("edge", "arc", "curve", "path"):
            share = (brain.draw(name) > 128).mean()
            assert 0.02 < share < 0.5, name
        bar = brain.draw("edge", length=40, width=6)[..., 0] > 128
        assert (bar.any(0).sum(), bar.any(1).sum()) == (40, 6)
        box = brain.draw("path", form=(0, -1, -1, 0, 1, -1, 0, 1, 1, 4, -1, 1), size=(40, 20))[..., 0] > 128
        assert box.sum() == 40 * 20
        with pytest.raises(UnrenderError, match="A form is a sequence of numbers"):
            brain.draw("path", form=3)


def test_paths_that_pass_each_other_keep_their_numbers_and_their_spin_is_measured() -> None:
    film = [
        Scene(200, 120, [path(ROCK, 40 + 9 * k, 60, 12 * k, 15), path(ELL, 150 - 9 * k, 62, 5 - 7 * k, 14)])
        for k in range(6)
    ]
    for before, now in pairwise(film):
        follow(now, before)
    assert {tuple(node.track for node in frame.axioms) for frame in film} == {(0, 1)}
    rock, ell = film[-1].axioms
    assert rock.spin == pytest.approx(12, abs=0.5)
    assert ell.spin == pytest.approx(-7, abs=0.5)
    kept = Scene.from_dict(json.loads(json.dumps(film[-1].to_dict())))
    assert kept.tracks == film[-1].tracks


def test_of_two_paths_at_one_place_the_one_of_its_form_goes_on() -> None:
    first = Scene(120, 120, [path(ROCK, 55, 60, 0, 15), path(ELL, 65, 60, 0, 15)])
    swapped = Scene(120, 120, [path(ELL, 60, 60, 10, 15), path(ROCK, 60, 60, 10, 15)])
    follow(swapped, first)
    assert [node.track for node in swapped.axioms] == [1, 0]
