"""The outlook of the paper: from inverse graphics to inverse simulation."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image, ImageDraw

import unrender

FINER = 8  # Pillow rounds to whole pixels


def falling(frame: int) -> np.ndarray:
    """A ball that is thrown under a gravity of 0.5 px/frame²."""
    x, y, r = 10 + 2.0 * frame, 50 - 4.0 * frame + 0.25 * frame**2, 6
    image = Image.new("RGB", (64 * FINER, 64 * FINER), "#101828")
    ImageDraw.Draw(image).ellipse([FINER * v for v in (x - r, y - r, x + r, y + r)], fill="#e0a030")
    return np.asarray(image.resize((64, 64), Image.Resampling.BOX))


@pytest.mark.paper("Conclusion and Outlook: inverse-simulation")
def test_a_film_tells_the_gravity_that_moves_a_ball_and_what_follows() -> None:
    with unrender.open() as brain:
        film = brain.watch([falling(frame) for frame in range(14)], fps=10)
    assert film.world.gravity == pytest.approx((0, 50), abs=1)
    later = film.predict(0.3).scenes[-1].axioms[0].position
    assert later == pytest.approx((10 + 2 * 16, 50 - 4 * 16 + 0.25 * 16**2), abs=0.5)
