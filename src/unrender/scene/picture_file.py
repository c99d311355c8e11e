"""Reading a picture from a file in any format that Pillow knows, which anybody may have made."""

from __future__ import annotations

import io
import math
import os
import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock
from typing import IO, TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from unrender.errors import UnrenderError
from unrender.paths import check_readable
from unrender.scene.picture import MOST, STRIP, Picture, finite_range, from_array, reduction, stretched

if TYPE_CHECKING:
    from PIL.Image import Image

# what Pillow raises, depending on the format, for a file that it cannot make sense of
DAMAGE = (
    *(OSError, SyntaxError, ValueError, TypeError, EOFError, MemoryError, ArithmeticError, LookupError),
    *(AttributeError, RuntimeError, AssertionError, struct.error, zlib.error),
)
DRAFTS = (2, 4, 8)  # by which a JPEG file can be scaled down while it is unpacked
MOST_OF_JPEG = 2 * MOST  # px, since of such a file not all is ever held: the largest phones make 200 million
ORIENTATION = 0x0112  # of a photograph, in its EXIF

_OPENING = Lock()


def from_file(source: str | os.PathLike[str]) -> Picture:
    """The picture in a file."""
    path = Path(os.fsdecode(source))
    with _reading(path):
        check_readable(path)
        with path.open("rb") as file, _opened(file) as image:
            return _drafted(image, f'"{path}"')


def read_file(path: Path) -> bytes:
    """All of the file of a picture or video, for `unpacked`, perhaps on another machine."""
    with _reading(path):
        check_readable(path)
        return path.read_bytes()


def unpacked(content: bytes, path: Path) -> Picture:
    """What `read_picture(path)` gives if `content` is what stands in that file."""
    with _reading(path), _opened(io.BytesIO(content)) as image:
        return _drafted(image, f'"{path}"')


def from_pillow(image: Image, name: str) -> Picture:
    """The picture in a Pillow image; name: what a sentence about it calls it."""
    reduction(*image.size, name)
    if image.format == "EPS":  # for which Pillow would run another program
        raise UnrenderError(f"{name} is a page of PostScript; save it as PNG.")
    try:
        image.load()
    except DAMAGE as error:
        raise UnrenderError(f"{name} is damaged or cut off: {_reason(error)}.") from None
    if image.mode in ("I", "F") or image.mode.startswith("I;16"):
        picture = _deep(image, name)
    else:
        factor = reduction(*image.size, name)  # some formats know their size only now
        picture = Picture(from_array(np.asarray(_plain(image, factor, name))).pixels, 1 / factor)
    return Picture(_upright(picture.pixels, _orientation(image)), picture.scale)


def _drafted(image: Image, name: str) -> Picture:
    """The picture in a file that has been opened. A large JPEG is not unpacked in full if it need not be."""
    (width, height), jpeg = image.size, image.format == "JPEG"
    factor = reduction(width, height, name, MOST_OF_JPEG if jpeg else MOST)
    if jpeg and factor in DRAFTS:
        image.draft(None, (width // factor, height // factor))
    drafted = image.size != (width, height)
    picture = from_pillow(image, name)
    return Picture(picture.pixels, picture.scale / factor) if drafted else picture


def _plain(image: Image, factor: int, name: str) -> Image:
    """RGB, or RGBA where it is transparent, with sides divided by a factor; converted some rows at a time."""
    from PIL import Image

    (width, height), mode = image.size, "RGBA" if image.has_transparency_data or image.mode == "La" else "RGB"
    if factor == 1:
        return _converted(image, mode, name)
    small = Image.new(mode, (math.ceil(width / factor), math.ceil(height / factor)))
    for row in range(0, small.height, STRIP):
        strip = image.crop((0, row * factor, width, min((row + STRIP) * factor, height)))
        small.paste(_converted(strip, mode, name).reduce(factor), (0, row))
    return small


def _converted(image: Image, mode: str, name: str) -> Image:
    if image.mode == "La":  # Pillow takes it to RGBA by a detour only
        image = image.convert("LA")
    try:
        return image.convert(mode)
    except ValueError:
        raise UnrenderError(f'{name} has colours of the kind "{image.mode}"; save it as RGB.') from None


def _deep(image: Image, name: str) -> Picture:
    """Grey of 16 or 32 bits: black and white by the usual range, or by that of values that go beyond it."""
    values = np.asarray(image)
    low, high = finite_range(values)
    usual = 65535.0 if np.issubdtype(values.dtype, np.integer) else 1.0
    if low >= 0 and high <= usual:
        low, high = 0.0, usual
    return stretched(values, low, high if high > low else low + 1, name)


def _orientation(image: Image) -> int:
    """How a photograph is turned, from 1 to 8; EXIF that cannot be read says nothing."""
    try:
        return int(image.getexif().get(ORIENTATION, 1))
    except DAMAGE:
        return 1


def _upright(pixels: NDArray[np.float32], orientation: int) -> NDArray[np.float32]:
    """HxWx3 turned and mirrored as the EXIF of a photograph says."""
    if orientation in (5, 6, 7, 8):
        pixels = pixels.swapaxes(0, 1)
    if orientation in (2, 3, 6, 7):
        pixels = pixels[:, ::-1]
    if orientation in (3, 4, 7, 8):
        pixels = pixels[::-1]
    return np.ascontiguousarray(pixels)


def _opened(file: IO[bytes]) -> Image:
    """As Pillow opens it, but with our own limit of pixels: its own is lower and a global setting."""
    from PIL import Image

    with _OPENING:
        theirs, Image.MAX_IMAGE_PIXELS = Image.MAX_IMAGE_PIXELS, None
        try:
            return Image.open(file)
        finally:
            Image.MAX_IMAGE_PIXELS = theirs


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    """Turn what goes wrong while a picture is read into one sentence."""
    from PIL import Image, UnidentifiedImageError

    try:
        yield
    except FileNotFoundError:
        raise UnrenderError(f'There is no file "{path}".') from None
    except PermissionError:
        raise UnrenderError(f'"{path}" may not be read.') from None
    except Image.DecompressionBombError:  # of some formats only when they are unpacked
        raise UnrenderError(f'"{path}" unpacks to far too many pixels; it is not read.') from None
    except UnidentifiedImageError:
        raise UnrenderError(f'"{path}" is not a picture in a format that Pillow reads.') from None
    except DAMAGE as error:
        if isinstance(error, OSError) and error.strerror:  # the file system's complaint, not Pillow's
            raise UnrenderError(f'Cannot read "{path}": {error.strerror}.') from None
        raise UnrenderError(f'"{path}" is damaged or cut off: {_reason(error)}.') from None


def _reason(error: BaseException) -> str:
    """What Pillow said, in one line without a full stop."""
    return " ".join(str(error).split()).rstrip(".") or "it cannot be loaded"
