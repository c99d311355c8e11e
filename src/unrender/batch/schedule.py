"""Pictures one after the other in this process, or in several where that is sooner done."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import TYPE_CHECKING, TypeVar

from unrender.batch.brains import recalled
from unrender.batch.look import Errand, Report, look
from unrender.batch.machine import usable_cores
from unrender.batch.pool import share
from unrender.batch.sources import Source

if TYPE_CHECKING:
    from unrender.memory import Snapshot

T = TypeVar("T")

START = 1.5  # s: that a process takes at least before it sees its first picture
RESERVE = 1.5  # times: processes that start at once take longer than one alone
JUDGED = 2  # pictures after which the others are judged; the first one shows what a start takes


@dataclass
class Pace:
    """What pictures have taken in this process so far, in seconds."""

    first: float = 0.0  # the first one, with all that had to be loaded before it
    later: list[float] = field(default_factory=list)

    def add(self, seconds: float) -> None:
        """One more picture."""
        if self.first:
            self.later.append(seconds)
        else:
            self.first = seconds

    def worth(self, left: int, processes: int) -> bool:
        """Whether so many processes, which must start, see what is left sooner than this one.

        >>> Pace(3.0, [0.1, 0.1]).worth(left=10, processes=2), Pace(3.0, [0.1, 0.1]).worth(100, 2)
        (False, True)
        """
        if len(self.later) < JUDGED - 1:
            return False
        each = fmean(self.later)
        start = RESERVE * max(START, self.first - each)
        return start + left * each / processes < left * each


def paced(
    wanted: Sequence[Source],
    known: Snapshot | None,
    errand: Errand[T],
    max_seconds: float | None = None,
    pace: Pace | None = None,
) -> Iterator[Report[T]]:
    """What `watch` gives, from as many processes as the work is worth: one for a few pictures, and one for
    each core where there are many, or several videos. pace: what pictures took before these."""
    cores, pace = usable_cores(), pace or Pace()
    if cores > 1 and sum(source.video for source in wanted) > 1:
        yield from share(wanted, known, errand, min(cores, len(wanted)), max_seconds)
        return
    begin, brain = time.monotonic(), recalled(known)
    for done, source in enumerate(wanted):
        processes = min(cores, len(wanted) - done)
        if processes > 1 and pace.worth(len(wanted) - done, processes):
            yield from share(wanted[done:], known, errand, processes, max_seconds)
            return
        if source.video:
            yield from look(source, brain, errand, max_seconds=max_seconds)
        else:
            begin = time.monotonic() if done else begin
            reports = list(look(source, brain, errand, max_seconds=max_seconds))
            if all(report.error is None for report in reports):
                pace.add(time.monotonic() - begin)
            yield from reports
