"""Work off the event loop: one thread for everything that touches a brain, and jobs that can be cancelled."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class Work:
    """One thread: a brain and its scenes are never touched by two errands at once."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="brain")

    async def do(self, errand: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The result of `errand(*args)`, which waits for its turn; the event loop goes on meanwhile."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, partial(errand, *args, **kwargs))

    def soon(self, errand: Callable[[], object]) -> None:
        """Run an errand when its turn comes; nobody waits for it."""
        self._thread.submit(errand)

    def close(self) -> None:
        """Finish the errand at hand and forget those that wait."""
        self._thread.shutdown(cancel_futures=True)


@dataclass
class Job:
    """A long piece of work made of many errands: how far it is, and whether somebody has had enough of it."""

    title: str
    total: int
    done: int = 0
    cancelled: bool = False

    @property
    def share(self) -> float:
        """How much of it is done, in [0, 1]."""
        return self.done / self.total if self.total else 1.0

    def __str__(self) -> str:
        return f"{self.title}: {self.done} of {self.total}"
