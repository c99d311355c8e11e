"""What a worker of a cluster does: it looks at pictures that were sent to it."""

from __future__ import annotations

import os
import pickle
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from unrender.batch.brains import recalled
from unrender.batch.look import Errand, Report, look
from unrender.batch.resume import eyes
from unrender.batch.sources import Source
from unrender.errors import UnrenderError

if TYPE_CHECKING:
    from unrender.brain import Brain

SOON = 1.0  # s: after which a worker reports, so that little is lost should it die

Parcel = tuple[Source, bytes]  # a picture or video, and what stands in its file

_ours = threading.local()  # the brain of a thread, and what it was made of


@dataclass(frozen=True)
class Done:
    """What a worker reports."""

    reports: list[list[Report[Any]]]  # of each source that it has looked at
    seconds: float  # that it took


def work(
    parcels: Sequence[Parcel],
    known: bytes | None,
    errand: Errand[Any],
    seen_by: str,
    max_seconds: float | None = None,
) -> Done:
    """The reports of the first of these, one at least: none is begun when it is time to report.

    known: a pickled `Snapshot` of the brain; seen_by: the `eyes` that all workers must have; max_seconds: for
    each picture.
    """
    if eyes() != seen_by:
        raise UnrenderError(f"A worker of the cluster has {eyes()}, and this is {seen_by}; install the same.")
    brain, begin = _brain(known), time.perf_counter()
    reports: list[list[Report[Any]]] = []
    for source, content in parcels:
        reports.append(list(look(source, brain, errand, content, max_seconds)))
        if time.perf_counter() - begin > SOON:
            break
    return Done(reports, time.perf_counter() - begin)


def _brain(known: bytes | None) -> Brain:
    """The brain that knows this, opened once in each thread."""
    if getattr(_ours, "brain", None) is None or _ours.known != known:
        os.environ["OMP_NUM_THREADS"] = "1"  # Dask gives each thread a picture of its own
        _ours.brain, _ours.known = recalled(None if known is None else pickle.loads(known)), known
    brain: Brain = _ours.brain
    return brain
