"""How long a picture may be looked at."""

from __future__ import annotations

import math
import time

from unrender.errors import UnrenderError


class Deadline:
    """A point in time after which nothing new is begun.

    >>> Deadline().passed(), Deadline(1000).passed()
    (False, False)
    """

    def __init__(self, seconds: float | None = None) -> None:
        """seconds: from now; without them it never passes."""
        if seconds is not None and not seconds > 0:
            raise UnrenderError(f"The seconds for a picture must be more than 0, not {seconds:g}.")
        self._end = math.inf if seconds is None else time.monotonic() + seconds
        self.missed = False  # whether something was left undone because of it

    def passed(self) -> bool:
        """Whether it has passed; ask only before something that is then left undone."""
        passed = time.monotonic() >= self._end
        self.missed = self.missed or passed
        return passed
