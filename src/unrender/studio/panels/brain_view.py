"""The brain: its network as a picture, every symbol with a drawn sample, the matrix, the lessons."""

from __future__ import annotations

from functools import partial

from nicegui import background_tasks, ui

from unrender.studio.desk.asked import MEANINGS, in_words
from unrender.studio.desk.files import brains, open_other, save_copy
from unrender.studio.desk.knowledge import Knowledge, Known, knowledge
from unrender.studio.panels.parts import card, cell, menu_item, title
from unrender.studio.panels.shapes import colour, short
from unrender.studio.panels.tab import Tab


class BrainView:
    """Shown in place of the scene."""

    def __init__(self, tab: Tab) -> None:
        self.tab = tab
        self._shown: object = None
        self.root = ui.element("div").classes("brain")
        self.root.set_visibility(False)
        with self.root:
            with ui.element("section").classes("card network").props('aria-label="network"'):
                with ui.row().classes("head"):
                    title("Network")
                    self.name = ui.label("").classes("hint grow")
                    ui.button("Save a copy", on_click=self._save).props("flat dense no-caps")
                    ui.button("Open another", on_click=self._open).props("flat dense no-caps")
                self.graph = ui.element("img").props('alt="the capsule network"').classes("graph")
            self.lessons = card("lessons")
            self.symbols = card("symbols")
            self.matrix = card("matrix")
        tab.panels.append(self.refresh)

    def refresh(self) -> None:
        """Look into the brain again if it is shown and something has changed."""
        desk = self.tab.desk
        now = (desk.brain, desk.lesson, sum(picture.version for picture in desk.pictures.values()))
        if self.root.visible and now != self._shown:
            self._shown = now
            background_tasks.create(self._look())

    async def _look(self) -> None:
        found = await self.tab.attempt(knowledge, self.tab.desk)
        if found is not None and not self.tab.closed:
            with self.tab.client:
                self.name.set_text(self.tab.desk.name)
                self.graph.props["src"] = f"/studio/brain/graph?v={self.tab.desk.lesson}"
                self.graph.update()
                self._lessons(found)
                self._symbols(found)
                self._matrix(found)

    def _lessons(self, found: Knowledge) -> None:
        self.lessons.clear()
        with self.lessons:
            with ui.row().classes("head"):
                title(f"Lessons ({len(found.lessons)})")
                undo = ui.button("Undo the last", on_click=self._undo).props("flat dense no-caps")
                undo.set_enabled(bool(found.lessons))
            with ui.element("ol"):
                for lesson in found.lessons:
                    with ui.element("li"):
                        ui.label(in_words(lesson.title))
                        ui.label(f"lesson {lesson.id}, {lesson.kind}, {lesson.at}").classes("hint")
            if not found.lessons:
                ui.label("Nothing has been taught yet.").classes("hint")

    def _symbols(self, found: Knowledge) -> None:
        self.symbols.clear()
        with self.symbols:
            title("Symbols")
            with ui.element("div").classes("samples"):
                for known in found.symbols:
                    self._symbol(known)

    def _symbol(self, known: Known) -> None:
        with ui.element("article").classes("symbol"):
            picture = ui.element("img")
            picture.props["src"], picture.props["alt"] = known.sample, known.name
            with ui.element("div"):
                with ui.row().classes("who"):
                    ui.element("i").style(f"background: {colour(known.name)}")
                    ui.label(short(known.name)).classes("strong")
                seen = f"seen {known.seen}×" + ("" if known.p is None else f", mean p {known.p:.2f}")
                ui.label(("primitive, " if known.primitive else "") + seen).classes("hint")
                for route in known.routes:
                    ui.label(route).classes("hint")
                if known.attributes:
                    ui.label(", ".join(known.attributes)).classes("hint")
            if not known.primitive:
                more = ui.button(icon="more_vert").props("flat dense round")
                more.props["aria-label"] = f"change {short(known.name)}"
                with more, ui.menu():
                    menu_item("Rename", lambda: self._rename(known.name))
                    menu_item("Forget", lambda: self.tab.change(self.tab.desk.forget, known.name))

    def _matrix(self, found: Knowledge) -> None:
        self.matrix.clear()
        with self.matrix:
            title("Decision matrix")
            ui.label("How often each feature came with which answer.").classes("hint")
            with ui.element("table"):
                with ui.element("tr"):
                    cell("th", "feature", "col")
                    for cause in found.columns:
                        few, more = MEANINGS[cause]
                        cell("th", few, "col").props["title"] = f"{more}: {cause} in the paper"
                for feature, counts in found.matrix:
                    with ui.element("tr"):
                        cell("th", feature, "row")
                        for count in counts:
                            cell("td", str(count))

    async def _undo(self) -> None:
        await self.tab.change(self.tab.desk.undo)

    async def _ask(self, wanted: str, action: str, offered: list[str]) -> str:
        """A word from a small dialog; empty if there was none."""
        with self.root, ui.dialog() as dialog, ui.card().classes("asking"):
            dialog.props["aria-label"] = wanted
            title(wanted)
            field = ui.input().props('outlined dense autofocus aria-label="name"').classes("name")
            field.on("keydown.enter", lambda: dialog.submit(field.value))
            with ui.row().classes("offers"):
                for word in offered:
                    with ui.element("button").classes("offer") as offer:
                        ui.label(word)
                    offer.on("click", lambda word=word: dialog.submit(word))
            with ui.row().classes("buttons"):
                ui.button(action, on_click=lambda: dialog.submit(field.value)).props("unelevated no-caps")
                ui.button("Cancel", on_click=lambda: dialog.submit("")).props("flat no-caps")
        word = str(await dialog or "").strip()
        if not self.tab.closed:
            dialog.delete()
        return word

    async def _rename(self, old: str) -> None:
        new = await self._ask("Another name", "Rename", [])
        if new:
            await self.tab.change(self.tab.desk.rename, old, new)

    async def _save(self) -> None:
        desk = self.tab.desk
        name = await self._ask("Name of the copy", "Save", [])
        if name:
            saved = await self.tab.attempt(save_copy, desk, name)
            if saved is not None:
                self.tab.say(f"Saved as {saved}.")

    async def _open(self) -> None:
        desk = self.tab.desk
        name = await self._ask("Which brain? A new name makes a new one.", "Open", brains(desk.folder))
        if name:
            await self.tab.change(partial(open_other, desk), name)
