"""Settings run by other engines: Box2D, Matter.js, Rapier, and two loops as people write them by hand.

Box2D is imported where it is installed; Matter.js and Rapier run in node, from a folder with node_modules
(`npm install matter-js @dimforge/rapier2d-compat`). Each engine steps as its users let it: once or twice a
frame.
"""

from __future__ import annotations

import dataclasses
import importlib
import importlib.util
import json
import math
import shutil
import subprocess
from collections.abc import Mapping
from operator import mul
from pathlib import Path
from typing import Any

import numpy as np
from simulation_scoring import Engine, Rule

from unrender.worlds.mechanics import WALL, Contact, Run, Setting

SCALE = 25.0  # px per metre, for engines that think in metres
STEPS = 2  # of an engine in one frame
THICK = 40.0  # px of a wall


def engine(name: str, folder: Path | None = None) -> Engine:
    """An engine by name, with its rules for the materials of two bodies. folder: where node_modules is."""
    bounce, rub = RULES[name]
    return Engine(lambda setting: run_by(name, setting, folder), bounce, rub)


def _mean(a: float, b: float) -> float:
    return (a + b) / 2


RULES: Mapping[str, tuple[Rule, Rule | None]] = {  # of restitution and of friction
    "box2d": (max, lambda a, b: math.sqrt(a * b)),
    "matter": (max, None),
    "rapier": (_mean, _mean),
    "loop": (mul, lambda a, b: 0.0),
    "exact": (mul, lambda a, b: 0.0),
}


def available(folder: Path | None) -> list[str]:
    """The engines that can be run here."""
    found = ["loop", "exact"]
    if importlib.util.find_spec("Box2D") is not None:
        found.append("box2d")
    if folder is not None and shutil.which("node") is not None:
        names = {"matter": "matter-js", "rapier": "@dimforge/rapier2d-compat"}
        found += [own for own, name in names.items() if (folder / "node_modules" / name).is_dir()]
    return found


def run_by(engine: str, setting: Setting, folder: Path | None = None) -> Run:
    """What an engine makes of a setting (without springs)."""
    if engine == "box2d":
        return _box2d(setting)
    if engine in ("loop", "exact"):
        return _balls(setting, exact=engine == "exact")
    told = dataclasses.asdict(setting)
    told |= {
        "steps": STEPS,
        "pixels_per_metre": SCALE,
        "walls": [_bar(setting, wall) for wall in setting.walls],
    }
    script = str(Path(__file__).with_suffix(".js"))
    done = subprocess.run(
        ["node", script, engine, str(folder)],
        input=json.dumps(told),
        capture_output=True,
        text=True,
        check=True,
    )
    made = json.loads(done.stdout)
    contacts = tuple(Contact(time, a, b) for time, a, b in made["contacts"])
    return Run(np.array(made["states"], np.float64), contacts)


def _bar(setting: Setting, wall: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
    """Middle px, length px and angle (radians) of a bar whose face towards the picture's middle is a wall."""
    x1, y1, x2, y2 = wall
    along = np.array([x2 - x1, y2 - y1]) / math.dist((x1, y1), (x2, y2))
    normal = np.array([-along[1], along[0]])
    if normal @ (np.array([setting.width / 2, setting.height / 2]) - (x1, y1)) > 0:
        normal = -normal
    x, y = np.array([x1 + x2, y1 + y2]) / 2 + normal * THICK / 2
    return float(x), float(y), math.dist((x1, y1), (x2, y2)) + 2 * THICK, math.atan2(along[1], along[0])


def _box2d(setting: Setting) -> Run:
    api: Any = importlib.import_module("Box2D")
    contacts: list[Contact] = []
    clock = [0.0]

    class Listener(api.b2ContactListener):  # type: ignore[misc]
        def BeginContact(self, contact: Any) -> None:  # noqa: N802 (the name is Box2D's)
            a, b = (own.body.userData for own in (contact.fixtureA, contact.fixtureB))
            contacts.append(Contact(clock[0], max(a, b), min(a, b)))

    listener = Listener()
    pull = tuple(own / SCALE for own in setting.gravity)
    world = api.b2World(gravity=pull, doSleep=True, contactListener=listener)
    bodies = []
    for i, thing in enumerate(setting.things):
        make = world.CreateStaticBody if thing.static else world.CreateDynamicBody
        place = tuple(own / SCALE for own in thing.position)
        body = make(position=place, angle=math.radians(thing.rotation), userData=i)
        w, h = (own / SCALE for own in thing.size)
        area = math.pi * w * w / 4 if thing.kind == "circle" else w * h
        look = {"density": thing.mass / area, "friction": thing.friction, "restitution": thing.elasticity}
        if thing.kind == "circle":
            body.CreateCircleFixture(radius=w / 2, **look)
        else:
            body.CreatePolygonFixture(box=(w / 2, h / 2), **look)
        if not thing.static:
            body.linearVelocity = tuple(own / SCALE for own in thing.velocity)
            body.angularVelocity = math.radians(thing.spin)
            body.linearDamping = body.angularDamping = setting.drag
        bodies.append(body)
    for x, y, length, turn in (_bar(setting, wall) for wall in setting.walls):
        body = world.CreateStaticBody(position=(x / SCALE, y / SCALE), angle=turn, userData=WALL)
        box = (length / 2 / SCALE, THICK / 2 / SCALE)
        body.CreatePolygonFixture(
            box=box, friction=setting.wall_friction, restitution=setting.wall_elasticity
        )
    states = np.zeros((setting.frames, len(bodies), 6))
    for frame in range(setting.frames):
        for i, body in enumerate(bodies):
            place, speed = (np.array(own) * SCALE for own in (body.position, body.linearVelocity))
            states[frame, i] = (*place, math.degrees(body.angle), *speed, math.degrees(body.angularVelocity))
        for _ in range(STEPS):
            world.Step(1 / setting.fps / STEPS, 8, 3)
            clock[0] += 1 / setting.fps / STEPS
    return Run(states, tuple(contacts))


def _balls(setting: Setting, exact: bool) -> Run:
    """Balls without friction: a loop that puts a ball back when it is through a wall, once a frame,
    or with steps so small that every collision is exact."""
    steps = 40 if exact else 1
    h = 1 / setting.fps / steps
    things = setting.things
    place = np.array([own.position for own in things], np.float64)
    speed = np.array([own.velocity for own in things], np.float64)
    radius = np.array([own.size[0] / 2 for own in things])
    mass = np.array([own.mass for own in things])
    pull = np.asarray(setting.gravity)
    contacts: list[Contact] = []
    states = np.zeros((setting.frames, len(things), 6))
    keep = math.exp(-setting.drag * h)
    for step in range(setting.frames * steps):
        if step % steps == 0:
            states[step // steps, :, :2], states[step // steps, :, 3:5] = place, speed
        before = speed.copy()
        speed = speed * keep + pull * h
        place = place + ((before + speed) / 2 if exact else speed) * h
        for x1, y1, x2, y2 in setting.walls:
            along = np.array([x2 - x1, y2 - y1]) / math.dist((x1, y1), (x2, y2))
            normal = np.array([-along[1], along[0]])
            normal = (
                normal if normal @ (np.array([setting.width, setting.height]) / 2 - (x1, y1)) > 0 else -normal
            )
            deep = (place - (x1, y1)) @ normal - radius
            for i in np.flatnonzero((deep < 0) & (speed @ normal < 0)):
                place[i] -= normal * deep[i]
                bounce = things[i].elasticity * setting.wall_elasticity
                speed[i] -= (1 + bounce) * (speed[i] @ normal) * normal
                contacts.append(Contact(step * h, int(i), WALL))
        for i in range(len(things)):
            for k in range(i):
                apart = place[i] - place[k]
                far = float(np.linalg.norm(apart))
                normal = apart / max(far, 1e-9)
                closing = float((speed[i] - speed[k]) @ normal)
                if far < radius[i] + radius[k] and closing < 0:
                    bounce = things[i].elasticity * things[k].elasticity
                    push = -(1 + bounce) * closing / (1 / mass[i] + 1 / mass[k])
                    speed[i] += normal * push / mass[i]
                    speed[k] -= normal * push / mass[k]
                    contacts.append(Contact(step * h, i, k))
    return Run(states, tuple(contacts))
