"""Reading a picture from whatever the caller has."""

from __future__ import annotations

import os
import struct
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from unrender.errors import UnrenderError

if TYPE_CHECKING:
    from PIL.Image import Image

SMALLEST, LARGEST = 16, 4096  # px: the sides of a picture that can be seen
_PAPER = 1.0  # what shows through transparent pixels


def read_picture(source: Any) -> NDArray[np.float32]:
    """float32 HxWx3 in [0, 1] from a path, a PIL image or an array (HxW, HxWx1, HxWx3, HxWx4)."""
    if isinstance(source, np.ndarray):
        picture = _from_array(source)
    elif isinstance(source, (str, os.PathLike)):
        picture = _from_file(Path(source))
    elif hasattr(source, "convert") and hasattr(source, "getbands"):
        picture = _from_pillow(source, "This image")
    else:
        raise UnrenderError(
            f"A picture must be a path, a PIL image or a numpy array, not {type(source).__name__}."
        )
    height, width = picture.shape[:2]
    if min(height, width) < SMALLEST or max(height, width) > LARGEST:
        raise UnrenderError(
            f"A picture must have sides of {SMALLEST} to {LARGEST} pixels; this one has {width}x{height}."
        )
    return picture


def _from_array(array: NDArray[Any]) -> NDArray[np.float32]:
    shape = "x".join(str(n) for n in array.shape)
    if array.ndim not in (2, 3) or (array.ndim == 3 and array.shape[2] not in (1, 3, 4)):
        raise UnrenderError(f"A picture array must be HxW, HxWx3 or HxWx4, not {shape}.")
    if array.dtype == np.bool_ or np.issubdtype(array.dtype, np.unsignedinteger):
        top = 1 if array.dtype == np.bool_ else np.iinfo(array.dtype).max
        values = array.astype(np.float32) / np.float32(top)
    elif np.issubdtype(array.dtype, np.floating):
        values = array.astype(np.float32)
        if not np.isfinite(values).all():
            raise UnrenderError("This picture array holds values that are not finite (NaN or infinity).")
        if values.size and (values.min() < -1e-3 or values.max() > 1 + 1e-3):
            raise UnrenderError(
                f"A float picture must lie in 0..1; this one runs from {values.min():g} to {values.max():g}."
                " Divide it by its maximum, or pass uint8."
            )
        values = values.clip(0, 1)
    else:
        raise UnrenderError(f"A picture array must be uint8 or float in 0..1, not {array.dtype}.")
    if values.ndim == 2:
        values = values[:, :, None]
    if values.shape[2] == 4:
        alpha = values[:, :, 3:]
        values = values[:, :, :3] * alpha + _PAPER * (1 - alpha)
    return np.ascontiguousarray(np.broadcast_to(values, (*values.shape[:2], 3)))


def _from_file(path: Path) -> NDArray[np.float32]:
    from PIL import Image, UnidentifiedImageError

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(path) as image:
                if max(image.size) > LARGEST:
                    width, height = image.size
                    raise UnrenderError(
                        f'"{path}" has {width}x{height} pixels; the largest side may be {LARGEST}.'
                    )
                return _from_pillow(image, f'"{path}"')
    except FileNotFoundError:
        raise UnrenderError(f'There is no file "{path}".') from None
    except IsADirectoryError:
        raise UnrenderError(f'"{path}" is a folder, not a picture.') from None
    except PermissionError:
        raise UnrenderError(f'"{path}" may not be read.') from None
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise UnrenderError(
            f'"{path}" unpacks to far more pixels than {LARGEST}x{LARGEST}; it is not read.'
        ) from None
    except UnidentifiedImageError:
        raise UnrenderError(f'"{path}" is not a picture in a format that Pillow reads.') from None
    except (OSError, SyntaxError, ValueError, EOFError, MemoryError, OverflowError) as error:
        raise UnrenderError(f'"{path}" is damaged or cut off: {error}.') from None


def _from_pillow(image: Image, name: str) -> NDArray[np.float32]:
    from PIL import ImageOps

    if 0 in image.size:
        raise UnrenderError(f"{name} has no pixels.")
    if max(image.size) > LARGEST:
        raise UnrenderError(
            f"{name} has {image.size[0]}x{image.size[1]} pixels; the largest side may be {LARGEST}."
        )
    try:
        image = ImageOps.exif_transpose(image)
        if image.mode.startswith("I;16") or image.mode in ("I", "F"):
            return _from_array(_deep(np.asarray(image)))
        transparent = "A" in image.getbands() or "transparency" in image.info
        return _from_array(np.asarray(image.convert("RGBA" if transparent else "RGB")))
    except (OSError, SyntaxError, ValueError, EOFError, struct.error) as error:
        raise UnrenderError(f"{name} is damaged or cut off: {error}.") from None


def _deep(values: NDArray[Any]) -> NDArray[Any]:
    """16 and 32 bit grey in 0..1: by the range of the type, or of the values where the type says nothing."""
    if values.dtype == np.uint16:
        return values
    top = 65535.0 if np.issubdtype(values.dtype, np.integer) else 1.0
    values = values.astype(np.float64)
    if np.isfinite(values).all() and (values.min() < 0 or values.max() > top):
        values = (values - values.min()) / max(float(np.ptp(values)), 1e-12)
    elif top > 1:
        values = values / top
    return values.astype(np.float32)
