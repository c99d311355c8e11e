"""Reading a picture from whatever the caller has."""

from __future__ import annotations

import io
import os
import struct
import warnings
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from unrender.errors import UnrenderError

if TYPE_CHECKING:
    from PIL.Image import Image

SMALLEST, LARGEST = 16, 4096  # px: the sides of a picture that can be seen
STRIP = 256  # rows
PAPERS = (1.0, 0.0, 0.5)  # what may show through transparent pixels: the first that nothing is painted in
# what Pillow raises, depending on the format, for a file that it cannot make sense of
DAMAGE = (
    *(OSError, SyntaxError, ValueError, TypeError, EOFError, MemoryError, ArithmeticError, LookupError),
    *(AttributeError, RuntimeError, AssertionError, struct.error, zlib.error),
)


def read_picture(source: Any) -> NDArray[np.float32]:
    """float32 HxWx3 in [0, 1] from a path, a PIL image or an array (HxW, HxWx1, HxWx3, HxWx4).

    Arrays are bool, uint8, uint16, or float in 0..1. Transparent pixels show white, or black or grey where
    white is a colour of the picture. A photograph is turned as its EXIF says; of an animation the first
    frame is read.
    """
    if isinstance(source, np.ndarray):
        return _from_array(source)
    if isinstance(source, (str, os.PathLike)):
        return _from_file(source)
    if hasattr(source, "convert") and hasattr(source, "getbands"):
        return _from_pillow(source, "This image")
    raise UnrenderError(
        f"A picture must be a path, a PIL image or a numpy array, not {type(source).__name__}."
    )


def _check_sides(width: int, height: int, name: str) -> None:
    if min(height, width) < SMALLEST or max(height, width) > LARGEST:
        raise UnrenderError(
            f"{name} has {width}x{height} pixels; each side must have {SMALLEST} to {LARGEST}."
        )


def _from_array(array: NDArray[Any]) -> NDArray[np.float32]:
    shape = "x".join(str(n) for n in array.shape) or "a single number"
    if array.ndim not in (2, 3) or (array.ndim == 3 and array.shape[2] not in (1, 3, 4)):
        raise UnrenderError(f"A picture array must be HxW, HxWx3 or HxWx4, not {shape}.")
    _check_sides(array.shape[1], array.shape[0], "This array")
    array = np.asarray(array)  # what a masked array hides is shown
    if array.dtype == np.bool_ or array.dtype.newbyteorder("=") in (np.uint8, np.uint16):
        top = np.float32(1 if array.dtype == np.bool_ else np.iinfo(array.dtype).max)
    elif np.issubdtype(array.dtype, np.floating):
        low, high = array.min(), array.max()  # NaN if there is any
        if not (np.isfinite(low) and np.isfinite(high)):
            raise UnrenderError("This array holds values that are not finite (NaN or infinity).")
        if low < -1e-3 or high > 1 + 1e-3:
            raise UnrenderError(
                f"A float picture must lie in 0..1; this one runs from {low:g} to {high:g}:"
                " scale it, or pass uint8."
            )
        top = np.float32(1)
    else:
        raise UnrenderError(f"A picture array must be uint8 or float in 0..1, not {array.dtype}.")
    if array.ndim == 2:
        array = array[:, :, None]
    picture = np.empty((*array.shape[:2], 3), np.float32)
    paper = _paper(array, top) if array.shape[2] == 4 else None
    for rows in _strips(array):
        values = _unit(array[rows], top)
        if paper is not None:
            values = values[:, :, :3] * values[:, :, 3:] + paper * (1 - values[:, :, 3:])
        picture[rows] = values
    return picture


def _strips(array: NDArray[Any]) -> Iterator[slice]:
    """The rows of a picture, some at a time, so that a large one is never held in many copies."""
    return (slice(row, row + STRIP) for row in range(0, len(array), STRIP))


def _unit(values: NDArray[Any], top: np.float32) -> NDArray[np.float32]:
    return (values.astype(np.float32) / top).clip(0, 1)


def _paper(array: NDArray[Any], top: np.float32) -> np.float32:
    """What shows through a transparent picture: a colour that it does not have, so that all of it shows."""
    painted, alike = 0.0, np.zeros(len(PAPERS))
    for rows in _strips(array):
        values = _unit(array[rows], top)
        alpha = values[:, :, 3]
        painted += float(alpha.sum())
        for i, paper in enumerate(PAPERS):
            near = np.abs(values[:, :, :3] - np.float32(paper)).max(axis=2) < 0.1
            alike[i] += float((alpha * near).sum())
    shares = alike / max(painted, 1e-6)
    return np.float32(
        PAPERS[next((i for i, share in enumerate(shares) if share < 0.01), int(shares.argmin()))]
    )


def _from_file(source: str | os.PathLike[str]) -> NDArray[np.float32]:
    from PIL import Image

    path = Path(os.fsdecode(source))
    with _reading(path):
        _check_file(path)
        with path.open("rb") as file, Image.open(file) as image:
            return _from_pillow(image, f'"{path}"')


def read_file(path: Path) -> bytes:
    """All of the file of a picture or video, for `unpacked`, perhaps on another machine."""
    with _reading(path):
        _check_file(path)
        return path.read_bytes()


def unpacked(content: bytes, path: Path) -> NDArray[np.float32]:
    """float32 HxWx3 in [0, 1]: what `read_picture(path)` gives if `content` is what stands in that file."""
    from PIL import Image

    with _reading(path), Image.open(io.BytesIO(content)) as image:
        return _from_pillow(image, f'"{path}"')


def _check_file(path: Path) -> None:
    if "\0" in str(path):
        raise FileNotFoundError
    if path.is_dir():
        raise UnrenderError(f'"{path}" is a folder, not a picture.')
    if path.exists() and not path.is_file():
        raise UnrenderError(f'"{path}" is not a file.')


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    """Turn what goes wrong while a picture is read into one sentence."""
    from PIL import Image, UnidentifiedImageError

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            yield
    except FileNotFoundError:
        raise UnrenderError(f'There is no file "{path}".') from None
    except PermissionError:
        raise UnrenderError(f'"{path}" may not be read.') from None
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise UnrenderError(
            f'"{path}" unpacks to far more pixels than {LARGEST}x{LARGEST}; it is not read.'
        ) from None
    except UnidentifiedImageError:
        raise UnrenderError(f'"{path}" is not a picture in a format that Pillow reads.') from None
    except DAMAGE as error:
        if isinstance(error, OSError) and error.strerror:  # the file system's complaint, not Pillow's
            raise UnrenderError(f'Cannot read "{path}": {error.strerror}.') from None
        raise UnrenderError(f'"{path}" is damaged or cut off: {_reason(error)}.') from None


def _reason(error: BaseException) -> str:
    """What Pillow said, in one line without a full stop."""
    return " ".join(str(error).split()).rstrip(".") or "it cannot be loaded"


def _from_pillow(image: Image, name: str) -> NDArray[np.float32]:
    _check_sides(*image.size, name)
    if image.format == "EPS":  # for which Pillow would run another program
        raise UnrenderError(f"{name} is a page of PostScript; save it as PNG.")
    try:
        image.load()
    except DAMAGE as error:
        raise UnrenderError(f"{name} is damaged or cut off: {_reason(error)}.") from None
    image = _upright(image)
    if image.mode.startswith("I;16") or image.mode in ("I", "F"):
        return _from_array(_deep(np.asarray(image)))
    if image.mode == "La":  # Pillow takes it to RGBA by a detour only
        image = image.convert("LA")
    try:
        plain = image.convert("RGBA" if image.has_transparency_data else "RGB")
    except ValueError:
        raise UnrenderError(f'{name} has colours of the kind "{image.mode}"; save it as RGB.') from None
    return _from_array(np.asarray(plain))


def _upright(image: Image) -> Image:
    """Turned as the EXIF of a photograph says; EXIF that cannot be read says nothing."""
    from PIL import ImageOps

    try:
        return ImageOps.exif_transpose(image)
    except DAMAGE:
        return image


def _deep(values: NDArray[Any]) -> NDArray[Any]:
    """16 and 32 bit grey in 0..1: by the range of the type, or of the values where the type says nothing."""
    if values.dtype.newbyteorder("=") == np.uint16:
        return values
    top = 65535.0 if np.issubdtype(values.dtype, np.integer) else 1.0
    values = values.astype(np.float64)
    low, high = float(values.min()), float(values.max())
    if np.isfinite([low, high]).all() and (low < 0 or high > top):
        return (values - low) / max(high - low, 1e-12)
    return values / top
