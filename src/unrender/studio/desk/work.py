"""Work off the event loop: one thread for everything that touches a brain, and jobs that can be cancelled."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import partial
from queue import PriorityQueue
from threading import Thread
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
SHORT, LONG, END = 0, 1, -1  # what runs first


@dataclass(frozen=True, order=True)
class _Errand:
    kind: int
    number: int
    call: Callable[[], Any] = field(compare=False, default=int)
    result: Future[Any] = field(compare=False, default_factory=Future)

    def run(self) -> None:
        if self.result.set_running_or_notify_cancel():
            try:
                self.result.set_result(self.call())
            except BaseException as error:
                self.result.set_exception(error)


class Work:
    """One thread: a brain and its scenes are never touched by two errands at once. A long errand lets short
    ones pass whenever it takes a breath."""

    def __init__(self) -> None:
        self.closing = False
        self._waiting: PriorityQueue[_Errand] = PriorityQueue()
        self._numbers = itertools.count()
        self._thread = Thread(target=self._run, name="brain", daemon=True)
        self._thread.start()

    async def do(self, errand: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The result of `errand(*args)`, which waits for its turn; the event loop goes on meanwhile."""
        result: T = await asyncio.wrap_future(self._put(SHORT, partial(errand, *args, **kwargs)))
        return result

    async def do_long(self, errand: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """The same for an errand of many seconds, which calls `breathe` now and then."""
        result: T = await asyncio.wrap_future(self._put(LONG, partial(errand, *args, **kwargs)))
        return result

    def soon(self, errand: Callable[[], object]) -> None:
        """Run an errand when its turn comes; nobody waits for it."""
        self._put(SHORT, errand)

    def breathe(self) -> None:
        """Run the short errands that wait, in the middle of a long one."""
        while not self._waiting.empty():  # nobody else takes anything out
            errand = self._waiting.get()
            if errand.kind != SHORT:
                self._waiting.put(errand)
                return
            errand.run()

    def close(self) -> None:
        """Finish the errand at hand and forget those that wait."""
        if not self.closing:
            self.closing = True
            self._put(END, int)
            self._thread.join()
            while not self._waiting.empty():
                self._waiting.get().result.cancel()

    def _put(self, kind: int, call: Callable[[], Any]) -> Future[Any]:
        errand = _Errand(kind, next(self._numbers), call)
        self._waiting.put(errand)
        return errand.result

    def _run(self) -> None:
        while (errand := self._waiting.get()).kind != END:
            errand.run()


@dataclass
class Job:
    """A long piece of work made of many errands: how far it is, and whether somebody has had enough of it."""

    title: str
    total: int | None  # None where nobody knows
    done: int = 0
    cancelled: bool = False

    @property
    def share(self) -> float:
        """How much of it is done, in [0, 1]."""
        return min(self.done / self.total, 1.0) if self.total else float(self.total == 0)

    def __str__(self) -> str:
        return f"{self.title}: {self.done}" + (f" of {self.total}" if self.total is not None else "")
