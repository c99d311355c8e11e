"""What a film of moving bodies tells about the world that moves them."""

import math
from dataclasses import replace

import numpy as np
import pytest

from tests.film.simulation.conftest import seen
from unrender.film.simulation.infer import infer
from unrender.film.simulation.world import ANY
from unrender.worlds import mechanical
from unrender.worlds.mechanical import sprung, swinging
from unrender.worlds.mechanics import WALL, Link, Setting, Thing

ROOM = (
    (0.0, 0.0, 200.0, 0.0),
    (200.0, 0.0, 200.0, 160.0),
    (200.0, 160.0, 0.0, 160.0),
    (0.0, 160.0, 0.0, 0.0),
)
BALLS = (
    Thing("circle", (40, 40), (20, 20), velocity=(120, -20), mass=1.0, elasticity=0.9, friction=0.0),
    Thing("circle", (140, 52), (26, 26), velocity=(-70, 0), mass=2.0, elasticity=0.9, friction=0.0),
)


def bouncing(**changes):
    return replace(
        Setting(200, 160, BALLS, (0.0, 400.0), walls=ROOM, wall_elasticity=0.9, frames=70), **changes
    )


def test_gravity_is_told_to_a_hundredth(explain):
    world = explain(bouncing())
    assert world.gravity == pytest.approx((0, 400), abs=4)
    assert world.errors["gravity"] < 4


def test_gravity_may_pull_anywhere(explain):
    assert explain(bouncing(gravity=(-250.0, 120.0))).gravity == pytest.approx((-250, 120), abs=4)


def test_without_gravity_there_is_none(explain):
    assert explain(bouncing(gravity=(0.0, 0.0))).gravity == (0.0, 0.0)


def test_drag_is_told_beside_gravity(explain):
    world = explain(bouncing(drag=0.5))
    assert world.drag == pytest.approx(0.5, rel=0.1)
    assert world.gravity == pytest.approx((0, 400), abs=8)


def test_without_drag_there_is_none(explain):
    assert explain(bouncing()).drag == 0.0


def test_bounces_tell_restitution(explain):
    world = explain(bouncing())
    for body in world.bodies:
        assert body.restitution == pytest.approx(0.81, abs=0.03)
        assert body.errors["restitution"] < 0.05


def test_a_ball_that_is_hit_twice_at_once_is_not_more_than_elastic(explain):
    """It is thrown at the floor by another one: what it parts with from there is no restitution."""
    setting = mechanical.bouncing(np.random.default_rng([60418, 2]))
    thrown = explain(setting).bodies[2]
    assert thrown.restitution == pytest.approx(
        setting.things[2].elasticity * setting.wall_elasticity, abs=0.06
    )


def test_walls_that_are_not_drawn_are_inferred_from_bounces(explain):
    floor = next(
        wall for wall in explain(bouncing()).walls if wall.normal == pytest.approx((0, -1), abs=0.02)
    )
    assert floor.offset == pytest.approx(-160, abs=0.5)


def test_a_collision_tells_the_ratio_of_masses(explain):
    light, heavy = explain(bouncing(gravity=(0.0, 0.0))).bodies
    assert heavy.mass / light.mass == pytest.approx(2.0, rel=0.05)
    assert (heavy.mass + light.mass) / 2 == pytest.approx(1.0)


def test_where_nothing_touches_there_is_no_mass_no_restitution_and_no_friction(explain):
    apart = tuple(replace(ball, velocity=(10 * (i + 1), 5)) for i, ball in enumerate(BALLS))
    world = explain(bouncing(things=apart, gravity=(0.0, 0.0), frames=45))
    for body in world.bodies:
        assert (body.mass, body.restitution, body.friction) == (None, None, None)
    assert world.walls == ()


def test_the_velocity_of_the_first_frame_is_in_pixels_per_second(explain):
    first = explain(bouncing(fps=50.0)).bodies[0]
    assert first.velocity == pytest.approx((120, -20), abs=2)
    assert first.position == pytest.approx((40, 40), abs=0.2)


def test_a_box_that_slides_tells_friction_where_gravity_is_known(explain):
    floor = Thing("square", (110, 140), (220, 20), rotation=0, friction=1.0, static=True)
    box = Thing("square", (30, 119.98), (20, 20), velocity=(150, 0), friction=0.35, elasticity=0.0)
    ball = Thing("circle", (180, 30), (16, 16), elasticity=0.5, friction=0.0)
    world = explain(Setting(220, 160, (floor, box, ball), (0.0, 400.0), frames=60))
    assert world.bodies[0].static is True
    assert world.bodies[1].friction == pytest.approx(0.35, abs=0.05)


def test_friction_is_unknown_where_gravity_is(explain):
    floor = Thing("square", (110, 140), (220, 20), friction=1.0, static=True)
    box = Thing("square", (30, 119.98), (20, 20), velocity=(150, 0), friction=0.35, elasticity=0.0)
    world = explain(Setting(220, 160, (floor, box), (0.0, 400.0), frames=60))
    assert world.gravity is None
    assert world.bodies[1].friction is None


def test_a_spring_that_is_not_drawn_is_found_with_its_stiffness(explain):
    ball = Thing("circle", (140, 100), (20, 20), mass=2.0)
    spring = Link(0, WALL, (110.0, 20.0), 50.0, 80.0, 0.5)
    world = explain(Setting(220, 170, (ball,), (0.0, 300.0), links=(spring,), frames=80))
    assert len(world.springs) == 1
    assert world.springs[0].stiffness == pytest.approx(40, rel=0.03)
    assert world.springs[0].b == pytest.approx((110, 20), abs=2)
    assert world.springs[0].length == pytest.approx(50, abs=2)
    assert world.gravity == pytest.approx((0, 300), abs=6)


def test_a_spring_between_two_bodies_tells_their_masses(explain):
    setting = sprung(np.random.default_rng(2), pair=True)
    world = explain(setting)
    masses = [thing.mass for thing in setting.things]
    unit = sum(masses) / 2
    assert [body.mass for body in world.bodies] == pytest.approx([own / unit for own in masses], rel=0.02)
    assert world.springs[0].stiffness == pytest.approx(setting.links[0].stiffness / unit, rel=0.02)
    assert (world.springs[0].a.track, world.springs[0].b.track) == (0, 1)


def test_a_pendulum_hangs_on_a_rod(explain):
    setting = swinging(np.random.default_rng(0))
    world = explain(setting)
    assert world.springs[0].stiffness is None
    assert world.springs[0].length == pytest.approx(setting.links[0].length, rel=0.02)
    assert math.dist(world.springs[0].b, setting.links[0].point) < 2
    assert world.gravity == pytest.approx(setting.gravity, abs=0.02 * setting.gravity[1])


def test_balls_that_bounce_hang_on_nothing(explain):
    assert explain(bouncing()).springs == ()


def test_a_box_that_slides_on_nothing_that_is_drawn_lies_on_a_floor(explain):
    floor = (-50.0, 130.0, 270.0, 130.0)
    box = Thing("square", (30, 119.98), (20, 20), velocity=(110, 0), friction=0.2, elasticity=0.0)
    balls = tuple(Thing("circle", (x, 20), (16, 16), velocity=(-20, 0)) for x in (150, 200))
    world = explain(Setting(220, 160, (box, *balls), (0.0, 300.0), walls=(floor,), frames=22))
    (wall,) = world.walls
    assert wall.normal == pytest.approx((0, -1), abs=0.02)
    assert wall.offset == pytest.approx(-130, abs=0.5)


def test_what_all_pass_behind_holds_nobody_up(explain):
    post = Thing("square", (100, 80), (10, 160), static=True)
    apart = (post, *(replace(ball, velocity=(v, 0)) for ball, v in zip(BALLS, (110, -2), strict=True)))
    setting = bouncing(things=apart, gravity=(0.0, 0.0), frames=45, walls=())
    moving = [seen(replace(setting, things=apart[1:]))[k] for k in (0, 1)]  # they do not touch it
    bodies = [seen(setting)[0], *(replace(own, track=own.track + 1) for own in moving)]
    world = infer(bodies, setting.fps, (200, 160))
    assert world.apart == {frozenset((0, 1)), frozenset((0, 2))}


def test_balls_that_never_turn_each_other_are_guessed_to_be_smooth(explain):
    assert explain(bouncing(gravity=(0.0, 0.0))).likely[ANY, "friction"] < 0.05
