"""Small parts of the page, each with the role and the name that readers of the screen need."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from nicegui import ui
from nicegui.element import Element

Action = Callable[[], Awaitable[object] | object]


def title(text: str) -> Element:
    """The heading of a panel."""
    with ui.element("h2").classes("title") as made:
        ui.label(text)
    return made


def header_button(text: str, icon: str, tip: str, action: Action) -> ui.button:
    """A button with an icon; on a narrow screen the icon alone is shown."""
    made = ui.button(text, icon=icon, on_click=action, color=None).props("flat dense no-caps").tooltip(tip)
    made.props["aria-label"] = text or tip
    return made


def menu_item(text: str, action: Action) -> None:
    """A line of a menu."""
    ui.menu_item(text, action).props('role="menuitem"')


def card(name: str) -> Element:
    """A panel, which can be scrolled with the keyboard."""
    made = ui.element("section").classes(f"card {name}")
    return made.props(f'role="region" aria-label="{name}" tabindex=0')


def cell(tag: str, text: str, scope: str = "") -> Element:
    """A cell of a table. scope: of a heading, "col" or "row"."""
    with ui.element(tag) as made:
        ui.label(text)
    return made.props(f"scope={scope}") if scope else made
