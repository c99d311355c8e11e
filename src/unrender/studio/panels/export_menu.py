"""Saving a scene from the page: a menu of formats, and the JSON on the clipboard."""

from __future__ import annotations

import json
from functools import partial

from nicegui import ui

from unrender.exports.registry import suffixes
from unrender.film.exports.save import SUFFIXES
from unrender.studio.panels.parts import menu_item
from unrender.studio.panels.tab import Tab

FILMS = {
    ".gif": "GIF",
    ".json": "JSON",
    ".lottie.json": "Lottie",
    ".mp4": "MP4",
    ".svg": "animated SVG",
    ".tscn": "Godot animation",
}
NAMES = {".svg": "SVG", ".tscn": "Godot", ".coco.json": "COCO", ".json": "JSON", ".png": "PNG"}


class Exports:
    """A button with a menu."""

    def __init__(self, tab: Tab) -> None:
        self.tab = tab
        known = list(NAMES)
        order = sorted(suffixes(), key=lambda own: known.index(own) if own in known else len(known))
        button = ui.button("Export", icon="download").props("flat dense no-caps").classes("export")
        with button, ui.menu() as self.menu:
            with ui.element("div") as self.films:
                for suffix in SUFFIXES:
                    menu_item(f"Film as {FILMS[suffix]}  {suffix}", partial(self.download_film, suffix))
                ui.separator()
            for suffix in order:
                menu_item(f"{NAMES.get(suffix, suffix)}  {suffix}", partial(self.download, suffix))
            ui.separator()
            menu_item("Copy as JSON", self.copy)
        tab.panels.append(self.refresh)

    def refresh(self) -> None:
        """Offer what can be saved."""
        self.films.set_visibility(self.tab.film.open is not None)

    def download_film(self, suffix: str) -> None:
        """Let the browser save the film, in the version that is shown."""
        if self.tab.picture is not None and self.tab.film.open is not None:
            ui.download.from_url(f"/api/films/{self.tab.picture.id}/film{suffix}")

    def download(self, suffix: str) -> None:
        """Let the browser save the scene."""
        if self.tab.picture is not None and self.tab.picture.scene is not None:
            ui.download.from_url(f"/api/pictures/{self.tab.picture.id}/scene{suffix}")

    async def copy(self) -> None:
        """Put the scene on the clipboard."""
        if self.tab.picture is not None and self.tab.picture.scene is not None:
            scene = await self.tab.attempt(self.tab.picture.scene.to_dict)
            ui.clipboard.write(json.dumps(scene))
            self.tab.say("The scene is on the clipboard.")
