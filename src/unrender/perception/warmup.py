"""The loops of seeing, where their machine code does not come with the package: compiled once after an
installation, beside the first picture or before it.

`loops.txt` lists the loops that pictures need, with the types they are called with, about in the order in
which they are needed. Whoever looks at a first picture compiles what it comes to; meanwhile a process beside
it compiles the list from its end, so that they meet. `python -m unrender.perception.warmup` compiles all of
it on all cores and waits; with `list` it writes the list anew, with `ship` the archive that comes along.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from importlib import import_module
from pathlib import Path
from subprocess import DEVNULL, Popen, run
from typing import Any

from unrender.perception.samples import PICTURES
from unrender.render.coverage import Floats

PACKAGES = ("primitives", "render", "perception", "capsules")
LIST = Path(__file__).with_name("loops.txt")
HELPERS = 8  # more would spend their time starting
BESIDE, LISTED, SHIP = "beside", "list", "ship"
LONG = 7 * 86400.0  # s
POLITE = 10  # the niceness of those who compile for later
Needed = tuple[str, str, str]  # module, function and the types of its arguments
GONE = (
    ImportError,
    AttributeError,
    TypeError,
    NameError,
    SyntaxError,
)  # what a row that is out of date raises


def is_ready() -> bool:
    """Whether the loops need not be compiled before a picture is seen."""
    mark = _mark()
    if mark is None or mark.exists():
        return mark is not None
    if not all(path.exists() for path in _files()):
        return False
    mark.touch()
    return True


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
    if mark is None or is_ready():
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
    from numba.core.errors import NumbaError

    for row in listed()[::-1][number::of]:
        with suppress(*GONE, NumbaError):
            loop, signature = _loop(row)
            loop.compile(signature)


def _loop(row: Needed) -> tuple[Any, Any]:
    """The compiled loop of a row of the list, and its types."""
    from numba import types
    from numba.core.dispatcher import Dispatcher

    from unrender.primitives.jit import compiled

    module, name, signature = row
    loop = getattr(import_module(module), name)
    ready = loop if isinstance(loop, Dispatcher) else compiled(loop)
    told = eval(signature, {"__builtins__": {}}, {**vars(types), "bool": types.boolean})
    if isinstance(told, tuple) and len(told) != ready.py_func.__code__.co_argcount:
        raise TypeError(f"{name} has other arguments now")
    return ready, told


def _is_there(row: Needed) -> bool:
    with suppress(*GONE):
        _loop(row)
        return True
    return False


def _files() -> Iterator[Path]:
    """Where the code of the loops of the list is kept."""
    for row in listed():
        with suppress(*GONE):
            loop, signature = _loop(row)
            if path := loop._cache.path(signature):
                yield path


def ship() -> None:
    """Compile the list for every machine of this kind, and make the archive that comes with the package."""
    from unrender.primitives import shipped

    told = os.environ | shipped.common_machine() | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    if any(os.environ.get(name) != told[name] for name in shipped.common_machine()):
        run([sys.executable, "-m", "unrender.perception.warmup", SHIP], env=told, check=True)
        return
    prepare()
    look()  # what the list lacks is compiled now
    run([sys.executable, "-m", "unrender.perception.warmup", LISTED], check=True)  # by who only calls them
    compile_listed(0, 1)
    shipped.pack(path for path in _files() if path.exists())


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


def write_list() -> None:
    """List what the pictures need now, and what was listed before, which others may need."""
    look()
    rows = [row for row in dict.fromkeys([*used(), *listed()]) if _is_there(row)]
    LIST.write_text("".join(f"{' '.join(row)}\n" for row in rows), encoding="utf-8")


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
        write_list()
    elif word == SHIP:
        ship()
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
