"""A slider with a name: what the page uses wherever a number is moved."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from nicegui.element import Element
from nicegui.events import GenericEventArguments

Moved = Callable[[float], Any]
EVERY = 30  # ms between two values that a moving slider sends


class Range(Element, component=Path(__file__).with_name("range.js")):
    """One number between `low` and `high`."""

    def __init__(
        self,
        label: str,
        low: float,
        high: float,
        step: float,
        value: float,
        moved: Moved | None = None,
        settled: Moved | None = None,
        *,
        every: int = EVERY,
    ) -> None:
        """label: its name for readers of the screen; moved: hears of every value on the way; settled: of the
        last one, when it is let go."""
        super().__init__()
        self.value = value
        self._props.update(label=label, low=low, high=high, step=step, value=value, every=every)
        self.on("move", partial(self._hear, moved))
        self.on("settle", partial(self._hear, settled or moved))

    def show(self, value: float, high: float | None = None) -> None:
        """Move it to another value, and its end with it."""
        high = self._props["high"] if high is None else high
        if (value, high) != (self._props["value"], self._props["high"]):
            self.value = value
            self._props.update(value=value, high=high)
            self.update()

    async def _hear(self, told: Moved | None, event: GenericEventArguments) -> None:
        self.value = float(event.args)
        self._props["value"] = self.value  # as the browser shows it already
        if told is not None:
            done = told(self.value)
            if inspect.isawaitable(done):
                await done
