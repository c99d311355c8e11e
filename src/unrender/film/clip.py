"""A clip: the frames of a video, an animation, a folder or a sequence of images, one at a time."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterable, Iterator, Sized
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from unrender.errors import UnrenderError
from unrender.film.video import Timed, animated_frames, is_animation, video_facts, video_frames
from unrender.paths import check_readable
from unrender.scene.picture import Picture, read_picture

FPS = 25.0  # frames a second where nothing tells it
SLOWEST, FASTEST = 1e-3, 1e5  # frames a second that are believed
PICTURES = (
    ".avif",
    ".bmp",
    ".gif",
    ".jp2",
    ".jpeg",
    ".jpg",
    ".png",
    ".ppm",
    ".tga",
    ".tif",
    ".tiff",
    ".webp",
)
LOSSY = (".jpeg", ".jpg")


@dataclass
class Clip:
    """Frames that are read as they are asked for. What could not be read is told in `notes`."""

    frames: Iterator[Timed]  # a picture and its time in seconds, or None where nothing tells it
    name: str
    rate: float | None = None  # frames a second: of sources that have no times
    length: int | None = None  # how many frames there are, if that is known beforehand
    lossy: bool = False  # whether compression has lost something, as far as the source tells
    notes: list[str] = field(default_factory=list)
    size: tuple[int, int] | None = None  # width and height of the first frame
    _other: int = 0

    def __iter__(self) -> Iterator[tuple[Picture, float | None]]:
        """Every frame that can be read and is as large as the first one."""
        count = 0
        try:
            for image, time in self.frames:
                try:
                    picture = read_picture(image)
                except UnrenderError as error:
                    if count == 0 and self.length in (None, 1):
                        raise
                    self.notes.append(f"A frame was left out: {error}")
                    continue
                wide, tall = picture.pixels.shape[1], picture.pixels.shape[0]
                self.size = self.size or (wide, tall)
                if (wide, tall) != self.size:
                    self._other += 1
                    continue
                count += 1
                yield picture, time
        except UnrenderError as error:
            if not count:
                raise
            self.notes.append(str(error))
        if not count:
            raise UnrenderError(f"{self.name} has no frames that can be read.")
        if self._other and self.size is not None:
            many = "1 frame was" if self._other == 1 else f"{self._other} frames were"
            self.notes.append(f"{many} left out that had another size than {self.size[0]}x{self.size[1]}.")


def clip_of(source: Any, fps: float | None = None) -> Clip:
    """The clip that a path (video, animation, picture or folder) or an iterable of images means; a clip means
    itself.

    fps: frames a second; of a source with times of its own, its frames are taken at this rate.
    """
    if fps is not None and not (isinstance(fps, (int, float)) and SLOWEST <= fps <= FASTEST):
        raise UnrenderError(f"The frames a second of a film must be a number above 0, not {fps!r}.")
    if isinstance(source, Clip):
        return source
    if isinstance(source, (str, os.PathLike)):
        path = Path(os.fsdecode(source))
        if path.is_dir():
            return _folder(path, fps)
        check_readable(path)
        return _file(path, fps)
    if isinstance(source, np.ndarray) and source.ndim < 4:
        raise UnrenderError("A film is made of several images: an array of them has 4 dimensions.")
    if not isinstance(source, Iterable):
        raise UnrenderError(
            f"A film is a video, a folder of frames, or images one after the other, not {source!r}."
        )
    length = len(source) if isinstance(source, Sized) else None
    return Clip(((image, None) for image in source), "This film", fps or FPS, length)


def _folder(path: Path, fps: float | None) -> Clip:
    files = [file for file in path.iterdir() if file.suffix.lower() in PICTURES and file.name[0] != "."]
    if not files:
        raise UnrenderError(f'The folder "{path}" holds no pictures.')
    files.sort(key=_natural)
    lossy = all(file.suffix.lower() in LOSSY for file in files)
    return Clip(((file, None) for file in files), f'"{path}"', fps or FPS, len(files), lossy)


def _natural(file: Path) -> list[tuple[int, str]]:
    """ "frame10" behind "frame9"."""
    pieces = re.split(r"(\d+)", file.name.lower())
    return [(int(piece), "") if piece.isdecimal() else (0, piece) for piece in pieces]


def _file(path: Path, fps: float | None) -> Clip:
    if is_animation(path):
        clip = Clip(animated_frames(path), f'"{path}"')
    elif path.suffix.lower() in PICTURES:
        return Clip(iter([(path, None)]), f'"{path}"', fps or FPS, 1)
    else:
        told = video_facts(path)
        clip = Clip(video_frames(path), f'"{path}"', told.rate, told.length, told.lossy)
    if fps is not None:
        clip.frames, clip.rate, clip.length = _resampled(clip.frames, float(fps)), float(fps), None
    return clip


def _resampled(frames: Iterator[Timed], fps: float) -> Iterator[Timed]:
    """The frame that shows at each 1/fps of a second."""
    k, now, last, first = 0, 0.0, None, None
    for image, time in frames:
        now = 0.0 if time is None else time
        first = now if first is None else first
        while last is not None and k / fps < now - first - 1e-6:
            yield last, k / fps
            k += 1
        last = image
    if last is not None and first is not None and k / fps <= now - first + 1e-6:
        yield last, k / fps


def rate_of(times: list[float | None], told: float | None) -> tuple[float, list[float]]:
    """Frames a second, and the time of every frame in seconds from the first: as they were told, or evenly.

    Times that do not grow are not believed.
    """
    known = [time for time in times if time is not None and math.isfinite(time)]
    if len(known) == len(times) > 1 and all(b > a for a, b in pairwise(known)):
        first = known[0]
        fps = (len(known) - 1) / (known[-1] - first)
        if SLOWEST <= fps <= FASTEST:
            even = told is not None and all(abs((b - a) * told - 1) < 0.1 for a, b in pairwise(known))
            if even and told is not None:  # rounded to the clock of the file
                return told, [k / told for k in range(len(known))]
            return fps, [time - first for time in known]
    fps = told or FPS
    return fps, [k / fps for k in range(len(times))]
