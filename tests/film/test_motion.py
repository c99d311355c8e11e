"""Every motion is told as simply as it can be."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from unrender.film.motion.easing import EASE_BOTH, EASE_IN, EASE_OUT, HOLD, LINEAR, Easing
from unrender.film.motion.keyframes import Keyframe, Keyframes
from unrender.film.motion.motion import Channel

T = np.arange(60.0)


def channel(values: NDArray[np.float64], name: str = "position") -> Channel:
    noise = np.random.default_rng(5).normal(0, 0.03, values.shape)
    return Channel(name, T, values + noise)


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        ("resting", np.stack([0 * T + 5, 0 * T + 7], 1)),
        ("uniform", np.stack([2 * T, 7 - 0.5 * T], 1)),
        ("ballistic", np.stack([2 * T, 7 - 3 * T + 0.1 * T**2], 1)),
        ("accelerated", np.stack([0.05 * T**2, 0.03 * T**2], 1)),
        ("oscillating", np.stack([50 + 20 * np.sin(T / 5), 30 + 8 * np.sin(T / 5)], 1)),
        ("circling", np.stack([50 + 20 * np.cos(T / 5), 50 + 20 * np.sin(T / 5)], 1)),
        ("keyframes", np.stack([np.abs(T - 30), 0 * T], 1)),
    ],
)
def test_a_motion_is_told_by_the_law_that_it_follows(kind: str, values: NDArray[np.float64]) -> None:
    assert channel(values).kind == kind


def test_gravity_is_the_acceleration_of_what_falls() -> None:
    law = channel(np.stack([2 * T, 7 - 3 * T + 0.1 * T**2], 1)).law
    assert np.allclose(law.numbers["acceleration"], (0, 0.2), atol=1e-3)


def test_the_period_of_a_swing_is_exact_to_a_percent() -> None:
    law = channel(np.stack([50 + 20 * np.sin(T / 5), 0 * T], 1)).law
    assert abs(law.numbers["period"][0] / (10 * np.pi) - 1) < 0.01


@pytest.mark.parametrize(
    "easing", [LINEAR, HOLD, EASE_IN[3], EASE_OUT[3], EASE_BOTH[2], EASE_BOTH[3]], ids=lambda each: each.name
)
def test_keyframes_and_their_easings_are_found(easing: Easing) -> None:
    told = Keyframes(
        (
            Keyframe(0, (10.0, 10.0)),
            Keyframe(12, (10.0, 10.0), easing),
            Keyframe(40, (60.0, 30.0)),
            Keyframe(59, (60.0, 30.0)),
        )
    )
    found = channel(told.at(T)).keys.keys
    ends = [key.time for key in found]
    assert any(abs(end - 40) <= 1 for end in ends)
    moving = next(key for key in found if easing.name == "hold" or abs(key.time - 12) <= 1)
    assert moving.easing.name == easing.name


def test_a_bounce_is_one_keyframe_between_two_throws() -> None:
    y, place, speed = [], 10.0, 0.0
    for _ in T:
        y.append(place)
        speed += 0.3
        place += speed
        if place > 90:
            place, speed = 180 - place, -0.8 * speed
    found = channel(np.stack([2 * T, np.array(y)], 1)).keys.keys
    assert len(found) <= 4
    assert sum(bool(key.bend) for key in found) == 2


def test_a_long_motion_is_told_by_the_keyframes_that_it_has() -> None:
    times = np.arange(600.0)
    told = Keyframes(
        tuple(Keyframe(float(t), (float(x), 0.0)) for t, x in ((0, 0), (250, 90), (410, 10), (599, 70)))
    )
    noise = np.random.default_rng(5).normal(0, 0.02, (600, 2))
    found = Channel("position", times, told.at(times) + noise).keys.keys
    inner = [key.time for key in found]
    assert all(any(abs(time - true) <= 1 for time in inner) for true in (0, 250, 410, 599))
    assert len(found) <= 7  # 240 frames are told at a time
