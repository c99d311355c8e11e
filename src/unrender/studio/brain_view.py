"""The brain: its network as a picture, every symbol with a drawn sample, the matrix, the lessons."""

from __future__ import annotations

from functools import partial

from nicegui import background_tasks, ui

from unrender.studio.files import brains, open_other, save_copy
from unrender.studio.knowledge import Knowledge, Known, knowledge
from unrender.studio.shapes import colour
from unrender.studio.tab import Tab


class BrainView:
    """Shown in place of the scene."""

    def __init__(self, tab: Tab) -> None:
        self.tab = tab
        self._shown: object = None
        self.root = ui.element("main").classes("brain")
        self.root.set_visibility(False)
        with self.root:
            with ui.element("section").classes("card network"):
                with ui.row().classes("head"):
                    ui.label("Network").classes("title")
                    self.name = ui.label("").classes("hint grow")
                    ui.button("Save a copy", on_click=self._save).props("flat dense no-caps")
                    ui.button("Open another", on_click=self._open).props("flat dense no-caps")
                self.graph = ui.element("img").props('alt="the capsule network"').classes("graph")
            self.lessons = ui.element("section").classes("card lessons")
            self.symbols = ui.element("section").classes("card symbols")
            self.matrix = ui.element("section").classes("card matrix")
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
                ui.label(f"Lessons ({len(found.lessons)})").classes("title")
                undo = ui.button("Undo the last", on_click=self.tab.undo).props("flat dense no-caps")
                undo.set_enabled(bool(found.lessons))
            with ui.element("ol"):
                for lesson in found.lessons:
                    with ui.element("li"):
                        ui.label(lesson.title)
                        ui.label(f"{lesson.id}  {lesson.kind}  {lesson.at}").classes("hint")
            if not found.lessons:
                ui.label("Nothing has been taught yet.").classes("hint")

    def _symbols(self, found: Knowledge) -> None:
        self.symbols.clear()
        with self.symbols:
            ui.label("Symbols").classes("title")
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
                    ui.label(known.name).classes("strong")
                seen = f"seen {known.seen}×" + ("" if known.p is None else f", mean p {known.p:.2f}")
                ui.label(("primitive, " if known.primitive else "") + seen).classes("hint")
                for route in known.routes:
                    ui.label(route).classes("hint")
                if known.attributes:
                    ui.label(", ".join(known.attributes)).classes("hint")
            if not known.primitive:
                with ui.button(icon="more_vert").props('flat dense round aria-label="change"'), ui.menu():
                    ui.menu_item("Rename", lambda: self._rename(known.name))
                    ui.menu_item("Forget", lambda: self.tab.change(self.tab.desk.forget, known.name))

    def _matrix(self, found: Knowledge) -> None:
        self.matrix.clear()
        with self.matrix:
            ui.label("Decision matrix").classes("title")
            with ui.element("table"):
                self._row("th", "feature", found.columns)
                for feature, counts in found.matrix:
                    self._row("td", feature, tuple(map(str, counts)))

    def _row(self, cell: str, first: str, others: tuple[str, ...]) -> None:
        with ui.element("tr"):
            for text in (first, *others):
                with ui.element(cell):
                    ui.label(text)

    async def _ask(self, title: str, action: str, offered: list[str]) -> str:
        """A word from a small dialog; empty if there was none."""
        with self.root, ui.dialog() as dialog, ui.card().classes("asking"):
            ui.label(title).classes("title")
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
