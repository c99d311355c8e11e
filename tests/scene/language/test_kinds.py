"""What objects are called: by their symbol, and polygons by their outline, however they stand."""

import math

import numpy as np
import pytest

from unrender import Observation, Scene
from unrender.scene.language.kinds import KIND_WORDS, called, is_stroke, kind_words

LOOKS = {"red": 1.0, "green": 0.0, "blue": 0.0, "filled": 1.0, "thickness": 0.0}
LINE = LOOKS | {"filled": 0.0, "thickness": 0.1}


def ring(count: int, radii: tuple[float, ...] = (1.0,)) -> np.ndarray:
    """Corners around a circle, their distances from its centre in turn."""
    angle = np.arange(count) * 2 * math.pi / count
    far = np.resize(radii, count)
    return np.stack([far * np.cos(angle), far * np.sin(angle)], -1)


PLUS = np.array([(1, 3), (1, 1), (3, 1), (3, -1), (1, -1), (1, -3)], float)
PLUS = np.concatenate([PLUS, -PLUS])
HOUSE = np.array([(-1, 1), (-1, -0.4), (0, -1), (1, -0.4), (1, 1)], float)
KITE = np.array([(0, -1), (0.6, 0), (0, 2), (-0.6, 0)], float)
SHAPES = {
    "triangle": np.array([(0, 0), (3, 0.4), (1, 2)], float),
    "rectangle": np.array([(0, 0), (5, 0), (5, 2), (0, 2)], float),
    "pentagon": ring(5),
    "hexagon": ring(6),
    "heptagon": ring(7),
    "octagon": ring(8),
    "star": ring(10, (1.0, 0.45)),
    "cross": PLUS,
}


def path(corners: np.ndarray, closed: bool = True, **looks: float) -> Observation:
    """A path of straight sides through corners (N, 2) px."""
    low, high = corners.min(0), corners.max(0)
    half, centre = (high - low) / 2, (low + high) / 2
    form: list[float] = []
    for x, y in (corners - centre) / half:
        form += [0.0, float(x), float(y)]
    form[-3] = 4.0 if closed else 8.0
    position, size = (float(centre[0]), float(centre[1])), (float(2 * half[0]), float(2 * half[1]))
    return Observation("path", position, size, 0.0, LOOKS | looks, form=tuple(form))


def turned(corners: np.ndarray, degrees: float, scale: float) -> np.ndarray:
    turn = math.radians(degrees)
    R = np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]])
    return scale * corners @ R + 100


@pytest.mark.parametrize("word", SHAPES)
def test_a_polygon_has_its_name_at_every_size_turned_any_way_and_from_either_side(word: str) -> None:
    rng = np.random.default_rng(3)
    for scale in (8.0, 40.0):
        for degrees in rng.uniform(0, 360, 12):
            corners = turned(SHAPES[word], degrees, scale)
            shift = int(rng.integers(len(corners)))
            for order in (corners, corners[::-1]):
                assert called(path(np.roll(order, shift, axis=0))) == word


@pytest.mark.parametrize("word", SHAPES)
def test_a_little_noise_makes_no_difference(word: str) -> None:
    rng = np.random.default_rng(4)
    for _ in range(20):
        corners = turned(SHAPES[word], float(rng.uniform(0, 360)), 30.0)
        side = float(np.hypot(*np.diff(corners, axis=0).T).min())
        assert called(path(corners + rng.normal(0, 0.012 * side, corners.shape))) == word


def test_a_corner_that_is_cut_and_a_side_in_two_pieces_make_no_difference() -> None:
    corners = turned(ring(6), 17.0, 40.0)
    halfway = (corners[0] + corners[1]) / 2
    near = corners[3] + 0.05 * (corners[4] - corners[3])
    told = np.array([corners[0], halfway, *corners[1:4], near, *corners[4:]])
    assert called(path(told)) == "hexagon"


@pytest.mark.parametrize(
    "corners", [HOUSE, KITE, ring(9), ring(6) * (1.0, 0.6)], ids=["house", "kite", "nine", "flat"]
)
def test_what_has_no_name_is_a_polygon(corners: np.ndarray) -> None:
    assert kind_words(path(turned(corners, 10.0, 30.0))) == ("polygon", "path")


def test_a_star_may_be_drawn_by_five_lines_that_cross() -> None:
    assert called(path(turned(ring(5)[[0, 2, 4, 1, 3]], 5.0, 30.0))) == "star"


def test_rounded_corners_make_no_difference_and_round_sides_do() -> None:
    def rounded(share: float) -> Observation:
        corners, form = ring(5), list[float]()
        for before, here, after in zip(np.roll(corners, 1, 0), corners, np.roll(corners, -1, 0), strict=True):
            start, end = here + share * (before - here), here + share * (after - here)
            form += [1.0, *start, math.tan(math.radians(72) / 4), 0.0, *end]
        form[-3] = 4.0
        return Observation("path", (50.0, 50.0), (60.0, 60.0), 0.0, LOOKS, form=tuple(form))

    assert called(rounded(0.1)) == "pentagon"
    assert kind_words(rounded(0.45)) == ("path",)


def test_lines_arcs_curves_and_open_paths_are_strokes() -> None:
    bow = Observation(
        "curve", (20, 20), (20, 10), 0.0, LINE, form=(-1.0, 1.0, -0.3, -1.7, 0.3, -1.7, 1.0, 1.0)
    )
    nodes = {
        "line": Observation("edge", (20, 20), (20, 2), 0.0, LOOKS | {"cap": 1.0}),
        "arc": Observation("arc", (20, 20), (20, 20), 0.0, LINE | {"start": 0.0, "sweep": 0.4}),
        "curve": bow,
        "path": path(HOUSE * 20 + 40, closed=False, **LINE),
    }
    assert {name: (called(node), is_stroke(node)) for name, node in nodes.items()} == {
        name: (name, True) for name in nodes
    }
    assert not is_stroke(path(HOUSE * 20 + 40))
    assert {word for node in nodes.values() for word in kind_words(node)} <= set(KIND_WORDS)


def test_a_description_uses_these_words() -> None:
    hexagons = [path(turned(ring(6), 10.0, 10.0) + np.array([40 * i - 60, 0])) for i in range(2)]
    line = Observation("edge", (100, 40), (80, 2), 0.0, LOOKS | {"cap": 1.0})
    star = path(turned(ring(10, (1.0, 0.4)), 0.0, 8) + np.array([40, 20]))
    told = Scene(200, 150, [*hexagons, line, star]).describe()
    assert "a line" in told
    assert "two hexagons" in told
    assert "a star" in told
    assert "path" not in told
    assert "cap" not in told


def test_a_stroke_is_thin_or_thick_not_filled_and_a_box_with_round_corners_is_rounded() -> None:
    thin = Scene(100, 40, [Observation("edge", (50, 20), (80, 2), 0.0, LOOKS | {"cap": 1.0})]).describe()
    assert "red and thin" in thin
    assert "filled" not in thin
    box = Observation("square", (50, 20), (30, 20), 0.0, LOOKS | {"corner": 0.5})
    assert "rounded" in Scene(100, 40, [box]).describe()


def test_a_whole_of_lines_is_not_described_by_the_parameters_of_its_parts() -> None:
    lines = [Observation("edge", (50, y), (30, 2), 0.0, LOOKS | {"cap": 1.0}) for y in (10.0, 30.0)]
    rails = Observation("track", (50, 20), (30, 20), 0.0, LOOKS | {"cap": 1.0}, parts=lines)
    told = Scene(100, 40, [rails]).describe()
    assert "two lines" in told
    assert "cap" not in told
