"""Omniglot: alphabets that twenty people each drew, from its zip files, and runs of one-shot naming."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from unrender.errors import UnrenderError
from unrender.matching.lines import lines_of
from unrender.scene.line import Line

KNOWN = 20  # characters of a run, or all of an alphabet that has fewer
Pixels = NDArray[np.uint8]
Alphabets = Mapping[str, list[list[Pixels]]]  # the drawings of every character, by every person


@dataclass(frozen=True)
class Run:
    """Characters of one alphabet, drawn once by one person to be known and once by another to be named."""

    alphabet: str
    characters: tuple[int, ...]
    teacher: int
    writer: int


def alphabets(folder: Path) -> Alphabets:
    """All alphabets in the zip files of a folder, each once."""
    archives = sorted(folder.glob("images_background*.zip"))
    if not archives:
        raise UnrenderError(f'There are no files "images_background*.zip" of Omniglot in "{folder}".')
    found: dict[str, dict[str, list[Pixels]]] = {}
    for archive in archives:
        with zipfile.ZipFile(archive) as images:
            own: dict[str, dict[str, list[Pixels]]] = {}
            for name in sorted(n for n in images.namelist() if n.endswith(".png") and "__MACOSX" not in n):
                _, alphabet, character, _ = name.split("/")
                if alphabet not in found:
                    with Image.open(io.BytesIO(images.read(name))) as file:
                        drawings = own.setdefault(alphabet, {}).setdefault(character, [])
                        drawings.append(np.asarray(file.convert("L")))
        found |= own
    return {name: [own[character] for character in sorted(own)] for name, own in found.items()}


def invented(rng: Generator, characters: int = 5, people: int = 4) -> Alphabets:
    """Two alphabets of random strokes, by people who turn and stretch them: small, to try things out."""
    found: dict[str, list[list[Pixels]]] = {}
    hands = np.eye(2) + 0.1 * rng.standard_normal((people, 2, 2))
    for name in ("first", "second"):
        strokes = rng.uniform(-1, 1, (characters, 2, 3, 2))  # two of three points each
        found[name] = [[_written(own @ hand) for hand in hands] for own in strokes]
    return found


def _written(strokes: NDArray[np.float64]) -> Pixels:
    image = Image.new("L", (105, 105), 255)
    for points in strokes:
        ImageDraw.Draw(image).line([(float(x), float(y)) for x, y in 52 + 32 * points], 0, 3)
    return np.asarray(image)


def runs(drawn: Alphabets, alphabet: str, rng: Generator, count: int) -> list[Run]:
    """Random ones. Everybody teaches and writes about as often: some people drew something else, and whether
    they are among few runs would decide more than all else."""
    made: list[Run] = []
    while len(made) < count:
        order = rng.permutation(len(drawn[alphabet][0])).tolist()
        for teacher, writer in zip(order, order[1:] + order[:1], strict=True):
            characters = tuple(rng.permutation(len(drawn[alphabet]))[:KNOWN].tolist())
            made.append(Run(alphabet, characters, teacher, writer))
    return made[:count]


def drawn_lines(image: Pixels) -> list[Line]:
    """The lines of a drawing (H, W), black on white."""
    return lines_of(np.repeat(image[:, :, None], 3, 2).astype(np.float32) / 255)
