"""The film below the pictures: its timeline, and the row of tools under the picture."""

from __future__ import annotations

from nicegui import ui
from nicegui.events import GenericEventArguments

from unrender.studio.panels.components.film import FilmBar
from unrender.studio.panels.tab import Tab


class FilmPanel:
    """The timeline of the film that is shown; the browser plays it, and says where it has stopped."""

    def __init__(self, tab: Tab) -> None:
        self.tab = tab
        self._shown: object = None
        tab.film.replay = self.replay
        with ui.element("div").classes("film-area") as self.area:
            self.versions = ui.element("div").classes("versions")
            self.versions.props('role="radiogroup" aria-label="which film"')
            self.bar = FilmBar()
        self.bar.on("turn", self._turn)
        self.bar.on("mark", self._mark)
        self.bar.on("pick", lambda event: tab.film.pick(int(event.args)))
        tab.panels.append(self.refresh)

    def refresh(self) -> None:
        """Show the film as it is now."""
        tab, seen = self.tab, self.tab.view
        stretch = tab.film.stretch
        self.area.set_visibility(seen.film is not None)
        self._show_versions()
        self.bar.show(
            data=seen.film, at=seen.frame, selected=tab.track, stretch=list(stretch) if stretch else None
        )

    def _show_versions(self) -> None:
        """What was filmed, and what would have happened otherwise."""
        tab, film = self.tab, self.tab.film.open
        now = None if film is None else (film, film.version, tuple(film.versions))
        if now == self._shown:
            return
        self._shown = now
        self.versions.clear()
        self.versions.set_visibility(film is not None and len(film.versions) > 1)
        with self.versions:
            for number, (name, _) in film.versions.items() if film is not None else ():
                on = film is not None and number == film.version
                with ui.element("button").classes(f"cause{' on' if on else ''}") as choice:
                    ui.label(name)
                choice.props(f'role="radio" aria-checked="{str(on).lower()}"')
                choice.on("click", lambda number=number: tab.film.show(number))

    def replay(self) -> None:
        """Play from the beginning."""
        self.bar.run_method("replay")

    def play(self) -> None:
        """Play, or stop."""
        self.bar.run_method("toggle")

    def step(self, by: int) -> None:
        """One frame on, or back."""
        self.bar.run_method("step", by)

    def mark(self, end: str) -> None:
        """Let a stretch "start" or "end" at the frame that is shown."""
        self.bar.run_method("mark", end)

    async def _turn(self, event: GenericEventArguments) -> None:
        if int(event.args) != self.tab.view.frame:
            await self.tab.film.turn(int(event.args))

    def _mark(self, event: GenericEventArguments) -> None:
        marked = event.args
        self.tab.film.mark(None if not marked else (int(marked[0]), int(marked[1])))


class Tools:
    """Below the picture: how much is seen in it, and marking for those who have no shift key."""

    def __init__(self, tab: Tab) -> None:
        self.tab = tab
        with ui.row().classes("tools"):
            self.count = ui.label("").classes("grow")
            self.mark = ui.checkbox("mark", value=False, on_change=self._mark).props("dense")
            self.mark.tooltip("a click adds to what is selected (m)")
        tab.panels.append(self.refresh)

    def refresh(self) -> None:
        """Say what is there."""
        seen, film = self.tab.view, self.tab.film.open
        shapes = sum(node["leaf"] for node in seen.nodes)
        objects = len(seen.nodes) - shapes
        told = f"{_some(shapes, 'shape')}, {_some(objects, 'object')}" if seen.nodes else ""
        if film is not None and film.version:
            told = f"as filmed; beside it: {film.versions[film.version][0]}"
        elif seen.made:
            told = "the film ends here; beside it: what would happen"
        elif seen.scale < 1:
            told += f" (seen at {seen.scale:.0%} of its size)"
        self.count.set_text(told)
        self.mark.set_value(self.tab.marking)

    def _mark(self) -> None:
        if self.tab.marking != bool(self.mark.value):
            self.tab.marking = bool(self.mark.value)
            self.tab.repaint()


def _some(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"
