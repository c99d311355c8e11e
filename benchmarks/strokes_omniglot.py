"""Characters drawn by hand, from the zip files of Omniglot: images, and the strokes as they were drawn."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from counting import mean
from numpy.random import Generator
from PIL import Image
from report import Goal
from report import Line as Row
from strokes_icons import Case, Pixels
from strokes_measuring import Measured, ours_alone
from strokes_paths import Line
from strokes_sight import scene_lines

from unrender.errors import UnrenderError

NEAR = 2.0  # px: hands are not more exact
SIDE = 105  # px


@dataclass(frozen=True)
class Character:
    """An image, and each stroke from pen down to pen up."""

    name: str
    image: Pixels
    strokes: list[Line]


def characters(folder: Path, rng: Generator, count: int) -> list[Character]:
    """Random ones of all alphabets."""
    archives = sorted(folder.glob("images_background*.zip"))
    if not archives:
        raise UnrenderError(f'There are no files "images_background*.zip" of Omniglot in "{folder}".')
    found = []
    for k in range(count):
        archive = archives[k % len(archives)]
        strokes = archive.with_name(archive.name.replace("images", "strokes", 1))
        with zipfile.ZipFile(archive) as images, zipfile.ZipFile(strokes) as motor:
            names = sorted(n for n in images.namelist() if n.endswith(".png") and "__MACOSX" not in n)
            name = names[int(rng.integers(len(names)))]
            with Image.open(io.BytesIO(images.read(name))) as file:
                image = np.asarray(file.convert("RGB"))
            text = motor.read(name.replace("images", "strokes", 1).replace(".png", ".txt")).decode("ascii")
        found.append(Character(name.removesuffix(".png"), image, recorded(text)))
    return found


def recorded(text: str) -> list[Line]:
    """The strokes of a file: lines "x,y,time" between START and BREAK; y grows upwards there."""
    strokes: list[list[tuple[float, float]]] = [[]]
    for row in text.split():
        if row == "BREAK":
            strokes.append([])
        elif row != "START":
            x, y, _ = (float(value) for value in row.split(","))
            strokes[-1].append((x + 0.5, 0.5 - y))  # the middle of a pixel
    lines = []
    for stroke in strokes:
        if stroke:
            points = np.array(stroke if len(stroke) > 1 else stroke * 2)
            lines.append(Line(points, False, points[[0, -1]]))
    return lines


def omniglot_row(brain: Any, folder: Path, rng: Generator, count: int) -> tuple[list[Row], list[Measured]]:
    """Points along told and recorded strokes, and how many strokes there are; every character too."""
    many, off = [], []
    for one in characters(folder, rng, count):
        scene = brain.see(one.image)
        case = Case(one.name, one.image, (), 0)
        many.append(ours_alone(case, scene, scene_lines(scene), one.strokes, NEAR))
        off.append(abs(len(scene.primitives) - len(one.strokes)))
    goals: list[Goal[Sequence[Measured]]] = [
        Goal("told points within 2 px", 0.97, lambda m: mean([one.ours.lines.precision for one in m])),
        Goal("drawn points within 2 px", 0.97, lambda m: mean([one.ours.lines.recall for one in m])),
        Goal("number of strokes right", 0.55, lambda m: mean([float(far == 0) for far in off])),
        Goal("number of strokes within one", 0.9, lambda m: mean([float(far <= 1) for far in off])),
    ]
    names = [f"characters drawn by hand ({count})", "", "", ""]
    return [goal.line(name, many) for name, goal in zip(names, goals, strict=True)], many
