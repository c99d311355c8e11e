"""What regions tell: their sides, also of stairs, and whether others may hide a part of them."""

import math

import numpy as np
from PIL import Image, ImageDraw

from unrender.perception.budget import Budget
from unrender.perception.image.background import unlike_background
from unrender.perception.image.model import ImageModel
from unrender.perception.image.regions import divide, of_one_colour_each
from unrender.perception.outlines.clues import Clue, clues

BLACK, GREY, BLUE = (0, 0, 0), (170, 170, 170), (40, 60, 220)


def told(drawn: Image.Image) -> list[Clue]:
    model = ImageModel.of(np.asarray(drawn, np.float32) / 255)
    assert model.aliased
    foreground = unlike_background(model.image, model.background, 16 * model.channel_variance)
    regions = divide(model.image, foreground, model.background, model.channel_variance)
    return clues(model, of_one_colour_each(regions), Budget(math.inf))


def corners(count: int, radius: float, turn: float) -> list[tuple[float, float]]:
    around = [turn + 2 * math.pi * k / count for k in range(count)]
    return [(60 + radius * math.cos(t), 60 + radius * math.sin(t)) for t in around]


def test_stairs_are_cut_at_the_corners_of_what_was_drawn() -> None:
    for count, turn in ((3, 0.3), (5, 0.2), (6, 0.5)):
        drawn = Image.new("RGB", (120, 120), "white")
        ImageDraw.Draw(drawn).polygon(corners(count, 40, turn), fill=BLUE)
        (clue,) = [clue for clue in told(drawn) if clue.region]
        assert len(clue.evidence.outlines[0].radius) == count
        assert not clue.evidence.outlines[0].radius.any()


def test_what_one_region_surrounds_is_hidden_by_nothing() -> None:
    drawn = Image.new("RGB", (120, 120), "white")
    draw = ImageDraw.Draw(drawn)
    draw.polygon(corners(5, 40, 0.2), fill=GREY, outline=BLACK, width=3)
    inside = next(clue for clue in told(drawn) if clue.colour[0] > 0.5 and clue.region)
    assert not inside.touches
    draw.polygon(corners(3, 25, 0.1), fill=BLUE)
    draw.rectangle((80, 50, 110, 70), fill=BLUE)
    hidden = next(clue for clue in told(drawn) if 0.5 < clue.colour[0] < 0.8 and clue.region)
    assert hidden.touches
