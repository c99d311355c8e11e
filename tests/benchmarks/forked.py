"""Scripts run in forks of one process that has imported the heavy packages, which takes longer than many."""

from __future__ import annotations

import multiprocessing
import os
import resource
import runpy
import sys
from dataclasses import dataclass
from pathlib import Path

FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(
    [
        *("cv2", "matplotlib.figure", "rich.table", "scipy.optimize", "scipy.spatial", "skimage.metrics"),
        *("numba", "torch", "unrender.brain", "unrender.capsules.see", "unrender.learning.objects.lesson"),
    ]
)


@dataclass(frozen=True)
class Ended:
    """How a script ended, what it printed, and the CPU seconds that it and its own processes took."""

    code: int | None
    said: str
    seconds: float


def run_script(path: Path, words: list[str], folder: Path, timeout: float) -> Ended:
    """Like `python path words` in a folder, stopped after `timeout` seconds."""
    log, clock = folder.with_suffix(".log"), folder.with_suffix(".clock")
    process = FORKS.Process(target=_script, args=(str(path), words, str(folder), str(log), str(clock)))
    process.start()
    process.join(timeout)
    if process.exitcode is None:
        process.kill()
        process.join()
    seconds = float(clock.read_text()) if clock.exists() else 0.0
    return Ended(process.exitcode, log.read_text(encoding="utf-8"), seconds)


def _script(path: str, words: list[str], folder: str, log: str, clock: str) -> None:
    """What the fork does."""
    os.chdir(folder)
    file = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(file, 1)
    os.dup2(file, 2)
    sys.argv = [path, *words]
    sys.path.insert(0, os.path.dirname(path))
    try:
        runpy.run_path(path, run_name="__main__")
    finally:
        used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        Path(clock).write_text(str(sum(own.ru_utime + own.ru_stime for own in used)))
