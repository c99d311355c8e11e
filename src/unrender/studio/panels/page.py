"""The page: where every panel stands."""

from __future__ import annotations

from functools import partial

from nicegui import ui

from unrender.studio.desk.desk import Desk
from unrender.studio.panels.brain_view import BrainView
from unrender.studio.panels.components.canvas import Canvas, Tree
from unrender.studio.panels.components.range import Range
from unrender.studio.panels.export_menu import Exports
from unrender.studio.panels.film_panel import FilmPanel, Tools
from unrender.studio.panels.inspector import Inspector
from unrender.studio.panels.keys import Key, Keys
from unrender.studio.panels.parts import header_button
from unrender.studio.panels.question import QuestionPanel
from unrender.studio.panels.strip import Strip
from unrender.studio.panels.tab import Tab
from unrender.studio.panels.track_panel import TrackPanel
from unrender.studio.panels.world_panel import WorldPanel

PATIENCE = 15.0  # seconds in which the browser that has read the page must come back for what is on it


class Page:
    """One tab of the browser: header, two canvases, tree, panels and strip."""

    def __init__(self, desk: Desk) -> None:
        self.tab = tab = Tab(desk)
        self.line = 0  # of the tree, for those who have no mouse
        self.dark = ui.dark_mode(None)
        with ui.element("div").classes("studio"):  # inside the one `main` of the page
            self._header()
            with ui.element("div").classes("scene") as self.scene:
                self._picture()
                with ui.element("div").classes("side"):
                    self.question = QuestionPanel(tab)
                    self.inspector = Inspector(tab)
                    TrackPanel(tab)
                    WorldPanel(tab)
                self._redrawn()
                self.film = FilmPanel(tab)
                self._below()
            self.brain = BrainView(tab)
            self.strip = Strip(tab)
        self.keys = Keys(self._keys())
        tab.panels.append(self.refresh)

    def _header(self) -> None:
        tab = self.tab
        with ui.element("header"):
            with ui.element("h1").classes("logo"):
                ui.label("unrender")
            with ui.element("div").classes("group"):
                header_button("Open", "add_photo_alternate", "files (o)", lambda: self.strip.choose("files"))
                header_button(
                    "Folder", "folder_open", "all of a folder (f)", lambda: self.strip.choose("folder")
                )
            with ui.element("div").classes("group middle"):
                header_button("", "chevron_left", "previous picture (←)", lambda: tab.step(-1))
                self.title = ui.label("").classes("filename").props('aria-live="polite"')
                header_button("", "chevron_right", "next picture (→)", lambda: tab.step(1))
            with ui.element("div").classes("group"):
                header_button("Undo", "undo", "take back the last edit or lesson (Ctrl+Z)", tab.take_back)
                self.turn = header_button("Brain", "hub", "look into the brain (b)", self.turn_over)
                header_button("", "contrast", "light or dark (t)", self.turn_light)
                header_button("", "keyboard", "keys (?)", lambda: self.keys.help.open())

    def _picture(self) -> None:
        tab = self.tab
        with ui.element("section").classes("pane left"):
            self.left = Canvas("picture", tab.choose)
            Tools(tab)
        with self.left:
            with ui.element("div").classes("welcome") as self.welcome:
                ui.icon("image_search", size="56px")
                ui.label("Drop pictures or videos here").classes("strong")
                ui.label("or paste one").classes("hint")
                choose = ui.button("Choose files", on_click=lambda: self.strip.choose("files"))
                choose.props("unelevated no-caps")
            self.broken = ui.icon("broken_image", size="56px").classes("hint")

    def _redrawn(self) -> None:
        tab = self.tab
        with ui.element("section").classes("pane right"):
            self.right = Canvas("drawn again", tab.choose, quiet=True)
            tab.redrawn = self.right.redraw
            with ui.row().classes("tools"):
                ui.label("picture")
                self.blend = Range("blend", 0, 1, 0.01, 1.0, lambda _: self._blend()).classes("grow")
                ui.label("redrawn")
                self.difference = ui.checkbox("difference", on_change=self._blend).props("dense")
                self.exports = Exports(tab)

    def _below(self) -> None:
        with ui.element("section").classes("below").props('aria-label="what is seen"'):
            self.tree = Tree(self.tab.choose)
            self.description = ui.label("").classes("description")
            self.description.props('role="region" aria-label="in words" tabindex=0')

    def _blend(self) -> None:
        self.right.show(blend=self.blend.value, difference=self.difference.value)

    def refresh(self) -> None:
        """Show the picture, the tree and their names."""
        tab = self.tab
        picture, seen = tab.picture, tab.view
        self.title.set_text(picture.name if picture else "no picture")
        self.description.set_text(tab.words)
        selected, parts = seen.ids(tab.selected), seen.ids(tab.asked.parts if tab.asked else ())
        self.tree.show(nodes=seen.nodes, selected=selected, parts=parts)
        shown = {
            "nodes": seen.nodes,
            "selected": selected,
            "parts": parts,
            "width": seen.width,
            "height": seen.height,
            "marking": tab.marking,
            "at": seen.frame,
            "made": seen.made,
        }
        original = redrawn = ""
        if picture is not None and picture.scene is not None and seen.width:
            original, redrawn = picture.original_url, picture.redrawn_url
        self.welcome.set_visibility(picture is None)
        self.broken.set_visibility(picture is not None and bool(seen.error))
        playing = seen.film is not None
        self.scene.classes(add="filming" if playing else "", remove="" if playing else "filming")
        self.left.show(src=original, film="frames" if playing else "", **shown)
        self.right.show(src=original, over=redrawn, film="drawn" if playing else "", **shown)

    def turn_over(self) -> None:
        """From the scene to the brain and back."""
        inside = not self.brain.root.visible
        self.brain.root.set_visibility(inside)
        self.scene.set_visibility(not inside)
        self.turn.classes(add="on" if inside else "", remove="" if inside else "on")
        self.brain.refresh()

    def turn_light(self) -> None:
        """From light to dark and back."""
        self.dark.set_value(not self.dark.value)

    async def walk(self, by: int, add: bool = False) -> None:
        """Go to the next line of the tree, or to the one before, and select it, alone or with the others."""
        count = len(self.tab.view.nodes)
        if count:
            start = -1 if by > 0 else 0
            self.line = ((self.line if self.tab.selected else start) + by) % count
            await self.tab.choose([self.line], add and bool(self.tab.selected))

    async def take_line(self) -> None:
        """Leave the line of the tree that was gone to out of what is selected, or take it in again."""
        if self.line < len(self.tab.view.nodes):
            await self.tab.choose([self.line], True)

    def mark(self) -> None:
        """A click adds to what is selected, or selects alone again."""
        self.tab.marking = not self.tab.marking
        self.tab.repaint()

    def _keys(self) -> list[Key]:
        tab = self.tab
        keys = [
            Key("o", "o", "open files", lambda: self.strip.choose("files")),
            Key("f", "f", "open a folder", lambda: self.strip.choose("folder")),
            Key("l", "l", "look at all pictures", tab.look_at_all),
            Key("ArrowRight", "→", "next picture", lambda: tab.step(1)),
            Key("ArrowLeft", "←", "previous picture", lambda: tab.step(-1)),
            Key("ArrowDown", "↓", "next line of the tree", lambda: self.walk(1)),
            Key("ArrowUp", "↑", "line before", lambda: self.walk(-1)),
            Key("Shift+ArrowDown", "Shift ↓", "add the next line", lambda: self.walk(1, True)),
            Key("Shift+ArrowUp", "Shift ↑", "add the line before", lambda: self.walk(-1, True)),
            Key("Escape", "Esc", "select nothing", lambda: tab.choose([], False)),
            Key("m", "m", "mark: a click adds to what is selected", self.mark),
            Key("x", "x", "leave this line out, or take it in again", self.take_line),
            Key("p", "p", "play or stop a film", self.film.play),
            Key(",", ",  .", "a frame back, a frame on", lambda: self.film.step(-1)),
            Key(".", "", "", lambda: self.film.step(1)),
            Key("[", "[  ]", "a stretch of the film begins, or ends, here", lambda: self.film.mark("start")),
            Key("]", "", "", lambda: self.film.mark("end")),
            Key("w", "w", "find out why things move", tab.film.explain),
            Key("v", "v", "watch all pictures of the desk as one film", tab.make_film),
            Key("a", "a", "answer: type a word, then Enter", self.question.focus),
            Key("s", "s", "skip the question", self.question.skip),
            Key("Ctrl+z", "Ctrl Z", "take back the last edit or lesson", tab.take_back),
            Key("u", "u", "the same", tab.take_back),
            Key("Delete", "Del", "remove this picture from the desk", lambda: tab.remove(tab.picture)),
            Key("r", "r", "reset what was edited", tab.reset),
            Key("d", "d", "difference", lambda: self.difference.set_value(not self.difference.value)),
            Key("b", "b", "the brain, and back", self.turn_over),
            Key("t", "t", "light or dark", self.turn_light),
            Key("?", "?", "these keys", lambda: self.keys.help.open()),
        ]
        causes = [
            Key(
                str(n),
                "1 to 4" if n == 1 else "",
                "what is asked for: a known or new object or look",
                partial(self.question.pick_by_number, n),
            )
            for n in range(1, 5)
        ]
        return [*keys, *causes]


async def page(desk: Desk) -> None:
    """Build the page for one tab once its browser is there, and forget it when the tab is closed.

    A page takes about 1 MB here, so one that a program has read and nobody looks at is never built.
    """
    client = ui.context.client
    try:
        await client.connected(timeout=PATIENCE)
    except TimeoutError:
        client.delete()
    if client.is_deleted:
        return
    tab = Page(desk).tab
    desk.watchers[tab] = tab.changed
    client.on_delete(lambda: desk.watchers.pop(tab, None) and None)
    await tab.show(next(iter(desk.pictures.values()), None))
    tab.look_at_all()
