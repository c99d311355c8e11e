"""Animated layers: every primitive of a film, with keyframes of its pose and colours and when it shows."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from unrender.film.film import Film
from unrender.film.motion.keyframes import Keyframe, Keyframes, keyframes
from unrender.film.velocity import everyone, headings
from unrender.grammar.attribute import COLOUR_NAMES, STROKE_NAMES
from unrender.scene import Observation
from unrender.scene.pixels import symmetry

Array = NDArray[np.float64]

EXACT = {"position": 0.04, "rotation": 0.25, "scale": 0.004, "colour": 0.006}  # px, degrees, shares
OBLONG = 0.1  # log of width / height, from which on sides can be told apart
MORPHED = 0.12  # of its size: how much a form may change before another layer is begun


@dataclass(frozen=True, eq=False)
class AnimatedLayer:
    """One primitive through the film."""

    name: str
    leaf: Observation  # at the origin, not turned, of its first size
    frames: tuple[int, ...]  # in which it shows
    position: Keyframes  # px
    rotation: Keyframes  # degrees
    scale: Keyframes  # of its first size
    colour: Keyframes  # red, green, blue of the inside, then of the stroke
    depth: float  # its mean rank in the painting order

    @property
    def stretches(self) -> list[tuple[int, int]]:
        """First frame and the one behind the last of each time that it shows."""
        found: list[tuple[int, int]] = []
        for frame in self.frames:
            if found and found[-1][1] == frame:
                found[-1] = (found[-1][0], frame + 1)
            else:
                found.append((frame, frame + 1))
        return found


def animated_layers(film: Film) -> list[AnimatedLayer]:
    """All primitives of a film, back to front."""
    made = []
    for track in everyone(film):
        seen = {frame: node for frame, node in track.observations.items() if not node.parts}
        for k, run in enumerate(_runs(seen)):
            symbol = next(iter(run.values())).symbol
            made.append(_layer(film, f"{symbol} {track.number}" + f".{k}" * (k > 0), run))
    return sorted(made, key=lambda layer: layer.depth)


def _runs(seen: dict[int, Observation]) -> Iterator[dict[int, Observation]]:
    """Sightings of one shape: another symbol or form is another run."""
    left = dict(seen)
    while left:
        first = next(iter(left.values()))
        run = {frame: node for frame, node in left.items() if _alike(first, node)}
        left = {frame: node for frame, node in left.items() if frame not in run}
        yield run


def _alike(one: Observation, other: Observation) -> bool:
    if one.symbol != other.symbol or (one.form is None) != (other.form is None):
        return False
    if one.form is None or other.form is None:
        return abs(one.attributes.get("filled", 1) - other.attributes.get("filled", 1)) < 0.5
    return (
        len(one.form) == len(other.form) and float(np.abs(np.subtract(one.form, other.form)).max()) < MORPHED
    )


def _layer(film: Film, name: str, seen: dict[int, Observation]) -> AnimatedLayer:
    nodes, frames = list(seen.values()), list(seen)
    times = np.array(film.times)[frames] * film.fps
    sizes, turns = _upright(nodes)
    first = replace(
        nodes[0], position=(0.0, 0.0), rotation=0.0, size=(float(sizes[0, 0]), float(sizes[0, 1])),
        attributes=_usual(nodes), scene=None,
    )  # fmt: skip
    colours = [[node.attributes.get(key, 0.0) for key in (*COLOUR_NAMES, *STROKE_NAMES)] for node in nodes]
    places = np.array([node.position for node in nodes], float)
    return AnimatedLayer(
        name,
        first,
        tuple(frames),
        _keys(times, places, "position"),
        _keys(times, turns[:, None], "rotation"),
        _keys(times, sizes / sizes[0], "scale"),
        _keys(times, np.array(colours), "colour"),
        float(np.mean([node.depth or 0 for node in nodes])),
    )


def _usual(nodes: Sequence[Observation]) -> dict[str, float]:
    """The median of every attribute."""
    names = nodes[0].attributes.keys()
    return {name: float(np.median([node.attributes.get(name, 0.0) for node in nodes])) for name in names}


def _upright(nodes: Sequence[Observation]) -> tuple[Array, Array]:
    """Sizes (N, 2) and rotations (N,) without jumps: a quarter turn may exchange width and height."""
    sizes = np.array([node.size for node in nodes], float).clip(1e-3)
    if symmetry(nodes[0].symbol).swaps:
        tall = math.log(sizes[0, 0] / sizes[0, 1])
        for k in range(1, len(sizes)):
            own = math.log(sizes[k, 0] / sizes[k, 1])
            if abs(tall) > OBLONG and abs(own) > OBLONG and tall * own < 0:
                sizes[k] = sizes[k, ::-1]
    return sizes, headings(nodes)


def _keys(times: Array, values: Array, kind: str) -> Keyframes:
    sigma = EXACT[kind]
    if float(np.ptp(values, axis=0).max()) < 3 * sigma:
        return Keyframes((Keyframe(float(times[0]), tuple(np.median(values, axis=0).tolist())),))
    found = keyframes(times, values, sigma)
    if any(key.bend for key in found.keys):
        return _baked(found, times)
    return found


def _baked(told: Keyframes, times: Array) -> Keyframes:
    """Keyframes without parabolas, which files cannot hold: those are told frame by frame."""
    keys: list[Keyframe] = []
    ends = [key.time for key in told.keys[1:]] + [math.inf]
    for key, end in zip(told.keys, ends, strict=True):
        if not key.bend:
            keys.append(key)
            continue
        inner = times[(times >= key.time) & (times < end)]
        keys += [
            Keyframe(float(time), tuple(value.tolist()))
            for time, value in zip(inner, told.at(inner), strict=True)
        ]
    return Keyframes(tuple(keys), told.bits)
