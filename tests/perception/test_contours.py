"""Contours run in order along the edges of regions, to a fraction of a pixel, and know what lies beyond."""

import math
import sys
from pathlib import Path

import numpy as np
import pytest

from unrender.perception.image.background import unlike_background
from unrender.perception.image.contours import BORDER, Contours
from unrender.perception.image.model import ImageModel
from unrender.perception.image.regions import Regions, divide

sys.path.insert(0, str(Path(__file__).parent))
from cairo_pictures import disc, drawn, polygon

BLUE = (0.2, 0.3, 0.9)


def contours(image: np.ndarray) -> tuple[Contours, Regions]:
    model = ImageModel.of(image)
    foreground = unlike_background(image, model.background, 16 * model.channel_variance)
    regions = divide(image, foreground, model.background, model.channel_variance)
    return Contours.of(image, model.background, regions, model.sigma, model.edge_error), regions


@pytest.mark.parametrize("radius", [4.3, 11.0, 33.7])
def test_the_contour_of_a_disc_is_its_circle(radius: float) -> None:
    found, _ = contours(drawn((96, 90), disc(47.3, 44.6, radius)))
    assert len(found) == 1
    off = np.hypot(found.x - 47.3, found.y - 44.6) - radius
    assert off.std() < 0.04
    assert abs(off.mean()) < 0.05
    assert found.area[0] == pytest.approx(math.pi * radius**2, rel=0.05)
    turn = np.diff(np.unwrap(np.arctan2(found.y - 44.6, found.x - 47.3)))
    assert (turn > 0).all()  # clockwise on the screen, in order
    assert (found.beyond == 0).all()


def test_a_hole_is_a_contour_of_its_own_the_other_way_round() -> None:
    found, _ = contours(drawn((80, 80), disc(40, 40, 30), disc(42, 39, 12, (0.8, 0.8, 0.8))))
    outer, hole = found.of_region(int(found.region[0]))
    assert found.area[outer] == pytest.approx(math.pi * 30**2, rel=0.02)
    assert found.area[hole] == pytest.approx(-math.pi * 12**2, rel=0.03)


def test_where_a_neighbour_begins_the_label_beyond_changes() -> None:
    square = [(20.4, 20.3), (60.2, 20.3), (60.2, 60.6), (20.4, 60.6)]
    found, regions = contours(drawn((90, 80), polygon(square), disc(60, 40, 10, BLUE)))
    blue = int(np.argmin(np.abs(regions.colour - BLUE).sum(1)))
    red = next(c for c in range(len(found)) if found.region[c] != blue)
    own = found.points(red)
    beside = found.beyond[own]
    assert set(beside.tolist()) == {0, blue}
    assert (np.diff(np.append(beside, beside[0])) != 0).sum() == 2  # two T-junctions
    near = np.hypot(found.x[own] - 60, found.y[own] - 40)[beside == blue]
    assert np.median(np.abs(near - 10)) < 0.05


def test_the_border_of_the_picture_is_known_as_such() -> None:
    found, _ = contours(drawn((60, 60), polygon([(-5, 20), (25, 20), (25, 44), (-5, 44)])))
    assert (found.beyond == BORDER).sum() >= 20
    assert found.x[found.beyond == BORDER].max() == 0


def test_all_regions_of_a_picture_are_traced_at_once() -> None:
    discs = [disc(20 + 30 * (k % 10), 20 + 30 * (k // 10), 5 + k / 20) for k in range(100)]
    found, _ = contours(drawn((320, 320), *discs))
    assert len(found) == 100
    assert len(set(found.region.tolist())) == 100
