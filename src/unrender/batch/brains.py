"""What a brain knows, to be handed to other processes and machines."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from unrender.brain import Brain
    from unrender.memory import Snapshot


def knowledge(path: Path | None) -> Snapshot | None:
    """What a brain file that is there holds now: other processes and machines can be given it."""
    if path is None:
        return None
    from unrender.memory import Store

    with Store.open(path) as store:
        return store.read()


def recalled(known: Snapshot | None) -> Brain:
    """A brain in memory that knows this, or primitives only."""
    from unrender.brain import Brain

    return Brain() if known is None else Brain.recall(known)
