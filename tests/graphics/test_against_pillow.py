"""Our coverage against an independent rasteriser: Pillow with 8x supersampling."""

import math
from itertools import pairwise

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from unrender.graphics.draw import draw
from unrender.graphics.registry import find

SIDE, SUPER = 48, 8
Points = NDArray[np.float64]

POSES = {
    "upright": (24.0, 24.0, 26.0, 26.0, 0.0),
    "between pixels": (23.37, 24.81, 25.3, 24.9, 0.0),
    "turned": (24.2, 23.6, 26.0, 26.0, 31.0),
    "wide and turned": (24.2, 23.6, 38.0, 15.0, -24.0),
    "tall": (24.6, 24.1, 9.0, 36.0, 0.0),
    "very thin and turned": (24.3, 23.9, 40.0, 5.0, 63.0),
    "small": (24.4, 23.7, 6.0, 7.0, 12.0),
    "over the edge": (2.3, 44.8, 30.0, 22.0, 140.0),
}
STYLES = {"filled": (1.0, 0.0), "filled with a stroke": (1.0, 0.2), "outlined": (0.0, 0.12)}
STYLES |= {"bold outline": (0.0, 0.35), "half filled": (0.4, 0.15)}


def outline(name: str, pose: tuple[float, ...]) -> Points:
    """The boundary as a closed polygon (n, 2) in pixels, by the definition of the design, not by ours."""
    x, y, w, h, rotation = pose
    if name == "square":
        unit = np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])
    else:
        t = np.radians([-90.0, 30.0, 150.0] if name == "triangle" else np.arange(0.0, 360.0, 1.5))
        unit = np.stack([np.cos(t), np.sin(t)], 1)
    local = unit * (w / 2, h / 2)
    turn = math.radians(rotation)
    R = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
    return local @ R.T + (x, y)


def pillow(name: str, pose: tuple[float, ...], filled: float, thickness: float) -> NDArray[np.float64]:
    """alpha (SIDE, SIDE): the stroke with round joins is opaque, what it encloses is painted by `filled`."""
    points = outline(name, pose)
    picture = Image.new("L", (SIDE * SUPER, SIDE * SUPER))
    pen = ImageDraw.Draw(picture)

    def polygon(corners: Points, shade: float) -> None:
        pen.polygon([tuple(corner) for corner in corners * SUPER - 0.5], fill=round(255 * shade))

    polygon(points, filled)
    tau = thickness * min(pose[2:4]) / 2
    if tau > 0:
        around = np.linspace(0, 2 * math.pi, 49)
        disc = tau * np.stack([np.cos(around), np.sin(around)], 1)
        for start, end in pairwise([*points, points[0]]):
            along = (end - start) / np.hypot(*(end - start))
            across = tau * np.array([-along[1], along[0]])
            polygon(np.array([start + across, end + across, end - across, start - across]), 1.0)
            polygon(start + disc, 1.0)
    fine = np.asarray(picture, float).reshape(SIDE, SUPER, SIDE, SUPER) / 255
    return fine.mean(axis=(1, 3))


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("pose", POSES)
@pytest.mark.parametrize("name", ["circle", "square", "triangle"])
def test_coverage_agrees_with_pillow(name: str, pose: str, style: str) -> None:
    filled, thickness = STYLES[style]
    attributes = torch.tensor([[*POSES[pose], 1.0, 1.0, 1.0, filled, thickness]])
    ours = draw(find(name), attributes, SIDE, SIDE)[0].double().numpy()
    theirs = pillow(name, POSES[pose], filled, thickness)
    assert np.abs(ours - theirs).mean() < 0.01
    edge = (theirs > 0) & (theirs < 1)
    # Pillow counts the outline of a polygon as inside: half of a fine pixel, a sixteenth of ours.
    assert np.abs(ours - theirs)[edge].mean() < 0.04 + 1 / 16 + (1 / 16 if POSES[pose][4] == 0 else 0)
