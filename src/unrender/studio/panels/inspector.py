"""The inspector: the values of what is selected, as sliders and a colour field that redraw at once."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from nicegui import ui
from nicegui.events import GenericEventArguments

from unrender.errors import UnrenderError
from unrender.scene import Observation
from unrender.studio.desk.editing import COLOUR, STROKE, Knob, knobs
from unrender.studio.desk.picture import Key, find
from unrender.studio.panels.components.range import EVERY, Range
from unrender.studio.panels.shapes import colour, short
from unrender.studio.panels.tab import Tab


class Inspector:
    """One selected node with all its values; several only by name."""

    def __init__(self, tab: Tab) -> None:
        self.tab = tab
        self._shown: object = None
        self.mark: ui.button | None = None  # shown once something was edited
        with ui.element("section").classes("card inspector").props('aria-label="selection"') as self.card:
            pass
        tab.panels.append(self.refresh)

    def refresh(self) -> None:
        """Build the panel anew if something else is selected; values that are being moved stay alone."""
        tab = self.tab
        self.card.set_visibility(tab.film.open is None)  # what moves has a panel of its own
        edited = tab.picture.edited if tab.picture else False
        restored = tab.picture.restored if tab.picture else 0
        now = (tab.picture, tuple(tab.selected), restored, edited, tab.view.version if not edited else 0)
        if now == self._shown or tab.picture is None or tab.view.version < 0:
            return
        again = isinstance(self._shown, tuple) and self._shown[:3] == now[:3] and edited
        self._shown = now
        if again and self.mark is not None:  # the first change by hand
            self.mark.set_visibility(True)
            return
        self.card.clear()
        node = None
        if len(tab.selected) == 1:
            with suppress(UnrenderError):  # another tab has taught something meanwhile
                (node,) = find(tab.picture.seen(), tab.selected)
        with self.card:
            with ui.row().classes("head"):
                self._title(node)
                self.mark = ui.button("Reset", on_click=tab.reset).props("flat dense no-caps")
                self.mark.set_visibility(edited)
            if node is not None:
                self._values(tab.selected[0], node)

    def _title(self, node: Observation | None) -> None:
        if node is None:
            count = len(self.tab.selected)
            ui.label(f"{count} things are selected." if count else "Nothing is selected.").classes("hint")
            return
        with ui.row().classes("who"):
            ui.element("i").style(f"background: {colour(node.symbol)}")
            ui.label(short(node.symbol)).classes("strong")
            ui.label(f"p {node.p:.2f}" + (f", {node.route}" if node.route else "")).classes("hint")

    def _values(self, key: Key, node: Observation) -> None:
        if node.hidden:
            ui.label("hidden: " + ", ".join(part.symbol for part in node.hidden)).classes("hint")
        for label, names in (("colour", COLOUR), ("border", STROKE)):
            if all(name in node.attributes for name in names):
                self._colour(key, node, label, names)
        assert self.tab.picture is not None
        for knob in knobs(node, self.tab.picture.seen()):
            self._slider(key, knob)
        if node.parts:
            self._word()

    def _slider(self, key: Key, knob: Knob) -> None:
        async def move(value: float) -> None:
            number.set_text(f"{value:z.2f}")
            await self.tab.edit(key, knob.name, value)

        async def settle(value: float) -> None:
            await move(value)
            await self.tab.let_go()

        with ui.row().classes("knob"):
            ui.label(knob.name).classes("label").props('aria-hidden="true"')
            Range(knob.name, knob.low, knob.high, knob.step, knob.value, move, settle).classes("grow")
            number = ui.label(f"{knob.value:z.2f}").classes("value")

    def _colour(self, key: Key, node: Observation, label: str, names: Sequence[str]) -> None:
        """The colour of the inside, or that of the stroke."""
        value = "#" + "".join(f"{round(255 * node.attributes[name]):02x}" for name in names)
        with ui.row().classes("knob"):
            ui.label(label).classes("label")
            field = ui.element("input").props(f'type=color value="{value}" aria-label="{label}"')

        async def pick(event: GenericEventArguments) -> None:
            text = str(event.args)
            for i, name in enumerate(names):
                await self.tab.edit(key, name, int(text[1 + 2 * i : 3 + 2 * i], 16) / 255)

        async def settle(event: GenericEventArguments) -> None:
            await pick(event)
            await self.tab.let_go()

        field.on("input", pick, throttle=EVERY / 1000, js_handler="(e) => emit(e.target.value)")
        field.on("change", settle, js_handler="(e) => emit(e.target.value)")

    def _word(self) -> None:
        """Teach a word for how this object looks."""
        with ui.row().classes("word"):
            word = ui.input(placeholder="it looks ... (damaged)").props('dense outlined aria-label="look"')
            word.classes("grow")
            amount = ui.number(value=1.0, min=0, max=1, step=0.1, format="%.2f")
            amount.props('dense outlined aria-label="amount"').classes("amount")

            async def teach() -> None:
                await self.tab.teach_word((word.value or "").strip(), float(amount.value or 0.0))

            word.on("keydown.enter", teach)
            ui.button("Teach", on_click=teach).props("flat dense no-caps")
