"""Scenes that an exporter must cope with."""

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

import unrender
from unrender import Observation, Scene
from unrender.grammar.attribute import Attribute
from unrender.primitives import registry
from unrender.primitives.protocol import Doubles, Primitive
from unrender.primitives.registry import register
from unrender.primitives.symmetry import Symmetry
from unrender.worlds import Asteroids

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"

ODD = 'a "b" <c> & d/e.f:%@\n\t\\ü 船\x07'
"""A name that no format should choke on."""


def shape(
    symbol: str, x: float, y: float, w: float, h: float, turn: float, depth: int, **looks: float
) -> Observation:
    """A primitive, filled unless `looks` says otherwise."""
    style = {"red": 0.9, "green": 0.4, "blue": 0.2, "filled": 1.0, "thickness": 0.0} | looks
    return Observation(symbol, (x, y), (w, h), turn, style, depth=depth)


def whole(symbol: str, *parts: Observation, turn: float = 0.0, **more: float) -> Observation:
    """An object around its parts; where exactly it stands does not matter to how it is drawn."""
    x, y = np.mean([part.position for part in parts], axis=0)
    looks = {"red": 0.5} | more
    place = (float(x), float(y))
    return Observation(symbol, place, (60.0, 40.0), turn, looks, 0.75, f"{symbol}/1", list(parts))


def asteroids() -> Scene:
    return Asteroids(background=(10, 20, 60)).sample(np.random.default_rng(1)).scene


def overlapping() -> Scene:
    world = Asteroids(width=200, height=160, overlap=True, loose=(6, 6), asteroids=(3, 3))
    return world.sample(np.random.default_rng(2)).scene


def nested() -> Scene:
    """Objects of objects in odd names, half-filled shapes, one wholly hidden, on a ground with a gradient."""
    hull = shape("square", 60, 50, 40, 20, 20, 1, filled=0.5, thickness=0.2)
    mast = shape("triangle", 70, 35, 30, 36, -15, 2, blue=0.8)
    boat = whole("boat", hull, mast, turn=20)
    dot = shape("circle", 120, 70, 6, 6, 0, 4)
    moon = shape("circle", 120, 70, 34, 20, 30, 5, filled=0.0, thickness=0.3, green=1.0)
    lid = shape("circle", 120, 70, 16, 16, 0, 6, red=0.1)
    harbour = whole(ODD, boat, whole("eye", dot, moon, lid), turn=-40.0, **{"very <wet>": 0.3, "p": 0.2})
    ramp = np.linspace((20, 60, 90), (200, 180, 60), 160)
    background = np.broadcast_to(ramp, (110, 160, 3)).astype(np.uint8)
    return Scene(160, 110, [harbour, shape("triangle", 20, 90, 20, 14, 170, 0, thickness=0.25)], background)


def interleaved() -> Scene:
    """Two pairs of bars, woven: each pair lies over the other at one crossing and under it at the next."""
    across = whole(
        "across",
        shape("square", 50, 30, 90, 12, 0, 0, red=1.0, green=0.0, blue=0.0),
        shape("square", 50, 70, 90, 12, 0, 2, red=1.0, green=0.6, blue=0.0),
    )
    down = whole(
        "down",
        shape("square", 30, 50, 12, 90, 0, 1, red=0.0, green=0.0, blue=1.0),
        shape("square", 70, 50, 12, 90, 0, 3, red=0.0, green=0.8, blue=1.0, filled=0.0, thickness=0.4),
    )
    return Scene(100, 100, [across, down], (255, 255, 255))


S_CURVE = (-1.0, 1.0, -0.4, -3.4, 0.4, 3.4, 1.0, -1.0)
HEXAGON = (0.0, 1.0, 0.0, 0.0, 0.5, 1.0, 0.0, -0.5, 1.0, 0.0, -1.0, 0.0, 0.0, -0.5, -1.0, 4.0, 0.5, -1.0)
CORNER = (0.0, -1.0, -1.0, 0.0, 0.0, 1.0, 8.0, 1.0, -1.0)
RING = (1.0, -1.0, 0.0, 1.0, 5.0, 1.0, 0.0, 1.0, 1.0, -0.4, 0.0, 1.0, 5.0, 0.4, 0.0, 1.0)
FAN = (1.0, -1.0, 0.0, 0.6, 0.0, 1.0, 0.0, 6.0, 0.5, 1.0, 0.2, 0.5, -1.0, 0.8)
"""Forms: a curve; paths of straight pieces, closed and open; two circles; an arc, a line and a cubic."""


def formed(node: Observation, form: tuple[float, ...]) -> Observation:
    node.form = form
    return node


def strokes() -> Scene:
    """Lines, arcs, curves and paths, filled, stroked and both, and a box with round corners."""
    line = {"filled": 0.0, "thickness": 0.1}
    axioms = [
        shape("edge", 30, 20, 40, 4, 30, 0, cap=1.0),
        shape("edge", 80, 20, 40, 4, -30, 1, cap=0.0),
        shape("edge", 125, 24, 30, 8, 0, 2, cap=1.0, thickness=0.3, stroke_red=0.0),
        shape("arc", 30, 60, 30, 30, 0, 3, start=0.1, sweep=0.5, **line),
        shape("arc", 80, 60, 40, 20, 25, 4, start=0.3, sweep=0.7, **line),
        formed(shape("curve", 130, 60, 40, 30, 10, 5, **line), S_CURVE),
        formed(shape("path", 30, 100, 30, 26, 10, 6), HEXAGON),
        formed(shape("path", 80, 100, 30, 26, 10, 7, **line), HEXAGON),
        formed(shape("path", 130, 100, 30, 30, 10, 8, thickness=0.1), CORNER),
        formed(shape("path", 30, 140, 30, 30, 0, 9), RING),
        formed(shape("path", 80, 140, 40, 30, 0, 10, thickness=0.05, stroke_red=0.0), FAN),
        shape("square", 130, 140, 30, 20, 20, 11, corner=0.6),
        shape("square", 170, 140, 20, 30, 90, 12, corner=1.0, **line),
    ]
    return Scene(200, 170, axioms, (255, 255, 255))


def empty() -> Scene:
    return Scene(40, 30, [], (7, 8, 9))


MAKERS: list[Callable[[], Scene]] = [asteroids, overlapping, nested, interleaved, strokes, empty]


@pytest.fixture(params=MAKERS, ids=lambda maker: maker.__name__)
def scene(request: pytest.FixtureRequest) -> Scene:
    """Each of the scenes above, fresh."""
    made: Scene = request.param()
    return made


@pytest.fixture
def nest() -> Scene:
    """The scene with objects of objects."""
    return nested()


@pytest.fixture
def weave() -> Scene:
    """The scene of which no tree can be painted after the other."""
    return interleaved()


@pytest.fixture
def lines() -> Scene:
    """The scene of strokes and paths."""
    return strokes()


@pytest.fixture
def odd() -> str:
    """The name that no format should choke on."""
    return ODD


@pytest.fixture(scope="session")
def seen() -> list[Scene]:
    """Two pictures as they are really seen: primitives only, and with an object that was taught."""
    brain = unrender.open()
    ship = brain.see(PICTURES / "ship.png")
    brain.teach(ship, "ship")
    return [ship, brain.see(PICTURES / "asteroids.png")]


def washer(
    x: Doubles, y: Doubles, a: Doubles, b: Doubles, own: Doubles, signed: Doubles, nx: Doubles, ny: Doubles
) -> None:
    """A disc with a hole, for round boxes."""
    for i in range(x.shape[0]):
        radius = min(a[i], b[i])
        hole = own[i, 0] * radius
        for j in range(x.shape[1]):
            off = max((x[i, j] ** 2 + y[i, j] ** 2) ** 0.5, 1e-9)
            outside = off - radius > hole - off
            sign = 1.0 if outside else -1.0
            signed[i, j] = off - radius if outside else hole - off
            nx[i, j], ny[i, j] = sign * x[i, j] / off, sign * y[i, j] / off


@pytest.fixture
def holed() -> Iterator[Scene]:
    """A scene with a primitive that no exporter has heard of: two of [washer], one of them outlined."""
    register(Primitive("washer", washer, Symmetry(even=0), own=(Attribute("hole", default=0.5),)))
    yield Scene(
        120,
        80,
        [
            shape("washer", 40, 40, 60, 60, 20, 0),
            shape("washer", 85, 40, 50, 50, 0, 1, hole=0.6, filled=0.0, thickness=0.08, green=0.9),
        ],
        (40, 40, 40),
    )
    del registry._REGISTRY["washer"]
