"""The selected track of a film: how it moves, what is known of it as a body, and what could be otherwise."""

from __future__ import annotations

from nicegui import ui

from unrender.film.simulation.world import Body
from unrender.studio.panels.components.film import Plots
from unrender.studio.panels.components.range import Range
from unrender.studio.panels.parts import title
from unrender.studio.panels.shapes import short, track_colour
from unrender.studio.panels.tab import Tab

TOLD = ("mass", "restitution", "friction")


class TrackPanel:
    """Plots of position and speed, and tools to change what moves."""

    def __init__(self, tab: Tab) -> None:
        self.tab = tab
        self._shown: object = None
        self._push_of: object = None  # whose velocity the sliders were moved for, and how
        self._factor, self._turn = 1.0, 0.0
        with ui.element("section").classes("card track").props('aria-label="track"') as self.card:
            self.head = ui.element("div")
            Plots()
            self.more = ui.element("div")
        tab.panels.append(self.refresh)

    def refresh(self) -> None:
        """Build the panel anew if another track is selected, or more is known of it."""
        tab, film = self.tab, self.tab.film.open
        self.card.set_visibility(film is not None)
        now = (film, None if film is None else film.changes, tab.track)
        if film is None or now == self._shown:
            return
        self._shown = now
        self.head.clear()
        self.more.clear()
        if tab.track is None:
            with self.head:
                ui.label("Click something that moves to follow it.").classes("hint")
            return
        with self.head, ui.row().classes("who"):
            ui.element("i").style(f"background: {track_colour(film.hues.get(tab.track, 200.0))}")
            title(short(film.names.get(tab.track, "this object")))
            if film.version and any(own.number == tab.track for own in film.shown.tracks):
                ui.label("dashed: as filmed").classes("hint")
        body = tab.film.body
        if body is not None:
            with self.more:
                self._body(body)

    def _body(self, body: Body) -> None:
        with ui.element("dl").classes("facts"):
            for name in TOLD:
                value, error = getattr(body, name), body.errors.get(name)
                with ui.element("div"):
                    with ui.element("dt"):
                        ui.label(name)
                    with ui.element("dd"):
                        ui.label(_number(value, error)).classes("hint" if value is None else "")
        if body.static:
            ui.label("It never moves, whatever hits it.").classes("hint")
        with ui.row().classes("wide"):
            ui.button(
                "Remove it and watch", icon="hide_source", on_click=lambda: self._remove(body.track)
            ).props("outline dense no-caps").classes("remove-body")
        if not body.static:
            self._push(body)

    def _push(self, body: Body) -> None:
        """Sliders for another velocity at the beginning; they stay where they were put."""
        if self._push_of != (self.tab.film.open, body.track):
            self._push_of, self._factor, self._turn = (self.tab.film.open, body.track), 1.0, 0.0

        def faster(value: float) -> None:
            self._factor = round(value, 2)
            speed.set_text(f"× {self._factor:g}")

        def turned(value: float) -> None:
            self._turn = value
            angle.set_text(f"{value:.0f}°")

        async def go() -> None:
            await self.tab.film.push(self._factor, self._turn)

        with ui.row().classes("knob"):
            ui.label("speed").classes("label").props('aria-hidden="true"')
            Range("start speed", 0, 3, 0.1, self._factor, faster).classes("grow")
            speed = ui.label(f"× {self._factor:g}").classes("value")
        with ui.row().classes("knob"):
            ui.label("direction").classes("label").props('aria-hidden="true"')
            Range("start direction", -180, 180, 5, self._turn, turned).classes("grow")
            angle = ui.label(f"{self._turn:.0f}°").classes("value")
        ui.button("Start it like this and watch", icon="redo", on_click=go).props(
            "outline dense no-caps"
        ).classes("push")

    async def _remove(self, track: int) -> None:
        await self.tab.film.without(track)


def _number(value: float | None, error: float | None) -> str:
    if value is None:
        return "not told by the film"
    return f"{value:.2f}" + (f" ± {error:.2f}" if error else "")
