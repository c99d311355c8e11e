"""The frames of a video file or an animated picture, with their times."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unrender.errors import UnrenderError

Timed = tuple[Any, float | None]
"""A picture, and its time in seconds."""

STILL = 0.1  # seconds that a frame of an animation shows if it does not say so


def frames(path: Path, content: bytes | None = None) -> Iterator[NDArray[np.uint8]]:
    """uint8 HxWx3 of every frame. A video that breaks off gives the frames before that, then an error.

    content: what stands in the file, where it is not on this machine.
    """
    return (image for image, _ in video_frames(path, content))


def video_frames(
    path: Path, content: bytes | None = None
) -> Iterator[tuple[NDArray[np.uint8], float | None]]:
    """`frames`, each with its time."""
    import av

    av.logging.set_level(av.logging.PANIC)
    count = 0
    try:
        with av.open(str(path) if content is None else io.BytesIO(content), "r") as container:
            if not container.streams.video:
                raise UnrenderError(f'"{path}" holds no video.')
            for frame in container.decode(video=0):
                yield np.asarray(frame.to_ndarray(format="rgb24"), np.uint8), frame.time
                count += 1
    except FileNotFoundError:
        raise UnrenderError(f'There is no file "{path}".') from None
    except PermissionError:
        raise UnrenderError(f'"{path}" may not be read.') from None
    except (av.FFmpegError, OSError, ValueError) as error:
        reason = (getattr(error, "strerror", None) or str(error)).rstrip(".")
        where = f" after frame {count}" if count else ""
        raise UnrenderError(f'"{path}" is damaged or not a video{where}: {reason}.') from None
    if not count:
        raise UnrenderError(f'"{path}" has no frames.')


@dataclass(frozen=True)
class VideoFacts:
    """What a video file says about itself; all of it may be wrong."""

    rate: float | None = None  # frames a second
    length: int | None = None  # frames
    lossy: bool = True  # whether its compression loses something


def video_facts(path: Path) -> VideoFacts:
    """What a file says about its video before any frame is read."""
    import av

    av.logging.set_level(av.logging.PANIC)
    try:
        with av.open(str(path), "r") as container:
            stream = next(iter(container.streams.video), None)
            if stream is None:
                return VideoFacts()
            rate, codec = stream.average_rate, stream.codec_context.codec
            return VideoFacts(float(rate) if rate else None, stream.frames or None, bool(codec.lossy))
    except (av.FFmpegError, OSError, ValueError):
        return VideoFacts()  # told when the frames are read


def is_animation(path: Path) -> bool:
    """Whether a file is a picture of more than one frame."""
    from PIL import Image

    try:
        with Image.open(path) as image:
            return bool(getattr(image, "is_animated", False))
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return False


def animated_frames(path: Path) -> Iterator[Timed]:
    """Every frame of an animated picture; what breaks off gives the frames before that, then an error."""
    from PIL import Image

    count, time = 0, 0.0
    try:
        with Image.open(path) as image:
            while True:
                try:
                    image.seek(count)
                except EOFError:
                    return
                mode = "RGBA" if image.has_transparency_data else "RGB"
                yield image.convert(mode), time
                time += (image.info.get("duration") or 1000 * STILL) / 1000
                count += 1
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError) as error:
        where = f" after frame {count}" if count else ""
        raise UnrenderError(f'"{path}" is damaged{where}: {str(error).rstrip(".")}.') from None
