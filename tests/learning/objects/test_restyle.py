"""U invents attributes that were never seen, but no borders."""

from unrender.grammar.attribute import one_colour
from unrender.learning.objects.augment import restyle
from unrender.scene import Observation

LOOKS = {"red": 0.0, "green": 0.4, "blue": 0.0, "filled": 1.0, "thickness": 0.0}


def test_a_part_of_one_colour_keeps_one() -> None:
    plain = Observation("circle", (0, 0), (4, 4), 0.0, dict(LOOKS))
    (made,) = restyle([plain], {"red": 0.7, "stroke_blue": 0.3})
    assert made.attributes["red"] == made.attributes["stroke_red"] == 0.7
    assert one_colour(made.attributes)


def test_a_border_that_was_seen_stays() -> None:
    bordered = Observation("circle", (0, 0), (4, 4), 0.0, LOOKS | {"stroke_red": 1.0, "stroke_green": 0.0})
    bordered.attributes["stroke_blue"] = 0.0
    (made,) = restyle([bordered], {"blue": 0.7})
    assert (made.attributes["blue"], made.attributes["stroke_blue"]) == (0.7, 0.0)
    assert made.attributes["stroke_red"] == 1.0
