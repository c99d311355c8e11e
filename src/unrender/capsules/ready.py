"""The loops of seeing as machine code: compiled on all cores at once before the first picture is seen.

Other processes compile them and keep them on disk, where numba looks for them: beside the source, or in the
user's cache folder if nothing can be written there. This one waits, so that the first picture is seen by the
same code as all that follow.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from hashlib import sha256
from pathlib import Path
from subprocess import DEVNULL, Popen
from tempfile import TemporaryDirectory
from typing import Any

from unrender.graphics.compiled import exact
from unrender.graphics.registry import primitives

HELPERS = 4  # more would wait for the longest loop


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
    with _alone(mark.with_suffix(".lock")), TemporaryDirectory() as taken:
        if not mark.exists() and _compiled_by_others(taken):
            mark.touch()


def _compiled_by_others(taken: str) -> bool:
    """Whether processes that share the work through a folder were able to do it."""
    command = [sys.executable, "-m", "unrender.capsules.ready", taken]
    known = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    helpers: list[Popen[bytes]] = []
    try:
        for _ in range(min(HELPERS, os.cpu_count() or 1)):
            helpers.append(Popen(command, env=known, stdin=DEVNULL, stdout=DEVNULL, stderr=DEVNULL))
        codes = [helper.wait() for helper in helpers]
        return not any(codes)
    except OSError:  # no process can be started here
        return False
    finally:
        for helper in helpers:
            helper.kill()


def compile_share(taken: Path) -> None:
    """Compile every loop that no other process has taken: a file says so in the folder that they share."""
    wanted = loops()
    gc.freeze()  # what is there by now stays, so nobody need look at it again
    for number, (loop, types) in enumerate(wanted):
        try:
            (taken / str(number)).touch(exist_ok=False)
        except FileExistsError:
            continue
        loop.compile(types)


def loops() -> list[tuple[Any, tuple[Any, ...]]]:
    """All that seeing needs, with the types of their parameters."""
    import unrender.capsules.silhouettes
    import unrender.capsules.soft  # noqa: F401  these two have them all

    for primitive in primitives().values():
        primitive.compiled_normal  # noqa: B018  is made when first asked for
    return exact()


def _mark() -> Path | None:
    """The file that says that these very loops are kept for this machine; None where nothing can be."""
    import llvmlite.binding
    import numba

    wanted = [loop for loop, _ in loops()]
    folder = wanted[0].stats.cache_path if wanted else None
    if folder is None:
        return None
    sources = sorted({loop.py_func.__code__.co_filename for loop in wanted})
    stamps = [(path, os.stat(path).st_mtime_ns, os.stat(path).st_size) for path in sources]
    machine = llvmlite.binding.get_host_cpu_name(), llvmlite.binding.get_host_cpu_features().flatten()
    told = repr((stamps, machine, numba.__version__, sys.version))
    return Path(folder) / f"unrender-{sha256(told.encode()).hexdigest()[:16]}.ready"


@contextmanager
def _alone(path: Path) -> Iterator[None]:
    """One process at a time; on systems without such locks they may do the same work twice."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


if __name__ == "__main__":
    if len(sys.argv) > 1:
        compile_share(Path(sys.argv[1]))
    else:
        make_ready()
