"""The loops of seeing, compiled once after an installation: beside the first picture, or before it.

`loops.txt` lists the loops that pictures need, with the types they are called with, about in the order in
which they are needed. Whoever looks at a first picture compiles what it comes to; meanwhile a process beside
it compiles the list from its end, so that they meet. `python -m unrender.perception.warmup` compiles all of
it on all cores and waits, and with `list` writes the list anew.
"""

from __future__ import annotations

import io
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from subprocess import DEVNULL, Popen

import numpy as np
from PIL import Image, ImageDraw

from unrender.render.coverage import Floats

PACKAGES = ("primitives", "render", "perception", "capsules")
LIST = Path(__file__).with_name("loops.txt")
HELPERS = 8  # more would spend their time starting
BESIDE, LISTED = "beside", "list"
LONG = 7 * 86400.0  # s
POLITE = 10  # the niceness of those who compile for later
Needed = tuple[str, str, str]  # module, function and the types of its arguments


def is_ready() -> bool:
    """Whether the loops need not be compiled before a picture is seen."""
    mark = _mark()
    return mark is not None and mark.exists()


@cache
def make_ready() -> None:
    """Have the loops that this machine does not keep yet compiled beside this process, which need not wait:
    it compiles what it needs, unless that has been done by then."""
    if not is_ready() and sys.executable:
        with suppress(OSError):  # no process can be started here
            _started(BESIDE)


@cache
def prepare(beside: bool = False) -> None:
    """Compile all loops of seeing, if this machine does not keep them yet; on all cores, or on all but one
    if there is somebody `beside` who looks at a picture. Only one process at a time does this."""
    mark = _mark()
    if mark is None or mark.exists():
        return
    with _alone(mark.with_suffix(".lock"), wait=not beside) as free:
        if free and not mark.exists():
            cores = min((os.cpu_count() or 1) - beside, HELPERS)
            if cores > 0:
                others = [_started(f"{number}/{cores}") for number in range(1, cores) if sys.executable]
                compile_listed(0, cores)
                for other in others:
                    other.wait()
                look()
                mark.touch()
            _drop_unused(mark.parent)


def compile_listed(number: int, of: int) -> None:
    """Compile every `of`-th loop of the list, the last first, beginning with the `number`-th; what is listed
    but is not there any more is left out."""
    from numba import types
    from numba.core.dispatcher import Dispatcher
    from numba.core.errors import NumbaError

    from unrender.primitives.jit import compiled

    known = {**vars(types), "bool": types.boolean}
    for module, name, signature in listed()[::-1][number::of]:
        with suppress(ImportError, AttributeError, TypeError, NameError, SyntaxError, NumbaError):
            loop = getattr(import_module(module), name)
            ready = loop if isinstance(loop, Dispatcher) else compiled(loop)
            ready.compile(eval(signature, {"__builtins__": {}}, known))


def listed() -> list[Needed]:
    """The loops that pictures need."""
    rows = (line.split(maxsplit=2) for line in LIST.read_text(encoding="utf-8").splitlines())
    return [(module, name, signature) for module, name, signature in rows]


def used() -> list[Needed]:
    """The loops that this process has called, in the order in which their modules were imported."""
    from numba.core.dispatcher import Dispatcher

    from unrender.primitives.registry import primitives

    modules = [module for name, module in sys.modules.items() if name.startswith("unrender.")]
    own = [value for module in modules for value in vars(module).values() if isinstance(value, Dispatcher)]
    kinds = primitives().values()
    own += [value for kind in kinds for value in vars(kind).values() if isinstance(value, Dispatcher)]
    return list(
        dict.fromkeys(
            (loop.py_func.__module__, loop.py_func.__qualname__, _types(signature))
            for loop in own
            for signature in loop.overloads
            if loop.py_func.__module__.partition(".")[0] == "unrender"
        )
    )


def look(pictures: Sequence[Callable[[], Floats]] | None = None) -> None:
    """See pictures, all of them if none are named: what the list does not have is compiled now."""
    from unrender.perception.pipeline import see_primitives
    from unrender.primitives.registry import primitives

    kinds = list(primitives().values())
    for make in PICTURES if pictures is None else pictures:
        see_primitives(make(), kinds)


def _types(signature: tuple[object, ...]) -> str:
    return str(signature).replace(", False, aligned=True)", ")")


def _started(word: str) -> Popen[bytes]:
    """This module as a process that outlives this one, and is told one word."""
    known = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-m", "unrender.perception.warmup", word]
    return Popen(command, env=known, stdin=DEVNULL, stdout=DEVNULL, stderr=DEVNULL, start_new_session=True)


def _drop_unused(folder: Path) -> None:
    """Delete what nobody has used for long: it is the code of other versions."""
    from unrender.primitives.kept import FOLDER

    for file in folder.parent.glob(f"{FOLDER}-*/*"):
        with suppress(OSError):
            if time.time() - file.stat().st_mtime > LONG:
                file.unlink()


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


def _lines(side: int = 96, scale: int = 4) -> Floats:
    """Strokes that cross and meet, an arc, a polygon of seven corners."""
    picture = Image.new("RGB", (scale * side, scale * side), (250, 250, 250))
    pen = ImageDraw.Draw(picture)
    ink, wide = (30, 40, 70), 3 * scale
    pen.line([s * scale for s in (8, 10, 40, 40)], fill=ink, width=wide)
    pen.line([s * scale for s in (8, 40, 40, 10)], fill=ink, width=wide)
    pen.line([s * scale for s in (52, 40, 66, 12, 88, 38)], fill=ink, width=wide, joint="curve")
    pen.arc([s * scale for s in (8, 54, 40, 86)], 20, 250, fill=ink, width=wide)
    pen.polygon(
        [s * scale for s in (50, 60, 64, 52, 86, 60, 80, 74, 88, 88, 66, 82, 54, 90)], fill=(190, 60, 40)
    )
    return _floats(picture.resize((side, side), Image.Resampling.BOX))


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


PICTURES: tuple[Callable[[], Floats], ...] = (_smooth, _lines, _compressed, _aliased, _textured)


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
def _alone(path: Path, wait: bool) -> Iterator[bool]:
    """Whether no other process is here; if it has to `wait`, when none is any more."""
    from filelock import FileLock, Timeout

    try:
        with FileLock(path, timeout=-1 if wait else 0):
            yield True
    except Timeout:
        yield False


def main(words: Sequence[str]) -> None:
    """What a process of this module does."""
    word = words[0] if words else ""
    if word == LISTED:
        look()
        LIST.write_text("".join(f"{' '.join(row)}\n" for row in used()), encoding="utf-8")
    elif word == BESIDE:
        if hasattr(os, "nice"):
            os.nice(POLITE)
        prepare(beside=True)
    elif word:
        number, of = map(int, word.split("/"))
        compile_listed(number, of)
    else:
        prepare()


if __name__ == "__main__":
    main(sys.argv[1:])
