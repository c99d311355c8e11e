"""Worlds of bouncing, sliding and swinging bodies and what is true of them."""

import numpy as np
import pytest

from unrender.worlds.mechanical import KINDS
from unrender.worlds.mechanics import WALL, Setting, Thing


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_setting_runs_the_same_way_twice(kind):
    first, second = (KINDS[kind](np.random.default_rng(3)).run() for _ in range(2))
    assert np.array_equal(first.states, second.states)
    assert np.isfinite(first.states).all()


def test_a_falling_ball_obeys_gravity():
    ball = Thing("circle", (50, 20), (10, 10))
    states = Setting(100, 400, (ball,), (0.0, 200.0), frames=31).run().states
    assert states[30, 0, 1] == pytest.approx(20 + 200 / 2, abs=0.5)
    assert states[30, 0, 4] == pytest.approx(200, abs=0.5)


def test_contacts_say_who_touched_what():
    ball = Thing("circle", (50, 20), (10, 10))
    run = Setting(100, 100, (ball,), (0.0, 400.0), walls=((0, 90, 100, 90),), frames=30).run()
    assert (run.contacts[0].a, run.contacts[0].b) == (0, WALL)


def test_without_a_thing_the_others_keep_their_numbers():
    balls = tuple(Thing("circle", (x, 20), (10, 10)) for x in (20, 50, 80))
    states = Setting(100, 400, balls, (0.0, 200.0), frames=10).without(1).run().states
    assert states[0, 2, 0] == 80
