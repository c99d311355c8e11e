"""Line drawings of our own: polygons, polylines, arcs, Bézier curves, and frames of a vector game."""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.random import Generator
from PIL import Image, ImageDraw
from strokes_icons import Case, Pixels
from strokes_painting import painted
from strokes_paths import Floats, Line, laid, subpaths
from strokes_svg import Mark

SIDE = 128  # px
FRAME = 256  # px, of a game
NOISE = 0.03  # standard deviation, of 1
QUALITY = 90  # of JPEG
SHARP = 30.0  # degrees by which a polygon turns at least at each corner
SAMPLES = 16  # a pixel and axis, where Pillow draws
CONTRAST = 100  # levels at least, in the channel that differs most
Colour = tuple[int, int, int]


@dataclass(frozen=True)
class Sketch:
    """Path data with how it is painted."""

    data: str
    width: float = 0.0  # px; 0: filled

    @property
    def mark(self) -> Mark:
        return Mark(tuple(laid(one) for one in subpaths(self.data)), self.width)

    @property
    def numbers(self) -> int:
        return sum(one.numbers for one in subpaths(self.data)) + (self.width > 0)


def told(points: Floats, closed: bool) -> str:
    """Points (N, 2) as path data."""
    return "M " + " L ".join(f"{x:.3f} {y:.3f}" for x, y in points) + (" Z" if closed else "")


def polygon(rng: Generator, centre: Floats, reach: float) -> str:
    """Three to eight corners around a centre, none of them nearly straight."""
    while True:
        count = int(rng.integers(3, 9))
        turns = (np.arange(count) + rng.uniform(-0.25, 0.25, count) + rng.uniform()) * math.tau / count
        away = reach * rng.uniform(0.55, 1.0, count)
        points = np.stack([away * np.cos(turns), away * np.sin(turns)], 1)
        x, y = (points - np.roll(points, 1, 0)).T
        bends = np.diff(np.arctan2(y, x), append=math.atan2(y[0], x[0]))
        if np.abs((bends + math.pi) % math.tau - math.pi).min() > math.radians(SHARP):
            return told(centre + points, True)


def polyline(rng: Generator, centre: Floats, reach: float) -> str:
    """Two to five straight pieces, each of which turns by 30 to 120 degrees and comes near no other."""
    for _ in range(1000):
        count = int(rng.integers(2, 6))
        turns = rng.uniform(30, 120, count) * rng.choice([-1, 1], count)
        angles = np.radians(rng.uniform(0, 360) + np.cumsum(turns))
        steps = rng.uniform(0.5, 1.2, count)[:, None] * np.stack([np.cos(angles), np.sin(angles)], 1)
        points = np.concatenate([[[0.0, 0.0]], np.cumsum(reach * steps, 0)])
        points += centre - (points.min(0) + points.max(0)) / 2
        line = Line(points, False, points)
        parts = [Line(points[k : k + 2], False, points[:0]).along(1.0) for k in range(count)]
        apart = [np.hypot(*(a[:, None] - b).T).min() for i, a in enumerate(parts) for b in parts[i + 2 :]]
        if np.abs(line.points - centre).max() <= reach and min(apart, default=reach) > reach / 3:
            return told(points, False)
    return edge(rng, centre, reach)


def edge(rng: Generator, centre: Floats, reach: float) -> str:
    """One straight stroke."""
    turn = rng.uniform(0, math.pi)
    half = reach * rng.uniform(0.4, 1.0) * np.array([math.cos(turn), math.sin(turn)])
    return told(np.stack([centre - half, centre + half]), False)


def arc(rng: Generator, centre: Floats, reach: float) -> str:
    """60 to 300 degrees of a circle."""
    radius, start, sweep = reach * rng.uniform(0.4, 1.0), rng.uniform(0, 360), rng.uniform(60, 300)
    (x, y), (u, v) = (
        centre + radius * np.array([math.cos(math.radians(a)), math.sin(math.radians(a))])
        for a in (start, start + sweep)
    )
    return f"M {x:.3f} {y:.3f} A {radius:.3f} {radius:.3f} 0 {int(sweep > 180)} 1 {u:.3f} {v:.3f}"


def bezier(rng: Generator, centre: Floats, reach: float) -> str:
    """A cubic from one side to the other, bent like a C or an S."""
    turn, bend = rng.uniform(0, math.tau), rng.uniform(0.4, 1.0, 2) * (1, rng.choice([-1, 1]))
    frame = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
    points = np.array([(-1.0, 0.0), (-0.4, bend[0]), (0.4, bend[1]), (1.0, 0.0)]) * 0.95 * reach
    p, q, r, s = (f"{x:.3f} {y:.3f}" for x, y in points @ frame.T + centre)
    return f"M {p} C {q} {r} {s}"


FORMS: tuple[Callable[[Generator, Floats, float], str], ...] = (polygon, polyline, arc, bezier)
STRAIGHT = (edge, polyline, polygon)


def cases(rng: Generator, count: int, forms: Sequence[Callable[..., str]] = FORMS) -> Iterator[Case]:
    """Four forms each, one in every quarter; strokes may reach into each other's, if nothing is filled."""
    for k in range(count):
        filled = bool(rng.integers(2))
        reach = 24.0 if filled or forms is STRAIGHT else 38.0
        sketches = []
        for quarter in range(4):
            form = forms[int(rng.integers(len(forms)))]
            centre = SIDE / 4 * np.array([1 + 2 * (quarter % 2), 1 + 2 * (quarter // 2)])
            inside = np.clip(centre, reach + 4, SIDE - reach - 4)
            width = 0.0 if filled and form is polygon else float(rng.uniform(1.5, 6.0))
            sketches.append(Sketch(form(rng, inside, reach), width))
        colour = _colour(rng, 90)
        yield case(f"{'Pillow' if k % 2 else 'cairo'} {k}", sketches, colour, (255, 255, 255), bool(k % 2))


def _colour(rng: Generator, below: int) -> Colour:
    red, green, blue = (int(value) for value in rng.integers(0, below, 3))
    return red, green, blue


def case(name: str, sketches: Sequence[Sketch], colour: Colour, ground: Colour, pillow: bool) -> Case:
    """Drawn by cairo or by Pillow."""
    marks = tuple(sketch.mark for sketch in sketches)
    draw = by_pillow if pillow else painted
    image = draw(marks, colour, ground, SIDE, SIDE)
    return Case(name, image, marks, sum(sketch.numbers for sketch in sketches), colour, ground)


def by_pillow(marks: Sequence[Mark], colour: Colour, ground: Colour, width: int, height: int) -> Pixels:
    """Marks with round ends and joins, from many samples a pixel."""
    mask = Image.new("L", (SAMPLES * width, SAMPLES * height))
    pen = ImageDraw.Draw(mask)
    for mark in marks:
        for line in mark.lines:
            points = SAMPLES * _thinned(line) - 0.5  # Pillow's whole numbers are the middles of pixels
            if mark.width == 0:
                pen.polygon([tuple(point) for point in points], fill=255)
                continue
            half = SAMPLES * mark.width / 2
            for a, b in pairwise(points):
                along = (b - a) / max(float(np.hypot(*(b - a))), 1e-9) * half
                side = np.array([-along[1], along[0]])
                pen.polygon([tuple(corner) for corner in (a - side, b - side, b + side, a + side)], fill=255)
            for x, y in points:
                pen.ellipse([x - half, y - half, x + half, y + half], fill=255)
    share = np.asarray(mask, float).reshape(height, SAMPLES, width, SAMPLES).mean((1, 3))[..., None] / 255
    mixed: Pixels = np.round(share * np.array(colour) + (1 - share) * np.array(ground)).astype(np.uint8)
    return mixed


def _thinned(line: Line) -> Floats:
    """Points half a pixel apart where it bends, and all of its corners."""
    gone = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(line.points, axis=0).T))])
    first = np.unique(np.floor(gone / 0.5), return_index=True)[1]
    sharp = [int(np.hypot(*(line.points - corner).T).argmin()) for corner in line.corners]
    kept: Floats = line.points[np.unique([*first, *sharp, len(gone) - 1])]
    return kept


# What may happen to a picture


def noisy(made: Case, rng: Generator) -> Case:
    grain = rng.normal(0, 255 * NOISE, made.image.shape)
    image = np.round(made.image + grain).clip(0, 255).astype(np.uint8)
    return replace(made, image=image, clean=made.image)


def compressed(made: Case, rng: Generator) -> Case:
    file = io.BytesIO()
    Image.fromarray(made.image).save(file, "JPEG", quality=QUALITY)
    with Image.open(file) as jpeg:
        return replace(made, image=np.asarray(jpeg.convert("RGB")), clean=made.image)


def grounded(made: Case, rng: Generator) -> Case:
    """In two random colours, as cairo draws it."""
    colour, ground = made.colour, made.colour
    while max(abs(a - b) for a, b in zip(colour, ground, strict=True)) < CONTRAST:
        colour, ground = _colour(rng, 256), _colour(rng, 256)
    image = painted(made.marks, colour, ground, SIDE, SIDE)
    return replace(made, image=image, colour=colour, ground=ground)


EFFECTS = {"noise": noisy, "JPEG": compressed, "grounds": grounded}


# A vector game


def frame(rng: Generator, index: int) -> tuple[Case, Floats]:
    """Rocks and a ship of lines of 1 px, by cairo or, without antialiasing, by Pillow; (N, 2) its dots."""
    spots = [(x, y) for x in (48, 128, 208) for y in (48, 128, 208)]
    order = rng.permutation(len(spots))
    sketches, whole = [], bool(index % 2)
    for k in order[:5]:
        centre = np.array(spots[k]) + rng.uniform(-8, 8, 2)
        sketches.append(_on_pixels(polygon(rng, centre, rng.uniform(14, 34)), whole))
    turn = math.radians(rng.uniform(0, 360))
    ship = 14 * np.array([(1.0, 0.0), (-0.8, 0.6), (-0.8, -0.6)])
    frame = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
    sketches.append(_on_pixels(told(ship @ frame.T + spots[order[5]], True), whole))
    dots = np.array([np.array(spots[k]) + np.round(rng.uniform(-10, 10, 2)) for k in order[6:9]])
    ink, ground = (255, 255, 255), (0, 0, 0)
    marks = tuple(replace(sketch.mark, cap="butt", join="miter") for sketch in sketches)
    image = (_aliased if whole else painted)(marks, ink, ground, FRAME, FRAME).copy()
    for x, y in dots.astype(int):
        image[y - 1 : y + 1, x - 1 : x + 1] = ink
    numbers = sum(sketch.numbers for sketch in sketches) + 3 * len(dots)
    return Case(f"{'Pillow' if whole else 'cairo'} {index}", image, marks, numbers, ink, ground), dots


def _on_pixels(data: str, whole: bool) -> Sketch:
    """A stroke of 1 px; whole: from middle to middle of pixels."""
    points = laid(subpaths(data)[0]).points[:-1]
    return Sketch(told(np.floor(points) + 0.5 if whole else points, True), 1.0)


def _aliased(marks: Sequence[Mark], colour: Colour, ground: Colour, width: int, height: int) -> Pixels:
    image = Image.new("RGB", (width, height), ground)
    pen = ImageDraw.Draw(image)
    for mark in marks:
        for line in mark.lines:
            pen.line([tuple(point) for point in np.floor(line.points).astype(int).tolist()], fill=colour)
    return np.asarray(image)
