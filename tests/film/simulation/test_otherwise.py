"""What will happen, and what would have happened."""

from dataclasses import replace

import numpy as np
import pytest

from unrender.film.simulation.contacts.room import likely_walls
from unrender.film.simulation.infer import infer
from unrender.film.simulation.run.otherwise import again, ahead
from unrender.worlds.mechanics import Setting, Thing

from .conftest import seen

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


def test_who_leaves_the_film_is_not_concerned_by_what_it_never_met(explain):
    fast = replace(THINGS[2], velocity=(250, 0))
    _, concerned = again(explain(replace(TABLE, things=(*THINGS[:2], fast))), removed=frozenset([0]))
    assert set(concerned) == {1}


def test_bodies_that_pass_behind_each_other_do_not_collide(explain):
    through = Setting(220, 160, (replace(THINGS[0], position=(30, 20)), THINGS[2]), frames=30)
    ghost = seen(through)
    crossing = np.linspace(20, 120, 30)[:, None] * [1, 0] + [0, 80]
    back = np.linspace(120, 20, 30)[:, None] * [1, 0] + [0, 82]
    paths = [replace(body, positions=places) for body, places in zip(ghost, (crossing, back), strict=True)]
    world = infer(paths, 30.0, (220, 160))
    assert world.apart == {frozenset((0, 1))}
    assert world.contacts == ()


def test_a_wall_that_nothing_has_hit_is_likely_where_others_are_known(explain):
    falling = Thing("circle", (60, 40), (20, 20), velocity=(30, 0), elasticity=0.9, friction=0.0)
    floor = ((0, 160, 200, 160), (200, 0, 200, 160))
    world = explain(Setting(200, 160, (falling,), (0.0, 400.0), walls=floor, frames=60))
    assert len(world.walls) == 1
    assert sorted(wall.normal for wall in likely_walls(world)) == [(-1.0, 0.0), (0.0, 1.0), (1.0, 0.0)]


def test_the_spin_that_a_circle_gets_from_a_floor_is_known_from_the_replay(explain):
    rolling = Thing("circle", (40, 60), (20, 20), velocity=(120, 0), elasticity=0.7, friction=0.5)
    setting = Setting(220, 160, (rolling,), (0.0, 400.0), walls=((0, 160, 220, 160),), frames=45)
    spin = explain(setting).motions[0].states[-1, 5]
    assert spin == pytest.approx(setting.run().states[-1, 0, 5], rel=0.25)


def test_a_ball_that_is_half_beyond_the_border_at_the_end_leaves_on():
    ball = Thing("circle", (150, 80), (30, 30), velocity=(50, 0))
    other = Thing("circle", (40, 40), (20, 20), velocity=(10, 10))
    setting = Setting(200, 160, (ball, other), frames=34)  # the centre leaves the picture in frame 30
    world = infer(seen(setting), setting.fps, (200, 160))
    paths = ahead(world, 6)
    assert paths[0][-1, :2] == pytest.approx((150 + 50 * 39 / 30, 80), abs=1)
