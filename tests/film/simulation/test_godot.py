"""Worlds as scenes of Godot 4, read again by a reader of its text format."""

import re

import pytest

from unrender.errors import UnrenderError
from unrender.worlds.mechanics import WALL, Link, Setting, Thing

BALL = Thing("circle", (60, 40), (20, 20), velocity=(90, 0), elasticity=0.8, friction=0.0)
BOX = Thing("square", (150, 60), (24, 16), rotation=20, elasticity=0.8, friction=0.0, mass=2.0)
FLOOR = (0, 160, 220, 160)


def sections(text):
    """(tag, heading, properties) of every block."""
    found = []
    for block in re.split(r"\n(?=\[)", text):
        head, *rows = block.strip().split("\n")
        tag, fields = re.fullmatch(r"\[(\w+) (.*)\]", head).groups()
        heading = dict(re.findall(r'(\w+)="?([^"\s]+)"?', fields))
        found.append((tag, heading, dict(row.split(" = ", 1) for row in rows)))
    return found


@pytest.fixture
def saved(explain, tmp_path):
    def written(setting):
        world = explain(setting)
        world.save(tmp_path / "world.tscn")
        return world, sections((tmp_path / "world.tscn").read_text())

    return written


def nodes(read, kind):
    return [(head, own) for tag, head, own in read if tag == "node" and head["type"] == kind]


def numbers(text):
    return [float(value) for value in re.findall(r"-?[\d.]+(?:e-?\d+)?", text.split("(", 1)[-1])]


def test_bodies_have_the_units_of_godot(saved):
    _, read = saved(Setting(220, 160, (BALL, BOX), (0.0, 300.0), 0.3, (FLOOR,), 1.0, 1.0, frames=80))
    (_, ball), (_, box) = nodes(read, "RigidBody2D")
    assert numbers(ball["linear_velocity"]) == pytest.approx([90, 0], abs=3)
    assert numbers(ball["position"]) == pytest.approx([60, 40], abs=0.3)
    assert float(ball["linear_damp"]) == pytest.approx(0.3, abs=0.05)
    assert float(box["rotation"]) == pytest.approx(0.349, abs=0.02)  # radians
    area = nodes(read, "Area2D")[0][1]
    assert float(area["gravity"]) == pytest.approx(300, abs=6)
    assert numbers(area["gravity_direction"]) == pytest.approx([0, 1], abs=0.02)


def test_the_bounces_of_two_sides_add_up_to_that_of_the_contact(saved):
    world, read = saved(Setting(220, 160, (BALL,), (0.0, 300.0), 0.0, (FLOOR,), 1.0, 1.0, frames=80))
    bounces = [float(own["bounce"]) for tag, head, own in read if head.get("type") == "PhysicsMaterial"]
    assert sum(bounces) == pytest.approx(world.bodies[0].restitution, abs=1e-6)
    wall = nodes(read, "StaticBody2D")[0][0]["name"]
    assert wall == "wall1"


def test_every_resource_that_is_used_is_there_before(saved):
    _, read = saved(Setting(220, 160, (BALL, BOX), (0.0, 300.0), 0.0, (FLOOR,), 1.0, 1.0, frames=60))
    known = [head["id"] for tag, head, _ in read if tag == "sub_resource"]
    used = [
        name
        for _, _, own in read
        for value in own.values()
        for name in re.findall(r'SubResource\("(\w+)"', value)
    ]
    assert set(used) == set(known)
    assert int(read[0][1]["load_steps"]) == len(known) + 1


def test_a_spring_is_a_joint_between_its_ends(saved):
    link = Link(0, WALL, (110.0, 20.0), 50.0, 80.0, 0.5)
    ball = Thing("circle", (140, 100), (20, 20), mass=2.0)
    _, read = saved(Setting(220, 170, (ball,), (0.0, 300.0), links=(link,), frames=80))
    _, joint = nodes(read, "DampedSpringJoint2D")[0]
    assert float(joint["stiffness"]) == pytest.approx(40, rel=0.03)
    assert float(joint["rest_length"]) == pytest.approx(50, abs=2)
    assert float(joint["length"]) == pytest.approx(85.4, abs=3)
    assert joint["node_b"] == 'NodePath("../anchor1_1")'


def test_a_rod_is_a_pin_at_its_pivot(saved):
    link = Link(0, WALL, (110.0, 20.0), 80.6)
    _, read = saved(Setting(220, 170, (Thing("circle", (150, 90), (20, 20)),), (0.0, 300.0), links=(link,)))
    _, pin = nodes(read, "PinJoint2D")[0]
    assert numbers(pin["position"]) == pytest.approx([110, 20], abs=1)


def test_another_suffix_is_refused(explain, tmp_path):
    with pytest.raises(UnrenderError, match="tscn"):
        explain(Setting(220, 160, (BALL,), frames=45)).save(tmp_path / "world.svg")
