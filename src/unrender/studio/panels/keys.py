"""The keyboard: one key for everything frequent, and a list of them."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from pathlib import Path

from nicegui import ui
from nicegui.element import Element
from nicegui.events import GenericEventArguments

from unrender.studio.panels.parts import Action, title


@dataclass(frozen=True)
class Key:
    """One key, what it does, in words and in deed."""

    name: str  # as the browser calls it
    shown: str  # in the list; empty for one that goes without saying
    meaning: str
    action: Action


class Listener(Element, component=Path(__file__).with_name("components") / "keys.js"):
    """Hears the keys of the whole page, except while somebody types."""


class Keys:
    """What the keys do, and the dialog that lists them."""

    def __init__(self, keys: list[Key]) -> None:
        self._actions = {key.name: key.action for key in keys}
        listener = Listener()
        listener.props["names"] = list(self._actions)
        listener.on("pressed", self._pressed)
        with ui.dialog().classes("keys").props('aria-label="keys"') as self.help, ui.card():
            with ui.row().classes("head"):
                title("Keys")
                ui.button("Close", on_click=self.help.close).props("flat dense no-caps")
            with ui.element("dl"):
                for key in filter(lambda key: key.shown, keys):
                    with ui.element("dt"):
                        ui.label(key.shown)
                    with ui.element("dd"):
                        ui.label(key.meaning)

    async def _pressed(self, event: GenericEventArguments) -> None:
        done = self._actions[str(event.args)]()
        if inspect.isawaitable(done):
            await done
