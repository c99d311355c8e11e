"""The frames of a video, one after the other."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from unrender.errors import UnrenderError


def frames(path: Path, content: bytes | None = None) -> Iterator[NDArray[np.uint8]]:
    """uint8 HxWx3 of every frame. A video that breaks off gives the frames before that, then an error.

    content: what stands in the file, where it is not on this machine.
    """
    try:
        import av
    except ImportError:
        raise UnrenderError('Videos need one more package: pip install "unrender[video]".') from None

    av.logging.set_level(av.logging.PANIC)
    count = 0
    try:
        with av.open(str(path) if content is None else io.BytesIO(content), "r") as container:
            if not container.streams.video:
                raise UnrenderError(f'"{path}" holds no video.')
            for frame in container.decode(video=0):
                yield np.asarray(frame.to_ndarray(format="rgb24"), np.uint8)
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
