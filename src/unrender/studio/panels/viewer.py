"""What one tab of the browser shows: its picture, what is selected, which question is open."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from functools import partial
from typing import ParamSpec, TypeVar

from nicegui import background_tasks, ui

from unrender.errors import UnrenderError
from unrender.film.describe import describe
from unrender.studio.desk.asked import Asked
from unrender.studio.desk.desk import Desk, Told
from unrender.studio.desk.picture import Key, Picture
from unrender.studio.panels.view import View, view

P = ParamSpec("P")
T = TypeVar("T")
LOOKING = "Looking ..."
log = logging.getLogger("unrender.studio")


class Viewer:
    """Panels read it; after each change they are all shown anew."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.client = ui.context.client
        self.picture: Picture | None = None
        self.view = View()
        self.selected: list[Key] = []
        self.asked: Asked | None = None  # the question that is open: the brain's own, or about the selection
        self.told: Told | None = None  # what came of the last lesson
        self.words = ""  # the picture in a few sentences
        self.busy = ""
        self.track: int | None = None  # what is followed through a film
        self.editing = False
        self.panels: list[Callable[[], None]] = []
        self.known: set[Key] = set()  # what was seen before the last lesson
        self._described: tuple[Picture | None, int] = (None, -1)
        self._wanted, self._showing = False, False

    async def attempt(self, errand: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T | None:
        """Run an errand on the brain's thread; what goes wrong is a sentence on the page, and None."""
        return await self._told(self.desk.work.do(errand, *args, **kwargs))

    async def attempt_aside(self, errand: Callable[[], T]) -> T | None:
        """The same for long work that touches no brain, on a thread of its own."""
        return await self._told(asyncio.to_thread(errand))

    async def _told(self, work: Awaitable[T]) -> T | None:
        try:
            return await work
        except UnrenderError as error:
            self.say(str(error), bad=True)
        except Exception:
            log.exception("An errand of the studio failed")
            self.say("Something unexpected happened; the terminal says more.", bad=True)
        return None

    def say(self, sentence: str, *, bad: bool = False) -> None:
        """Show a sentence for a while."""
        if not self.closed:
            with self.client:
                ui.notify(sentence, type="negative" if bad else "info", position="top", timeout=5000)

    async def show(self, picture: Picture | None) -> None:
        """Turn to another picture."""
        self._turn_to(picture)
        await self.refresh()

    def _turn_to(self, picture: Picture | None) -> None:
        if picture is not self.picture:
            self.picture, self.view, self.told, self.known = picture, View(), None, set()
            self.words, self.track = "", None
            self.select([])

    async def step(self, by: int) -> None:
        """Turn to the next picture, or to the one before."""
        all_ = list(self.desk.pictures.values())
        if all_:
            here = all_.index(self.picture) if self.picture in all_ else -1
            await self.show(all_[(here + by) % len(all_)])

    def select(self, keys: list[Key]) -> None:
        """Select these nodes; the question goes back to the brain's own."""
        self.selected = keys
        self.track = self.view.track(keys[0]) if len(keys) == 1 else None
        self.asked = self.picture.asked if self.picture else None

    def changed(self) -> None:
        """Something on the desk has changed: show it soon."""
        if not self._wanted:
            self._wanted = True
            background_tasks.create(self.refresh())

    async def refresh(self) -> None:
        """Show the desk and the picture as they are now."""
        self._wanted = True
        while self._showing:
            await asyncio.sleep(0.005)
        if not self._wanted:
            return
        self._showing, self._wanted = True, False
        try:
            if self.picture is not None and self.picture.id not in self.desk.pictures:  # it was removed
                self._turn_to(next(iter(self.desk.pictures.values()), None))
            picture = self.picture
            if picture is not None and (self.view.version != picture.version or picture.outdated):
                if not picture.version:
                    self.busy = LOOKING
                    self.repaint()
                seen = await self.attempt(view, self.desk, picture, self.known, self.view)
                if self.busy == LOOKING:
                    self.busy = ""
                if picture is self.picture and seen is not None:
                    self._take(seen, picture)
            self.repaint()
        finally:
            self._showing = False
        await self._describe()

    async def _describe(self) -> None:
        """Put into words what is seen, once it has come to rest: nobody waits for that."""
        picture = self.picture
        film = None if picture is None else picture.film
        version = self.view.version if film is None else -2 - film.changes
        if self.editing or picture is None or self._described == (picture, version):
            return
        self._described = (picture, version)
        scene = picture.scene
        tell = (
            partial(describe, film.seen) if film is not None else scene.describe if scene is not None else str
        )
        words = await (self.attempt(tell) if film is None else self.attempt_aside(tell))
        if words is not None and self._described == (self.picture, version):
            self.words = words
            self.repaint()

    def _take(self, seen: View, picture: Picture) -> None:
        self.view, self.known = seen, set()
        same = seen.top(self.track) if seen.film is not None and self.track is not None else None
        self.selected = [key for key in self.selected if key in seen.keys] if same is None else same
        if len(self.selected) < 2:
            self.asked = picture.asked

    @property
    def closed(self) -> bool:
        """Whether nobody looks at it any more."""
        return self.client.id not in self.client.instances

    def repaint(self) -> None:
        """Let every panel show what is there."""
        if not self.closed:
            with self.client:
                for panel in self.panels:
                    panel()
