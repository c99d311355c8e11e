"""Several processes that look at pictures; each gets all that the brain knows."""

from __future__ import annotations

import os
import signal
import time
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from threading import Thread
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from loky import BrokenProcessPool, ProcessPoolExecutor

from unrender.batch.brains import recalled
from unrender.batch.look import Errand, Report, View, look
from unrender.batch.machine import usable_cores
from unrender.batch.sources import Source

if TYPE_CHECKING:
    from unrender.memory import Snapshot

T = TypeVar("T")

ORPHANED = 0.5  # s: after which a process notices that the one that started it is gone
THREADS = "OMP_NUM_THREADS"  # which numerical libraries, and the encoder, read


def share(
    wanted: Sequence[Source],
    known: Snapshot | None,
    errand: Errand[T],
    jobs: int,
    max_seconds: float | None = None,
) -> Iterator[Report[T]]:
    """What `watch` gives, from several processes. Should one of them die, the rest is tried again; if that
    happens twice at the same place, what stands there is tried alone, and given up if that fails too."""
    ours = Ours(known, errand, max_seconds)
    left = deque(wanted)
    suspect = None
    while left:
        try:
            for reports in _pooled(list(left), ours, jobs):
                yield from reports
                left.popleft()
        except BrokenProcessPool:
            if left[0] is suspect:
                yield from _alone(left.popleft(), ours)
            else:
                suspect = left[0]


@dataclass(frozen=True)
class Ours(Generic[T]):
    """What every process is given when it starts."""

    known: Snapshot | None
    errand: Errand[T]
    max_seconds: float | None


def _alone(source: Source, ours: Ours[T]) -> list[Report[T]]:
    try:
        return next(_pooled([source], ours, 1))
    except BrokenProcessPool:
        return [Report(View(source), error=f'The process that looked at "{source.path}" was killed.')]


def _pooled(wanted: Sequence[Source], ours: Ours[T], jobs: int) -> Iterator[list[Report[T]]]:
    """The reports of each source, from a pool that ends with this iterator."""
    threads = max(1, usable_cores() // jobs)
    pool = ProcessPoolExecutor(
        jobs, initializer=_start, initargs=(ours, os.getpid()), env={THREADS: str(threads)}
    )
    try:
        with _deaf():  # processes that start now do not hear Ctrl-C: it is ours
            futures: list[Future[list[Report[T]]]] = [pool.submit(_work, source) for source in wanted]
        for future in futures:
            yield future.result()
    finally:
        with suppress(RuntimeError):  # interrupted before it had started: its processes end with ours
            pool.shutdown(kill_workers=True)


@contextmanager
def _deaf() -> Iterator[None]:
    """Ctrl-C is heard when the block is left, and never by the processes that start in it."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


_mine: list[Any] = []  # in a process of the pool: its brain, and what it was given


def _start(ours: Ours[T], parent: int) -> None:
    """Get a process ready; `parent` is the id of the one that started it."""
    from unrender.perception.warmup import prepare

    Thread(target=_end_with, args=(parent,), daemon=True).start()
    prepare()
    _mine[:] = [recalled(ours.known), ours]


def _end_with(parent: int) -> None:
    """Should the parent be killed, end as well: nobody would ever stop this process."""
    while os.getppid() == parent:
        time.sleep(ORPHANED)
    os._exit(1)


def _work(source: Source) -> list[Report[Any]]:
    brain, ours = _mine
    return list(look(source, brain, ours.errand, max_seconds=ours.max_seconds))
