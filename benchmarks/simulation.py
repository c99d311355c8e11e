"""Inverse simulation: forces, springs, materials and masses from films, and what follows from them.

    python benchmarks/simulation.py [--seed 0] [--films 60] [--seen 3] [--rows motions,clean,noise,jpeg,post]
    python benchmarks/simulation.py --rows box2d,matter,rapier,loop,exact --engines FOLDER [--seen 3]

Settings of `unrender.worlds.mechanical` (bouncing, tumbling, colliding, sliding, swinging and sprung bodies,
60 to 120 frames) are simulated by pymunk. `motions` takes their true trajectories with noise of 0.05 px:
`films` of each kind. The other rows see films drawn by Pillow: `seen` of each kind, clean, with noise of
0.03, as JPEG, and with a post that everything passes behind. Rows of other engines (`simulation_engines`)
see the kinds without springs, as these engines move them; FOLDER has the node_modules for node.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from report import Line, Table, parsed_with_rows, parser, publish, run
from simulation_engines import RULES, available, engine
from simulation_films import film as drawn
from simulation_questions import questions
from simulation_scoring import AHEAD, PYMUNK, Engine, Score, motions, score

import unrender
from unrender.film.film import Film
from unrender.film.simulation.infer import infer
from unrender.worlds.mechanical import KINDS
from unrender.worlds.mechanics import Run, Setting

ABOUT = """Films of mechanical worlds. Errors are medians, positions means. `motions` has true trajectories
with noise of 0.05 px; in the other rows everything is seen in frames drawn by Pillow. "True world disturbed"
is the row above it for the true world with all its numbers off by half of what a film tells: bodies that
collide often end elsewhere then, so that none can do much better. Positions ahead are of bodies that are
still in the picture then: how far a slope goes on beyond it no film tells."""
ROWS = ("motions", "clean", "noise", "jpeg", "post", *RULES)
UNTIED = ("bouncing", "tumbling", "colliding", "sliding")  # kinds without springs
ROUND = ("bouncing", "colliding")  # kinds of balls alone, for loops that know no others
NOISE = 0.05  # px
APART = 12.0  # px: a track begins no further from the thing that it is


def main() -> None:
    """Measure the rows that are wanted."""
    made = parser(__doc__, "simulation")
    made.add_argument("--films", type=int, default=60, help="of each kind, of which only motions are taken")
    made.add_argument("--seen", type=int, default=3, help="of each kind, which are seen")
    made.add_argument(
        "--engines", type=Path, help="folder whose node_modules have matter-js and rapier2d-compat"
    )
    options = parsed_with_rows(made, ROWS, ["motions", "clean"])
    films, seen = (1, 1) if options.quick else (options.films, options.seen)
    kinds = ["colliding"] if options.quick else list(KINDS)
    lines: list[Line] = []
    here = available(options.engines)
    for row in options.rows:
        if row in RULES and row not in here:
            print(f"{row} is not installed, so that it has no row.")
            continue
        found = Score()
        made_by = engine(row, options.engines) if row in RULES else PYMUNK
        for kind in _kinds(row, kinds) if not options.quick or row == "motions" else kinds[:1]:
            for k in range(films if row == "motions" else seen):
                _one(kind, row, np.random.default_rng([options.seed, k]), found, made_by)
        lines += _lines(row, found)
    publish(options.out, "Inverse simulation", ABOUT, Table(lines, "measure"))


def _kinds(row: str, kinds: Sequence[str]) -> list[str]:
    """The kinds of settings that what makes a row can simulate."""
    able = ROUND if row in ("loop", "exact") else UNTIED if row in RULES else tuple(KINDS)
    return [kind for kind in kinds if kind in able]


def _one(kind: str, row: str, rng: np.random.Generator, into: Score, made_by: Engine) -> None:
    setting = KINDS[kind](rng)
    true = made_by.run(setting)
    if row == "motions":
        bodies = motions(setting, true, NOISE, rng)
        start = time.process_time()
        world = infer(bodies, setting.fps, (setting.width, setting.height))
        things = {body.track: body.track for body in bodies}
    else:
        frames = drawn(setting, true, "clean" if row in RULES else row, rng)
        with unrender.open() as brain:
            film = brain.watch(frames, fps=setting.fps)
        start = time.process_time()
        world = film.world
        things = _things(film, setting, true)
    into.seconds.append(time.process_time() - start)
    score(setting, true, world, things, into, made_by)
    asked = questions(setting, true, world, things, made_by.run)
    into.answers += [own.truth == own.answer for own in asked]


def _things(film: Film, setting: Setting, true: Run) -> dict[int, int]:
    """The thing of each track: the one that was nearest while it was seen."""
    found: dict[int, int] = {}
    for body in film.world.bodies:
        own = film.world.shapes[body.track]
        apart = np.linalg.norm(true.states[own.seen][:, :, :2] - own.positions[own.seen][:, None], axis=2)
        best = int(np.median(apart, axis=0).argmin())
        if float(np.median(apart[:, best])) < APART and best not in found.values():
            found[body.track] = best
    return found


def _lines(row: str, found: Score) -> list[Line]:
    """The table of one row of films."""
    made = [
        _line(row, "gravity", found.gravity, 0.03, "3 %", 100, " %"),
        _line(row, "drag", found.drag, 0.15, "15 %", 100, " %"),
        _line(row, "stiffness", found.stiffness, 0.05, "5 %", 100, " %"),
        _line(row, "restitution", found.restitution, 0.06, "0.06"),
        _line(row, "friction", found.friction, 0.1, "0.1"),
        _line(row, "mass", found.mass, 0.1, "10 %", 100, " %"),
        _share(row, "told where it can be known", found.told, 0.95),
        _share(row, "None where it cannot", found.silent, 0.95),
        _line(row, "10 frames ahead", found.ahead[AHEAD[0]], 0.01, "1 % of the width", 100, " %", True),
        _line(row, "30 frames ahead", found.ahead[AHEAD[1]], 0.04, "4 % of the width", 100, " %", True),
        _line(row, "one body removed", found.removed, 0.12, "12 % of the width", 100, " %", True),
        _line(row, "true world disturbed", found.chaos, math.inf, "", 100, " %", True),
        _share(row, "questions", found.answers, 0.9),
        _line(row, "seconds for the world", found.seconds, 20, "20 s", mean=True),
    ]
    return [line for line in made if line is not None]


def _line(
    row: str, what: str, values: Sequence[float], most: float, goal: str, by: float = 1, unit: str = "",
    mean: bool = False,
) -> Line | None:  # fmt: skip
    if not values:
        return None
    value = float(np.mean(values) if mean else np.median(values))
    told = f"{by * value:.3g}{unit}"
    worst = f"{by * float(np.quantile(values, 0.9)):.3g}{unit}"
    return Line(
        f"{row}: {what}",
        f"≤ {goal}" if goal else "",
        told,
        value <= most,
        {"9 of 10": worst, "of": str(len(values))},
    )


def _share(row: str, what: str, values: Sequence[bool], least: float) -> Line | None:
    if not values:
        return None
    value = math.fsum(values) / len(values)
    return Line(f"{row}: {what}", f"≥ {least:g}", f"{value:.3f}", value >= least, {"of": str(len(values))})


if __name__ == "__main__":
    run(main)
