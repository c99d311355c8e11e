"""The loops of seeing, compiled before the first picture by several processes that look at other kinds of
pictures each.

numba keeps what it compiles on disk, beside the source or in the user's cache folder. This process waits, so
that the first picture is seen by the same code as all that follow.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from subprocess import DEVNULL, Popen

import numpy as np
from PIL import Image, ImageDraw

from unrender.render.coverage import Floats

PACKAGES = ("primitives", "render", "perception", "capsules")
HELPERS = 3  # more would compile the same loops


def is_ready() -> bool:
    """Whether the loops need not be compiled before a picture is seen."""
    mark = _mark()
    return mark is not None and mark.exists()


@cache
def make_ready() -> None:
    """Compile all loops of seeing, if this machine does not keep them yet. Where that fails, each is compiled
    when it is first used."""
    mark = _mark()
    if mark is None or mark.exists() or not sys.executable:
        return
    with _alone(mark.with_suffix(".lock")):
        if not mark.exists() and _compiled_by_others():
            mark.touch()


def look(number: int) -> None:
    """See the pictures of one process: all of them, beginning with its own."""
    from unrender.perception.pipeline import see_primitives
    from unrender.primitives.registry import primitives

    kinds = list(primitives().values())
    several = [*PICTURES[number:], *PICTURES[:number]]
    for make in several:
        see_primitives(make(), kinds)


def _compiled_by_others() -> bool:
    """Whether processes were able to do it."""
    known = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    helpers: list[Popen[bytes]] = []
    try:
        for number in range(min(HELPERS, os.cpu_count() or 1)):
            command = [sys.executable, "-m", "unrender.perception.warmup", str(number)]
            helpers.append(Popen(command, env=known, stdin=DEVNULL, stdout=DEVNULL, stderr=DEVNULL))
        codes = [helper.wait() for helper in helpers]
        return not any(codes)
    except OSError:  # no process can be started here
        return False
    finally:
        for helper in helpers:
            helper.kill()


def _drawn(side: int = 96, scale: int = 4) -> Image.Image:
    """A disc, a box with a border, a triangle and thin outlines, over one another."""
    picture = Image.new("RGB", (scale * side, scale * side), (40, 44, 60))
    pen = ImageDraw.Draw(picture)
    pen.ellipse([s * scale for s in (10, 12, 50, 48)], fill=(220, 180, 60))
    pen.rectangle(
        [s * scale for s in (36, 30, 80, 62)], fill=(60, 160, 90), outline=(230, 60, 50), width=3 * scale
    )
    pen.polygon([s * scale for s in (20, 90, 44, 56, 66, 92)], fill=(120, 90, 200))
    pen.ellipse([s * scale for s in (60, 66, 90, 90)], outline=(240, 240, 240), width=scale)
    pen.rectangle([s * scale for s in (66, 8, 90, 24)], outline=(240, 240, 240), width=scale)
    return picture if scale == 1 else picture.resize((side, side), Image.Resampling.BOX)


def _floats(picture: Image.Image) -> Floats:
    return np.asarray(picture, np.float32) / np.float32(255)


def _smooth() -> Floats:
    return _floats(_drawn())


def _aliased() -> Floats:
    return _floats(_drawn(scale=1))


def _compressed() -> Floats:
    file = io.BytesIO()
    _drawn().save(file, "JPEG", quality=75)
    return _floats(Image.open(file).convert("RGB"))


def _textured() -> Floats:
    rng = np.random.default_rng(0)
    grain = np.cumsum(rng.normal(0, 0.03, (96, 96)), axis=1)
    grain -= grain.mean(axis=1, keepdims=True)
    noisy = _smooth() + 0.3 * grain[..., None] + rng.normal(0, 0.02, (96, 96, 3))
    return noisy.clip(0, 1).astype(np.float32)


PICTURES: tuple[Callable[[], Floats], ...] = (_smooth, _compressed, _aliased, _textured)


def _mark() -> Path | None:
    """The file that says that these very loops are kept for this machine; None where nothing can be."""
    from unrender.primitives.kept import digest, folder

    kept = folder()
    if kept is None:
        return None
    root = Path(__file__).parents[1]
    sources = sorted(path for name in PACKAGES for path in (root / name).rglob("*.py"))
    stamps = [(str(path), path.stat().st_mtime_ns, path.stat().st_size) for path in sources]
    return kept / f"{digest(repr(stamps))}.ready"


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """One process at a time; on systems without such locks they may do the same work twice."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


if __name__ == "__main__":
    if len(sys.argv) > 1:
        look(int(sys.argv[1]))
    else:
        make_ready()
