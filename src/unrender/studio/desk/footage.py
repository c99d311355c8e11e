"""The pixels of a film's frames as PNG, in one file on disk: memory stays small however long the film is."""

from __future__ import annotations

import io
import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unrender.batch.sources import Source
from unrender.film.clip import Clip, clip_of
from unrender.film.video import is_animation
from unrender.scene.picture import Picture
from unrender.studio.desk.picture import png

ANIMATED = (".gif", ".png", ".webp", ".apng", ".avif")  # suffixes of pictures that may have many frames
LONGEST = 3000  # frames of a film that are watched
LARGEST = 512 << 20  # bytes of the frames of one film


class Footage:
    """Frames in the order in which they were watched. One thread adds, any may read."""

    def __init__(self) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115  it is closed with the film
        self._ends = [0]

    def __len__(self) -> int:
        return len(self._ends) - 1

    @property
    def full(self) -> bool:
        """Whether no more frames are taken."""
        return len(self) >= LONGEST or self._ends[-1] >= LARGEST

    def add(self, pixels: NDArray[np.uint8]) -> None:
        """Keep the next frame (H, W, 3)."""
        data = png(pixels)
        self._file.write(data)
        self._file.flush()
        self._ends.append(self._ends[-1] + len(data))

    def png(self, frame: int) -> bytes:
        """The PNG of a frame; of the last one for all that follow."""
        frame = min(max(frame, 0), len(self) - 1)
        start, end = self._ends[frame], self._ends[frame + 1]
        return os.pread(self._file.fileno(), end - start, start)

    def pixels(self, frame: int) -> NDArray[np.uint8]:
        """uint8 (H, W, 3)."""
        from PIL import Image

        return np.asarray(Image.open(io.BytesIO(self.png(frame))).convert("RGB"))

    def close(self) -> None:
        """Delete it."""
        self._file.close()


@dataclass
class Filmed(Clip):
    """A clip whose frames are kept as they are watched."""

    footage: Footage = field(default_factory=Footage)

    def __iter__(self) -> Iterator[tuple[Picture, float | None]]:
        for picture, time in super().__iter__():
            if self.footage.full:
                self.notes.append(f"Only the first {len(self.footage)} frames were watched.")
                return
            self.footage.add((picture.pixels * 255).round().astype(np.uint8))
            yield picture, time


def filmed(source: Path | tuple[Path, ...], fps: float | None = None) -> Filmed:
    """The clip of a file, or of pictures one after the other."""
    meant: Any = source if isinstance(source, Path) else list(source)
    clip = clip_of(meant, fps)
    length = None if clip.length is None else min(clip.length, LONGEST)
    return Filmed(clip.frames, clip.name, clip.rate, length, clip.lossy, clip.notes)


def is_film(path: Path) -> bool:
    """Whether a file has many frames: a video, or an animated picture."""
    return Source(path, path.name).video or (path.suffix.lower() in ANIMATED and is_animation(path))


def first_frame(source: Path | tuple[Path, ...]) -> Picture:
    """The first frame of a film that can be read."""
    return next(iter(clip_of(source if isinstance(source, Path) else list(source))))[0]
