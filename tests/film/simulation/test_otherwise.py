"""What will happen, and what would have happened."""

from dataclasses import replace

import numpy as np

from unrender.film.simulation.otherwise import again, ahead
from unrender.worlds.mechanics import Setting, Thing

THINGS = (
    Thing("circle", (30, 80), (20, 20), velocity=(110, 0), mass=1.5, elasticity=0.95, friction=0.0),
    Thing("circle", (110, 84), (24, 24), mass=1.0, elasticity=0.95, friction=0.0),
    Thing("circle", (60, 20), (20, 20), velocity=(15, 10), elasticity=0.95, friction=0.0),
)
TABLE = Setting(220, 160, THINGS, frames=45)


def test_the_next_frames_are_those_of_the_truth(explain):
    truth = replace(TABLE, frames=65).run().states[45:, :, :2]
    paths = ahead(explain(TABLE), 20)
    for track in range(3):
        assert np.abs(paths[track][-1, :2] - truth[-1, track]).max() < 2


def test_without_the_ball_that_hit_it_a_ball_stays_where_it_was(explain):
    paths, concerned = again(explain(TABLE), removed=frozenset([0]))
    assert np.abs(paths[1][-1, :2] - (110, 84)).max() < 1
    assert set(concerned) == {1}
    assert 0 not in paths


def test_whom_a_change_never_reaches_moves_as_it_was_filmed(explain):
    world = explain(TABLE)
    paths, _ = again(world, removed=frozenset([0]))
    assert np.abs(paths[2] - world.motions[2].states).max() < 1e-6


def test_a_faster_ball_hits_sooner(explain):
    world = explain(TABLE)
    state = world.motions[0].states[0].copy()
    state[3:5] *= 2
    paths, concerned = again(world, changed={0: state})
    thing = replace(THINGS[0], velocity=(220, 0))
    truth = replace(TABLE, things=(thing, *THINGS[1:])).run().states
    assert np.abs(paths[1][25, :2] - truth[25, 1, :2]).max() < 5
    assert set(concerned) == {0, 1}
