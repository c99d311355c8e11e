"""What a worker of a cluster does: it looks at a picture that was sent to it."""

from __future__ import annotations

import pickle
import threading
from typing import TYPE_CHECKING, Any

from unrender.cli.brains import recalled
from unrender.cli.keeping import eyes
from unrender.cli.sources import Source
from unrender.cli.watch import Errand, Report, look
from unrender.errors import UnrenderError

if TYPE_CHECKING:
    from unrender.brain import Brain

_ours = threading.local()  # the brain of a thread, and what it was made of


def work(
    source: Source, content: bytes, known: bytes | None, errand: Errand[Any], seen_by: str
) -> list[Report[Any]]:
    """The reports of the picture or video whose file holds `content`.

    known: a pickled `Snapshot` of the brain; seen_by: the `eyes` that all workers must have.
    """
    if eyes() != seen_by:
        raise UnrenderError(f"A worker of the cluster has {eyes()}, and this is {seen_by}; install the same.")
    return list(look(source, _brain(known), errand, content))


def _brain(known: bytes | None) -> Brain:
    """The brain that knows this, opened once in each thread."""
    if getattr(_ours, "brain", None) is None or _ours.known != known:
        import torch

        torch.set_num_threads(1)  # Dask gives each thread a picture of its own
        _ours.brain, _ours.known = recalled(None if known is None else pickle.loads(known)), known
    brain: Brain = _ours.brain
    return brain
