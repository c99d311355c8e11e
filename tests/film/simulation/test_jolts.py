"""What hits are made of: velocities before and after them, spins, and walls that must be there."""

from dataclasses import replace

import numpy as np
import pytest

from tests.film.simulation.conftest import seen
from unrender.film.simulation.contacts.room import likely_walls
from unrender.film.simulation.contacts.walls import Wall
from unrender.film.simulation.infer import infer
from unrender.film.simulation.run.otherwise import again
from unrender.film.simulation.run.simulator import Simulator
from unrender.film.velocity import unaliased
from unrender.worlds.mechanical import colliding
from unrender.worlds.mechanics import Setting, Thing

BALL = Thing("circle", (40, 60), (20, 20), velocity=(90, 0), elasticity=0.9, friction=0.0)


def room(width, height):
    corners = [(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)]
    return tuple((*corners[i], *corners[(i + 1) % 4]) for i in range(4))


def test_a_ball_between_a_wall_and_another_ball_makes_no_wall_where_it_is():
    setting = colliding(
        np.random.default_rng([55031, 0])
    )  # within a frame it hits the wall, a ball, the wall
    world = infer(seen(setting), setting.fps, (220, 160))
    assert len(world.walls) == 4
    for wall in world.walls:
        border = {(1, 0): 0, (-1, 0): -220, (0, 1): 0, (0, -1): -160}[
            round(wall.normal[0]), round(wall.normal[1])
        ]
        assert wall.offset == pytest.approx(border, abs=1)


def test_one_frame_that_is_seen_badly_after_a_bounce_moves_no_wall():
    setting = Setting(
        200, 160, (replace(BALL, velocity=(0, 100)),), (0.0, 400.0), walls=room(200.0, 160.0), frames=40
    )
    (ball,) = seen(setting)
    bounce = int(np.flatnonzero(np.diff(ball.positions[:, 1]) < 0)[0])
    places = ball.positions.copy()
    places[bounce + 1] += (0.6, -0.8)
    world = infer([replace(ball, positions=places)], setting.fps, (200, 160))
    floors = [wall for wall in world.walls if wall.normal[1] < -0.9]
    assert [floor.offset for floor in floors] == pytest.approx([-160], abs=0.5)


def test_a_square_that_is_hit_turns_the_slower_way_of_those_that_look_the_same():
    turns = [-33.0] * 6 + [-61.0] * 8 + [-87.0] * 8  # as they look if the first is followed
    assert unaliased(turns, [90.0] * 22)[6:] == pytest.approx([29.0] * 8 + [3.0] * 8)


def test_a_wheel_that_gets_faster_keeps_its_way_past_half_of_its_period():
    turns = np.linspace(5.0, 70.0, 40)
    assert unaliased(np.remainder(turns, 90.0), [90.0] * 40) == pytest.approx(turns)


def test_a_room_is_no_smaller_than_its_bodies_have_gone():
    ball = replace(BALL, velocity=(150, 0))
    setting = Setting(200, 160, (ball,), (0.0, 400.0), walls=room(200.0, 160.0), frames=40)
    world = infer(seen(setting), setting.fps, (200, 160))
    deep = Wall((0.0, 154.0), (200.0, 154.0), (0.0, -1.0), -154.0, 0.1)
    reach = min(
        float(shape.reaches(np.array((-1.0, 0.0)))[shape.seen].min()) for shape in world.shapes.values()
    )
    likely = likely_walls(replace(world, walls=(deep,)))
    right = next(wall for wall in likely if wall.normal == (-1.0, 0.0))
    assert right.offset == pytest.approx(min(-194.0, reach))


def test_a_ball_that_falls_in_the_simulation_follows_a_parabola():
    setting = Setting(200, 160, (replace(BALL, velocity=(30, -80)),), (0.0, 400.0), frames=30)
    world = infer(seen(setting), setting.fps, (200, 160))
    world = replace(world, gravity=(0.0, 400.0), drag=0.0)
    simulator = Simulator(world)
    simulator.put(0, np.array([40.0, 60.0, 0.0, 30.0, -80.0, 0.0]))
    for _ in range(15):
        simulator.step()
    t = 15 / setting.fps
    assert simulator.state(0)[:2] == pytest.approx((40 + 30 * t, 60 - 80 * t + 200 * t * t), abs=1e-6)
    assert simulator.state(0)[3:5] == pytest.approx((30, -80 + 400 * t), abs=1e-6)


def test_without_gravity_a_straight_path_lies_on_no_floor():
    ball = replace(BALL, position=(62, 53), velocity=(-22, 67))
    setting = Setting(200, 160, (ball,), frames=48)
    (path,) = seen(setting, 0.0)
    bent = path.positions + 2e-4 * np.arange(48)[:, None] ** 2 * np.array([0.95, 0.32])  # as seen at a border
    assert infer([replace(path, positions=bent).measured()], setting.fps, (200, 160)).walls == ()


def test_a_ball_that_is_hit_in_the_first_frames_goes_on_without_the_one_that_hit_it():
    one = replace(BALL, position=(60, 80), velocity=(150, 0))
    other = replace(BALL, position=(86, 82), velocity=(0, 0))
    setting = Setting(220, 160, (one, other), frames=40)
    world = infer(seen(setting), setting.fps, (220, 160))
    paths, concerned = again(world, frozenset([1]))
    assert concerned[0] <= 2
    assert paths[0][-1, :2] == pytest.approx((60 + 150 * 39 / 30, 80), abs=4)
