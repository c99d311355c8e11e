"""Work on several cores: threads that each do one thing at a time.

Looking at a small picture is too little work for one network to be shared among cores, but there are several.
All else is thousands of small steps, which several cores only hinder: while one of them works the others wait
for it at full speed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import lru_cache
from threading import Barrier, local
from typing import TypeVar

import torch

T = TypeVar("T")
R = TypeVar("R")
_HERE = local()


@contextmanager
def one_thread() -> Iterator[None]:
    """torch computes on the calling thread only; `each` still shares its work among all cores."""
    before, cores = torch.get_num_threads(), _cores()
    torch.set_num_threads(1)
    _HERE.cores = cores
    try:
        yield
    finally:
        _HERE.cores = None
        torch.set_num_threads(before)


def _cores() -> int:
    return getattr(_HERE, "cores", None) or torch.get_num_threads()


def each(function: Callable[[T], R], items: Iterable[T]) -> list[R]:
    """What the function gives for every item, on as many cores as torch may use."""
    several, count = list(items), _cores()
    if count == 1 or len(several) == 1:
        return [function(item) for item in several]
    return list(_workers(os.getpid(), count).map(function, several))


@lru_cache(maxsize=1)
def _workers(process: int, count: int) -> ThreadPoolExecutor:
    """Threads of this very process: a fork has none of its parent's."""
    started = Barrier(count + 1)

    def start() -> None:
        torch.set_num_threads(1)
        torch.get_num_threads()  # a thread takes the number when it first asks
        started.wait()

    before = torch.get_num_threads()
    pool = ThreadPoolExecutor(count, "unrender-look", start)
    for _ in range(count):
        pool.submit(int)
    started.wait()
    torch.set_num_threads(before)  # which the workers have changed for threads to come
    return pool
