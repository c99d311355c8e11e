"""Equation CapsuleInternals2: p = 1/|λ| Σ ‖Z‖₁/|Z| · w(p_i/p̄_i - 1), with w(0) = 1 = sup w."""

import numpy as np
import pytest

from unrender.capsules.agreement import CONFIDENCE, activation, window
from unrender.capsules.observations import activation as activation_of_pixels
from unrender.perception.depth import Placed
from unrender.perception.image.model import ImageModel
from unrender.perception.interpretation import Interpretation, Move
from unrender.primitives.registry import find
from unrender.render.shape import Shape


def test_the_window_is_one_at_zero_and_nowhere_larger() -> None:
    values = window(np.linspace(-5, 5, 1001))
    assert window(np.zeros(1)) == 1
    assert values.max() <= 1
    assert (values > 0).all()
    assert values.argmax() == 500


def test_the_window_falls_on_both_sides_alike_and_slower_when_it_is_wide() -> None:
    differences = np.linspace(0, 4, 50)
    assert (window(differences) == window(-differences)).all()
    assert (np.diff(window(differences)) < 0).all()
    assert (window(differences[1:], 3.0) > window(differences[1:], 1.0)).all()
    assert window(np.array(3.0), 3.0) == pytest.approx(window(np.array(1.0)))


def test_the_activation_probability_is_the_mean_agreement_of_the_parts_times_their_windows() -> None:
    Z = [np.array([1.0, 0.5]), np.array([0.25, 0.25]), None]
    p, p_bar = np.array([0.9, 0.6, 0.8]), np.array([0.9, 0.8, 0.8])
    by_hand = (0.75 * 1 + 0.25 * float(window(np.array(0.6 / 0.8 - 1), CONFIDENCE)) + 0) / 3
    assert activation(Z, p, p_bar) == pytest.approx(by_hand)


def drawn(shown: float) -> Interpretation:
    """A disc of which a box in front leaves a share of the width, told as it is."""
    image = np.full((64, 64, 3), 0.2, np.float32)
    model = ImageModel(image.copy(), image, 0.002, fresh=0.002)
    disc = Shape(
        find("circle"), np.array([32.0, 32.0, 20.0, 20.0, 0.0, 0.0]), np.array([0.9, 0.1, 0.1]), None
    )
    edge = 12.0 + 40.0 * shown
    box = Shape(
        find("square"), np.array([edge + 40, 32.0, 40.0, 40.0, 0.0, 0.0]), np.array([0.1, 0.9, 0.1]), None
    )
    state = Interpretation(model)
    for shape in (disc, box):
        state.apply(Move([Placed.of(shape, model)]))
    order = sorted(state.shapes, key=lambda placed: placed.shape.primitive.name)
    state.shapes = order  # the disc behind the box
    state.redraw()
    seen = ImageModel(state.canvas.copy(), image, 0.002, fresh=0.002)
    told = Interpretation(seen)
    told.shapes = order
    told.redraw()
    return told


def test_pixels_that_are_as_drawn_make_a_primitive_sure() -> None:
    assert activation_of_pixels(drawn(1.2), 0) == pytest.approx(1.0, abs=0.01)


def test_what_is_hardly_seen_cannot_be_sure() -> None:
    sureness = [activation_of_pixels(drawn(shown), 0) for shown in (0.1, 0.3, 0.9)]
    assert sureness == sorted(sureness)
    assert sureness[0] < 0.6
