"""The page: where every panel stands."""

from __future__ import annotations

from pathlib import Path

from nicegui import ui

from unrender.studio.canvas import Canvas, Tree
from unrender.studio.desk import Desk
from unrender.studio.exporting import Exports
from unrender.studio.inspector import Inspector
from unrender.studio.keys import Key, Keys
from unrender.studio.question import QuestionPanel
from unrender.studio.strip import Strip
from unrender.studio.tab import Tab

STYLE = Path(__file__).with_name("style.css")


class Page:
    """One tab of the browser: header, two canvases, tree, panels and strip."""

    def __init__(self, desk: Desk) -> None:
        self.tab = tab = Tab(desk)
        ui.add_css(STYLE.read_text(encoding="utf-8"))
        self.dark = ui.dark_mode(None)
        with ui.element("div").classes("studio"):
            self._header()
            with ui.element("main").classes("scene") as self.scene:
                self._canvases()
                with ui.element("aside"):
                    self.question = QuestionPanel(tab)
                    self.inspector = Inspector(tab)
            self.strip = Strip(tab)
        self.keys = Keys(self._keys())
        tab.panels.append(self.refresh)

    def _header(self) -> None:
        tab = self.tab
        with ui.element("header"):
            ui.label("unrender").classes("logo")
            ui.button("Open", icon="add_photo_alternate", on_click=lambda: self.strip.choose("files"))
            ui.button("Folder", icon="folder_open", on_click=lambda: self.strip.choose("folder"))
            ui.element("span").classes("gap")
            ui.button(icon="chevron_left", on_click=lambda: tab.step(-1)).tooltip("previous (left)")
            self.title = ui.label("").classes("filename")
            ui.button(icon="chevron_right", on_click=lambda: tab.step(1)).tooltip("next (right)")
            ui.element("span").classes("gap")
            ui.button("Undo", icon="undo", on_click=tab.undo).tooltip("take back the last lesson (u)")
            ui.button(icon="contrast", on_click=self.turn_light).tooltip("light or dark (t)")
            ui.button(icon="keyboard", on_click=lambda: self.keys.help.open()).tooltip("keys (?)")

    def _canvases(self) -> None:
        tab = self.tab
        with ui.element("section").classes("pane left"):
            self.left = Canvas("picture", tab.choose)
        with ui.element("section").classes("pane right"):
            self.right = Canvas("drawn again", tab.choose, quiet=True)
            with ui.row().classes("tools"):
                ui.label("picture")
                self.blend = ui.slider(min=0, max=1, step=0.01, value=1.0, on_change=self._blend)
                self.blend.props('dense aria-label="blend"').classes("grow")
                ui.label("redrawn")
                self.difference = ui.checkbox("difference", on_change=self._blend).props("dense")
                self.exports = Exports(tab)
        with ui.element("section").classes("below"):
            self.tree = Tree(tab.choose)
            self.description = ui.label("").classes("description")

    def _blend(self) -> None:
        self.right.show(blend=self.blend.value, difference=self.difference.value)

    def refresh(self) -> None:
        """Show the picture, the tree and their names."""
        tab = self.tab
        picture, seen = tab.picture, tab.view
        self.title.set_text(picture.name if picture else "no picture")
        self.description.set_text(seen.description)
        selected, parts = seen.ids(tab.selected), seen.ids(tab.asked.parts if tab.asked else ())
        self.tree.show(seen.nodes, selected, parts)
        shown = {
            "nodes": seen.nodes,
            "selected": selected,
            "parts": parts,
            "width": seen.width,
            "height": seen.height,
            "marking": tab.marking,
        }
        original = redrawn = ""
        if picture is not None and picture.scene is not None and seen.width:
            original, redrawn = (
                f"/studio/{picture.id}/original",
                f"/studio/{picture.id}/redrawn?v={seen.version}",
            )
        self.left.show(src=original, **shown)
        self.right.show(src=original, over=redrawn, **shown)

    def turn_light(self) -> None:
        """From light to dark and back."""
        self.dark.set_value(not self.dark.value)

    async def walk(self, by: int) -> None:
        """Select the next node of the tree, or the one before."""
        here = self.tab.view.ids(self.tab.selected[-1:])
        count = len(self.tab.view.nodes)
        if count:
            await self.tab.choose([((here[0] if here else (-1 if by > 0 else 0)) + by) % count], False)
            self._at = self.tab.selected[-1:]

    def _keys(self) -> list[Key]:
        tab = self.tab
        keys = [
            Key("o", "o", "open files", lambda: self.strip.choose("files")),
            Key("f", "f", "open a folder", lambda: self.strip.choose("folder")),
            Key("ArrowRight", "→", "next picture", lambda: tab.step(1)),
            Key("ArrowLeft", "←", "previous picture", lambda: tab.step(-1)),
            Key("ArrowDown", "↓", "next line of the tree", lambda: self.walk(1)),
            Key("ArrowUp", "↑", "line before", lambda: self.walk(-1)),
            Key("Escape", "Esc", "select nothing", lambda: tab.choose([], False)),
            Key("a", "a", "answer: type a word, then Enter", self.question.focus),
            Key("s", "s", "skip the question", self.question.skip),
            Key("u", "u", "take back the last lesson", tab.undo),
            Key("r", "r", "reset what was edited", tab.reset),
            Key("d", "d", "difference", lambda: self.difference.set_value(not self.difference.value)),
            Key("t", "t", "light or dark", self.turn_light),
            Key("?", "?", "these keys", lambda: self.keys.help.open()),
        ]
        causes = [
            Key(str(n), str(n), f"cause {n} of the question", lambda n=n: self.question.pick_by_number(n))  # type: ignore[misc]
            for n in range(1, 5)
        ]
        return [*keys, *causes]


async def page(desk: Desk) -> None:
    """Build the page for one tab, and forget it when the tab is closed."""
    made = Page(desk)
    tab = made.tab
    desk.watchers[tab] = tab.changed
    tab.client.on_delete(lambda: desk.watchers.pop(tab, None) and None)
    await tab.client.connected(timeout=60)
    await tab.show(next(iter(desk.pictures.values()), None))
    tab.look_at_all()
