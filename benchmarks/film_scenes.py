"""Films of moving shapes with their truth: simulated by pymunk, drawn by Pillow."""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import pymunk
from numpy.typing import NDArray
from PIL import Image, ImageDraw

Frame = NDArray[np.uint8]

FINER = 8  # times the pixels that Pillow draws
STEPS = 8  # of the simulation in a frame
CORNERS = {"square": 4, "triangle": 3, "pentagon": 5}


@dataclass(frozen=True)
class Body:
    """One thing that moves, or stands."""

    kind: str  # circle, square, triangle, pentagon, box
    radius: float
    colour: tuple[int, int, int]
    size: tuple[float, float] | None = None  # of a box
    front: int = 0  # what is larger is painted later


@dataclass(frozen=True)
class Shot:
    """A film with its truth."""

    frames: list[Frame]
    bodies: Sequence[Body]
    places: NDArray[np.float64]  # (frames, bodies, 3): x, y, degrees
    static: frozenset[int] = field(default_factory=frozenset)  # bodies that stand

    def velocity(self, frame: int, body: int) -> NDArray[np.float64]:
        """(2,) px per frame, between the frames before and behind."""
        found: NDArray[np.float64] = (self.places[frame + 1, body, :2] - self.places[frame - 1, body, :2]) / 2
        return found


def draw(
    bodies: Sequence[Body], places: NDArray[np.float64], size: tuple[int, int], ground: tuple[int, int, int]
) -> Frame:
    """uint8 HxWx3: bodies (N) at x, y, degrees (N, 3)."""
    image = Image.new("RGB", (size[0] * FINER, size[1] * FINER), ground)
    pen = ImageDraw.Draw(image)
    order = sorted(range(len(bodies)), key=lambda k: bodies[k].front)
    for k in order:
        body, (x, y, turn) = bodies[k], places[k]
        if body.kind == "circle":
            r = body.radius
            pen.ellipse([(v * FINER) for v in (x - r, y - r, x + r, y + r)], fill=body.colour)
            continue
        pen.polygon(
            [((x + u) * FINER, (y + v) * FINER) for u, v in _corners(body, math.radians(turn))],
            fill=body.colour,
        )
    return np.asarray(image.resize(size, Image.Resampling.BOX))


def _corners(body: Body, turn: float) -> Iterator[tuple[float, float]]:
    if body.size is not None:
        w, h = body.size[0] / 2, body.size[1] / 2
        for u, v in ((-w, -h), (w, -h), (w, h), (-w, h)):
            yield u * math.cos(turn) - v * math.sin(turn), u * math.sin(turn) + v * math.cos(turn)
        return
    n = CORNERS[body.kind]
    for k in range(n):
        angle = turn + 2 * math.pi * k / n
        yield body.radius * math.cos(angle), body.radius * math.sin(angle)


def colours(rng: np.random.Generator, count: int, alike: bool = False) -> list[tuple[int, int, int]]:
    """Colours that differ from the dark ground, and from one another unless all are to be alike."""
    import colorsys

    start = rng.uniform()
    found = []
    for k in range(count):
        hue = start if alike else (start + k / count) % 1
        r, g, b = colorsys.hsv_to_rgb(hue, rng.uniform(0.5, 0.9) if not alike else 0.7, 0.95)
        found.append((int(255 * r), int(255 * g), int(255 * b)))
    return found


def separate(rng: np.random.Generator, frames: int, size: tuple[int, int] = (160, 120)) -> Shot:
    """Five shapes, each in its own lane, going to and fro."""
    kinds = ["circle", "square", "triangle", "circle", "square"]
    tones = colours(rng, 5)
    lanes = [(k + 0.5) * size[1] / 5 for k in range(5)]
    bodies = [Body(kind, rng.uniform(6, 9), tone) for kind, tone in zip(kinds, tones, strict=True)]
    x = rng.uniform(30, size[0] - 30, 5)
    speed = rng.uniform(0.5, 2.5, 5) * rng.choice([-1, 1], 5)
    spin = rng.uniform(-4, 4, 5)
    t = np.arange(frames)
    span = size[0] - 24
    across = np.abs((x[None] - 12 + speed[None] * t[:, None]) % (2 * span) - span)
    places = np.stack([12 + span - across, np.tile(lanes, (frames, 1)), t[:, None] * spin], -1)
    return _shot(bodies, places, size, rng)


def crossing(
    rng: np.random.Generator, frames: int, alike: bool = True, size: tuple[int, int] = (160, 120)
) -> Shot:
    """Four shapes of one kind and colour that pass over one another on straight lines, again and again."""
    kind = str(rng.choice(["circle", "square", "triangle"]))
    tones = colours(rng, 4, alike)
    radius = rng.uniform(6, 9)
    bodies = [Body(kind, radius, tone, front=k) for k, tone in enumerate(tones)]
    place = rng.uniform([14, 14], [size[0] - 14, size[1] - 14], (4, 2))
    heading = rng.uniform(0, 2 * math.pi, 4)
    speed = rng.uniform(1.2, 3.0, 4)
    step = np.stack([np.cos(heading) * speed, np.sin(heading) * speed], -1)
    t = np.arange(frames)[:, None, None]
    span = np.array(size) - 24
    gone = (place[None] - 12 + step[None] * t) % (2 * span)
    at = 12 + span - np.abs(gone - span)
    turn = rng.uniform(-3, 3, 4)[None] * np.arange(frames)[:, None] + rng.uniform(0, 90, 4)
    return _shot(bodies, np.concatenate([at, turn[..., None]], -1), size, rng)


def behind(
    rng: np.random.Generator, frames: int, alike: bool = True, size: tuple[int, int] = (160, 120)
) -> Shot:
    """Three shapes, alike or not, that pass behind a wall and behind a post."""
    tones = colours(rng, 3, alike)
    kind = str(rng.choice(["circle", "square"]))
    radius = rng.uniform(6, 8)
    movers = [Body(kind, radius, tone) for tone in tones]
    wall = Body("box", 0, (150, 150, 155), (rng.uniform(24, 34), size[1] - 16), front=5)
    post = Body("box", 0, (120, 110, 100), (rng.uniform(8, 12), size[1] - 16), front=5)
    x = np.array([rng.uniform(14, 40), rng.uniform(120, 146), rng.uniform(14, 40)])
    speed = rng.uniform(1.4, 2.6, 3) * np.array([1, -1, 1])
    y0 = np.array([28, 60, 92]) + rng.uniform(-6, 6, 3)
    slope = rng.uniform(-0.15, 0.15, 3)
    t = np.arange(frames)[:, None]
    span = size[0] - 24
    gone = (x[None] - 12 + speed[None] * t) % (2 * span)
    at = 12 + span - np.abs(gone - span)
    tall = y0[None] + slope[None] * t
    stand = np.array([[64 + rng.uniform(-6, 6), size[1] / 2], [112 + rng.uniform(-4, 4), size[1] / 2]])
    places = np.zeros((frames, 5, 3))
    places[:, :3, 0], places[:, :3, 1] = at, tall
    places[:, 3:, :2] = stand[None]
    return _shot([*movers, wall, post], places, size, rng, frozenset({3, 4}))


def falling(rng: np.random.Generator, frames: int, size: tuple[int, int] = (160, 120)) -> Shot:
    """Balls and boxes that fall, bounce and push one another: pymunk, gravity in px per frame²."""
    space = pymunk.Space()
    space.gravity = (0, rng.uniform(0.1, 0.3))
    wide, tall = size
    for a, b in (((0, tall), (wide, tall)), ((0, -200), (0, tall)), ((wide, -200), (wide, tall))):
        wall = pymunk.Segment(space.static_body, a, b, 1)
        wall.elasticity, wall.friction = 0.8, 0.3
        space.add(wall)
    kinds = ["circle", "circle", "square", "circle", "square"][: rng.integers(3, 6)]
    tones = colours(rng, len(kinds))
    bodies, bound = [], []
    for k, (kind, tone) in enumerate(zip(kinds, tones, strict=True)):
        r = rng.uniform(6, 9)
        mass = r * r
        body = pymunk.Body(mass, mass * r * r / 2)
        body.position = ((k + 0.5) * wide / len(kinds) + rng.uniform(-3, 3), rng.uniform(15, 50))
        body.velocity = (rng.uniform(-2, 2), rng.uniform(-1, 1))
        own = Body(kind, r, tone)
        shape = pymunk.Circle(body, r) if kind == "circle" else pymunk.Poly(body, list(_corners(own, 0.0)))
        shape.elasticity, shape.friction = 0.8, 0.3
        space.add(body, shape)
        bodies.append(own)
        bound.append(body)
    places = np.zeros((frames, len(bodies), 3))
    for t in range(frames):
        places[t] = [(b.position.x, b.position.y, math.degrees(b.angle)) for b in bound]
        for _ in range(STEPS):
            space.step(1 / STEPS)
    return _shot(bodies, places, size, rng)


def _shot(
    bodies: Sequence[Body],
    places: NDArray[np.float64],
    size: tuple[int, int],
    rng: np.random.Generator,
    static: frozenset[int] = frozenset(),
) -> Shot:
    ground = tuple(int(v) for v in rng.integers(10, 50, 3))
    frames = [draw(bodies, row, size, (ground[0], ground[1], ground[2])) for row in places]
    return Shot(frames, bodies, places, static)


Spoiler = Callable[[Sequence[Frame], np.random.Generator], list[Frame]]


def noisy(frames: Sequence[Frame], rng: np.random.Generator) -> list[Frame]:
    """Noise of 0.03."""
    return [
        (frame + rng.normal(0, 0.03 * 255, frame.shape)).round().clip(0, 255).astype(np.uint8)
        for frame in frames
    ]


def jpeg(quality: int) -> Spoiler:
    """Every frame through a JPEG file."""

    def spoil(frames: Sequence[Frame], rng: np.random.Generator) -> list[Frame]:
        found = []
        for frame in frames:
            file = io.BytesIO()
            Image.fromarray(frame).save(file, "JPEG", quality=quality)
            found.append(np.asarray(Image.open(file).convert("RGB")))
        return found

    return spoil


def h264(frames: Sequence[Frame], rng: np.random.Generator) -> list[Frame]:
    """All frames through an H.264 video."""
    import av

    file = io.BytesIO()
    with av.open(file, "w", format="mp4") as container:
        stream = container.add_stream("libx264", rate=30)
        stream.height, stream.width = frames[0].shape[:2]
        stream.pix_fmt, stream.options = "yuv420p", {"crf": "18"}
        for frame in frames:
            container.mux(
                stream.encode(av.VideoFrame.from_ndarray(np.ascontiguousarray(frame), format="rgb24"))
            )
        container.mux(stream.encode())
    file.seek(0)
    with av.open(file, "r") as container:
        return [np.asarray(frame.to_ndarray(format="rgb24")) for frame in container.decode(video=0)]


SPOILERS: dict[str, Spoiler | None] = {
    "clean": None,
    "noise 0.03": noisy,
    "JPEG 85": jpeg(85),
    "JPEG 75": jpeg(75),
    "H.264": h264,
}
