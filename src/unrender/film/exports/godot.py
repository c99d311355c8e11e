"""A scene of Godot 4 with an AnimationPlayer that plays the film."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from unrender.exports.godot import number, text, vector
from unrender.exports.godot import tscn as scene_tscn
from unrender.exports.names import numbered
from unrender.film.exports.layers import AnimatedLayer, animated_layers
from unrender.film.film import Film
from unrender.film.motion.keyframes import Keyframes
from unrender.scene import Observation, Scene

FINER = 3  # values between two keyframes that are eased: Godot knows other curves
UNIT = 64.0  # px: an object with sides of this length has the scale 1

Told = Callable[[Sequence[float]], str]


def tscn(film: Film) -> str:
    """The film as text that Godot 4 opens: a node for each primitive, and the animation "film"."""
    layers = animated_layers(film)
    leaves = [_first(own, depth) for depth, own in enumerate(layers)]
    made = scene_tscn(Scene(film.width, film.height, leaves, film.scenes[0].background), "film")
    still = made if isinstance(made, str) else made.decode()
    header, rest = still.split("\n", 1)
    at = rest.index('[node name="film"')
    names = numbered(leaf.symbol for leaf in leaves)
    rows = [row for own, name in zip(layers, names, strict=True) for row in _tracks(film, own, name)]
    tracks = [line for k, row in enumerate(rows) for line in _track_lines(k, *row)]
    if "load_steps=" not in header:
        header = header.replace("[gd_scene ", "[gd_scene load_steps=3 ")
    animation = [
        '[sub_resource type="Animation" id="film"]',
        'resource_name = "film"',
        f"length = {number(film.seconds)}",
        "loop_mode = 1",
        f"step = {number(1 / film.fps)}",
        *tracks,
        "",
        '[sub_resource type="AnimationLibrary" id="library"]',
        '_data = {\n"film": SubResource("film")\n}',
        "",
    ]
    player = (
        '\n[node name="AnimationPlayer" type="AnimationPlayer" parent="."]\n'
        'libraries = {\n"": SubResource("library")\n}\nautoplay = "film"\n'
    )
    return "\n".join([header, rest[:at], *animation, rest[at:].rstrip("\n")]) + "\n" + player


def _first(own: AnimatedLayer, depth: int) -> Observation:
    """A layer where it first is."""
    x, y = own.position.keys[0].value
    return replace(own.leaf, position=(x, y), rotation=own.rotation.keys[0].value[0], depth=depth)


Row = tuple[str, list[tuple[float, str]], int]  # path of the property, values at seconds, update mode


def _tracks(film: Film, own: AnimatedLayer, name: str) -> list[Row]:
    unit = math.sqrt(own.leaf.size[0] * own.leaf.size[1]) / UNIT
    found: list[Row] = []
    channels: list[tuple[Keyframes, str, Told]] = [
        (own.position, "position", lambda v: vector(v[0], v[1])),
        (own.rotation, "rotation", lambda v: number(math.radians(v[0]))),
        (own.scale, "scale", lambda v: vector(unit * v[0], unit * v[1])),
    ]
    for keys, kind, told in channels:
        if len(keys.keys) > 1:
            found.append((f"{name}:{kind}", _values(film, keys, told), 0))
    if own.stretches != [(0, len(film))]:
        ends = [*film.times, film.seconds]
        rows = [] if own.frames[0] == 0 else [(0.0, "false")]
        for first, last in own.stretches:
            rows += [(ends[first], "true"), (ends[last], "false")]
        found.append((f"{name}:visible", rows, 1))
    return found


def _values(film: Film, keys: Keyframes, told: Told) -> list[tuple[float, str]]:
    """Values at times in seconds; what is eased is told by several that lie on its curve."""
    times: list[float] = []
    for key, after in zip(keys.keys, keys.keys[1:], strict=False):
        times.append(key.time)
        if key.easing.name == "hold":
            times.append(after.time - 1e-3)
        elif key.easing.name != "linear":
            count = max(FINER, int(after.time - key.time))
            times += [key.time + k * (after.time - key.time) / count for k in range(1, count)]
    times.append(keys.keys[-1].time)
    return [
        (time / film.fps, told(value.tolist()))
        for time, value in zip(times, keys.at(np.array(times)), strict=True)
    ]


def _track_lines(k: int, path: str, rows: Sequence[tuple[float, str]], update: int) -> list[str]:
    times = ", ".join(f"{time:.6g}" for time, _ in rows)
    ones = ", ".join("1" for _ in rows)
    values = ", ".join(value for _, value in rows)
    keys = (
        f'{{\n"times": PackedFloat32Array({times}),\n"transitions": PackedFloat32Array({ones}),\n'
        f'"update": {update},\n"values": [{values}]\n}}'
    )
    return [
        f'tracks/{k}/type = "value"',
        f"tracks/{k}/imported = false",
        f"tracks/{k}/enabled = true",
        f"tracks/{k}/path = NodePath({text(path)})",
        f"tracks/{k}/interp = 1",
        f"tracks/{k}/loop_wrap = false",
        f"tracks/{k}/keys = {keys}",
    ]
