"""The strip of thumbnails, and the ways in which files come to the desk."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from nicegui import ui
from nicegui.element import Element
from nicegui.events import GenericEventArguments

from unrender.studio.desk.picture import Picture, State
from unrender.studio.desk.uploads import LARGEST
from unrender.studio.panels.tab import Tab

FEWEST = 4  # pictures that could be a film
COMPONENTS = Path(__file__).with_name("components")
MARKS = {State.NEW: "new", State.QUESTION: "asks", State.UNDERSTOOD: "fine", State.BROKEN: "bad"}


class Thumbnails(Element, component=COMPONENTS / "strip.js"):
    """All pictures on the desk."""


class Opener(Element, component=COMPONENTS / "opener.js"):
    """Takes files from a chooser, a folder, a drop or the clipboard."""


class Strip:
    """Thumbnails with their states, how far a long job is, and the opener."""

    def __init__(self, tab: Tab) -> None:
        self.tab = tab
        with ui.element("footer").classes("bottom"):
            self.thumbnails = Thumbnails()
            self.thumbnails.on("turn", self._turn)
            self.thumbnails.on("remove", self._remove)
            self.film = ui.button("As a film", icon="movie", on_click=tab.make_film).props(
                "flat dense no-caps"
            )
            self.film.classes("as-film").tooltip("watch all pictures, in this order, as one film (v)")
            with ui.element("div").classes("job") as self.job:
                self.title = ui.label("")
                ui.button("Cancel", on_click=self._cancel).props("flat dense no-caps").classes("cancel")
                self.bar = ui.linear_progress(0.0, show_value=False).props(
                    'rounded size=6px instant-feedback aria-label="progress"'
                )
            self.opener = Opener()
            self.opener.props["largest"] = LARGEST
            self.opener.on("opened", self._opened)
            self.opener.on("refused", lambda event: tab.say(str(event.args), bad=True))
        tab.panels.append(self.refresh)

    def choose(self, which: str) -> None:
        """Let a person choose "files" or a "folder"."""
        self.opener.run_method("choose", which)

    def refresh(self) -> None:
        """Show all pictures, and the job if there is one."""
        tab = self.tab
        items = [_item(picture) for picture in tab.desk.pictures.values()]
        current = tab.picture.id if tab.picture else None
        props = self.thumbnails.props
        if props.get("items") != items or props.get("current") != current:
            props.update(items=items, current=current)
            self.thumbnails.update()
        job = tab.desk.job
        self.film.set_visibility(len(tab.desk.stills) >= FEWEST)
        self.job.set_visibility(job is not None)
        if job is not None:
            self.title.set_text(str(job))
            self.bar.set_value(job.share)

    async def _turn(self, event: GenericEventArguments) -> None:
        picture = self.tab.desk.pictures.get(str(event.args))
        if picture is not None:
            await self.tab.show(picture)

    async def _remove(self, event: GenericEventArguments) -> None:
        await self.tab.remove(self.tab.desk.pictures.get(str(event.args)))

    async def _opened(self, event: GenericEventArguments) -> None:
        first = self.tab.desk.pictures.get(str(event.args[0]))
        if first is not None:
            await self.tab.show(first)
        self.tab.look_at_all()

    def _cancel(self) -> None:
        if self.tab.desk.job is not None:
            self.tab.desk.job.cancelled = True


def _item(picture: Picture) -> dict[str, Any]:
    shown = bool(picture.thumbnail)
    return {
        "id": picture.id,
        "name": picture.name,
        "state": picture.state.value,
        "mark": MARKS[picture.state],
        "src": f"/studio/{picture.id}/thumbnail" if shown else "",
    }
