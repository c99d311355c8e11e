"""The keyboard: one key for everything frequent, and a list of them."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from nicegui import ui
from nicegui.events import KeyEventArguments

Action = Callable[[], Awaitable[object] | object]


@dataclass(frozen=True)
class Key:
    """One key, what it does, in words and in deed."""

    name: str  # as the browser calls it
    shown: str
    meaning: str
    action: Action


class Keys:
    """Listens to the whole page, except while somebody types."""

    def __init__(self, keys: list[Key]) -> None:
        self._actions = {key.name: key.action for key in keys}
        ui.keyboard(self._pressed, ignore=["input", "select", "textarea"])
        with ui.dialog().classes("keys") as self.help, ui.card():
            ui.label("Keys").classes("title")
            with ui.element("dl"):
                for key in keys:
                    with ui.element("dt"):
                        ui.label(key.shown)
                    with ui.element("dd"):
                        ui.label(key.meaning)

    async def _pressed(self, event: KeyEventArguments) -> None:
        if not event.action.keydown or event.modifiers.ctrl or event.modifiers.alt or event.modifiers.meta:
            return
        action = self._actions.get(event.key.name)
        if action is not None:
            done = action()
            if inspect.isawaitable(done):
                await done
