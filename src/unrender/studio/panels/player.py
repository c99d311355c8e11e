"""Below the picture: how much is seen in it, marking for those who have no shift key, and playing a video."""

from __future__ import annotations

import asyncio
import time

from nicegui import ui

from unrender.studio.panels.components.range import Range
from unrender.studio.panels.tab import Tab

FRAME = 1 / 12  # seconds: no frame is shown shorter


class Player:
    """One row of tools."""

    def __init__(self, tab: Tab) -> None:
        self.tab = tab
        with ui.row().classes("tools"):
            self.count = ui.label("").classes("grow")
            with ui.row().classes("film grow") as self.film:
                self.button = ui.button(icon="play_arrow", on_click=self.play).props("flat dense round")
                self.button.props["aria-label"] = "play"
                self.slider = Range("frame", 0, 1, 1, 0, self._turn, every=100).classes("grow")
                self.number = ui.label("")
            self.mark = ui.checkbox("mark", value=False, on_change=self._mark).props("dense")
            self.mark.tooltip("a click adds to what is selected (m)")
        tab.panels.append(self.refresh)

    def refresh(self) -> None:
        """Show what is there."""
        tab, seen = self.tab, self.tab.view
        shapes = sum(node["leaf"] for node in seen.nodes)
        objects = len(seen.nodes) - shapes
        told = f"{_some(shapes, 'shape')}, {_some(objects, 'object')}" if seen.nodes else ""
        self.count.set_text(told + (f" (seen at {seen.scale:.0%} of its size)" if seen.scale < 1 else ""))
        self.mark.set_value(tab.marking)
        self.film.set_visibility(bool(seen.frames))
        self.count.set_visibility(not seen.frames)
        if seen.frames:
            self.button.props(f"icon={'pause' if tab.playing else 'play_arrow'}")
            self.slider.show(seen.frame, high=max(1, seen.frames - 1))
            self.number.set_text(f"{seen.frame + 1} of {seen.frames}{' or more' if seen.more else ''}")

    async def play(self) -> None:
        """Show frame after frame until the end of the video, or until somebody stops it."""
        tab, picture = self.tab, self.tab.picture
        tab.playing = not tab.playing
        while tab.playing and picture is not None and picture is tab.picture and not tab.closed:
            start = time.monotonic()
            if not await tab.turn(tab.view.frame + 1):
                break
            await asyncio.sleep(max(0.0, FRAME - (time.monotonic() - start)))
        tab.playing = False
        tab.repaint()

    async def _turn(self, value: float) -> None:
        frame = int(value)
        if frame != self.tab.view.frame and not self.tab.playing:
            await self.tab.turn(frame)

    def _mark(self) -> None:
        if self.tab.marking != bool(self.mark.value):
            self.tab.marking = bool(self.mark.value)
            self.tab.repaint()


def _some(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"
