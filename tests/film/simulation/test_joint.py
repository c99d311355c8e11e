"""Contacts that are simulated together, and what other engines do at them."""

from dataclasses import replace

import numpy as np
import pytest

from tests.film.simulation.conftest import seen
from unrender.film.simulation.bodies.hidden import uncovered
from unrender.film.simulation.bodies.seen import Seen
from unrender.film.simulation.bodies.trajectory import box, circle, polygon
from unrender.film.simulation.fit.joint import refined
from unrender.film.simulation.fit.shots import find_shots
from unrender.film.simulation.infer import infer
from unrender.scene import Observation
from unrender.worlds.mechanical import bouncing
from unrender.worlds.mechanics import Setting, Thing

FLOOR = Thing("square", (100, 150), (240, 20), static=True, elasticity=1.0, friction=1.0)
BALL = Thing("circle", (40, 60), (20, 20), velocity=(60, 0), elasticity=0.8, friction=0.0)


@pytest.fixture(scope="module")
def world():
    setting = Setting(200, 160, (BALL, FLOOR), (0.0, 400.0), frames=60)
    return infer(seen(setting), setting.fps, (200, 160))


def test_a_shot_begins_before_its_contact_and_ends_after_it(world):
    shots = find_shots(world)
    assert shots
    for shot in shots:
        assert shot.first < shot.touch < shot.last


def test_a_wrong_restitution_is_corrected_by_simulating_the_contacts(world):
    wrong = tuple(
        replace(body, restitution=0.6, errors={**body.errors, "restitution": 0.1})
        if body.restitution is not None
        else body
        for body in world.bodies
    )
    contacts = tuple(replace(contact, restitution=None) for contact in world.contacts)
    fit = refined(replace(world, bodies=wrong, contacts=contacts))
    assert fit.after < fit.before
    assert fit.world.bodies[0].restitution == pytest.approx(0.8, abs=0.04)
    assert fit.world.bodies[0].errors["restitution"] < 0.1


def test_a_ball_that_is_put_back_at_the_floor_once_a_frame_tells_gravity_and_bounces():
    place, speed, path = np.array([30.0, 30.0]), np.array([60.0, 0.0]), []
    for _ in range(80):
        path.append(place.copy())
        speed[1] += 500 / 30
        place += speed / 30
        if place[1] > 140:
            place[1], speed[1] = 140, -0.8 * speed[1]
    noisy = np.array(path) + np.random.default_rng(3).normal(0, 0.03, (80, 2))
    world = infer([circle(0, 10.0, noisy, np.ones(80, bool))], 30.0, (240, 160))
    assert world.gravity == pytest.approx((0, 500), abs=8)
    assert world.bodies[0].restitution == pytest.approx(0.8, abs=0.06)


def test_a_box_that_seems_to_reach_behind_its_floor_ends_at_it():
    node = Observation("square", (0.0, 0.0), (20.0, 24.0))
    there = np.stack([np.linspace(40, 160, 40), np.full(40, 132.0)], axis=1)
    still = np.tile([100.0, 150.0], (40, 1))
    every, turns = np.ones(40, bool), np.zeros(40)
    bodies = {
        0: Seen(polygon(0, box(20, 24), there, turns, every), np.zeros(2), 0.0, node),
        1: Seen(polygon(1, box(240, 20), still, turns, every), np.zeros(2), 0.0, node),
    }
    cut = uncovered(bodies)[0].trajectory
    assert np.ptp(cut.outline, axis=0) == pytest.approx((20, 20), abs=0.1)
    assert cut.positions[0, 1] == pytest.approx(130.0, abs=0.1)


def test_a_meeting_amid_many_bounces_on_the_floor_has_a_shot_of_its_own(explain):
    world = explain(
        bouncing(np.random.default_rng([66203, 0])), 0.02
    )  # two balls meet on the floor in frame 50
    meetings = [shot for shot in find_shots(world) if len(shot.tracks) == 2]
    assert any(shot.first < 50 < shot.last for shot in meetings)
