"""What others of one colour cover of a shape is told by the seam between them, if there is one."""

import sys
from pathlib import Path

import numpy as np
import pytest

from unrender.perception.pipeline import see_primitives
from unrender.primitives.registry import find
from unrender.render.shape import A, B, Y

sys.path.insert(0, str(Path(__file__).parents[1]))
from cairo_pictures import disc, drawn, polygon

INK = (0.9, 0.8, 0.3)


@pytest.mark.parametrize("below", [0.2, 0.5, 0.8])
def test_a_bar_that_touches_a_disc_ends_where_it_touches(below: float) -> None:
    bar = [(95.6, 91.0 + below), (104.4, 91.0 + below), (104.4, 118.0), (95.6, 118.0)]
    image = drawn((200, 160), polygon(bar, INK), disc(100, 80, 11.2, INK), ground=(0, 0, 0))
    kinds = [find(name) for name in ("circle", "square", "triangle")]
    found = {placed.shape.primitive.name: placed.shape.pose for placed in see_primitives(image, kinds).shapes}
    assert sorted(found) == ["circle", "square"]
    length = 2 * max(found["square"][A], found["square"][B])
    assert found["square"][Y] - length / 2 == pytest.approx(91 + below, abs=0.3)
    assert found["square"][Y] + length / 2 == pytest.approx(118, abs=0.15)
    assert np.allclose(found["circle"][:4], (100, 80, 11.2, 11.2), atol=0.1)
