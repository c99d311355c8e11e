"""What one tab of the browser shows and does: its picture, what is selected, which question is open."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import ParamSpec, TypeVar

from nicegui import background_tasks, ui

from unrender.agent.question import Answer
from unrender.errors import UnrenderError
from unrender.studio import lessons
from unrender.studio.asked import Asked
from unrender.studio.desk import Desk, Told, look_at_all
from unrender.studio.editing import Edits, edit
from unrender.studio.picture import Key, Picture
from unrender.studio.view import View, view

P = ParamSpec("P")
T = TypeVar("T")
LOOKING = "Looking ..."
log = logging.getLogger("unrender.studio")


class Tab:
    """Panels read it and ask it to do things; after each change they are all shown anew."""

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
        self.playing = False
        self.marking = False  # whether a click adds to what is selected
        self.redrawn: Callable[[str], object] = str  # shows an edited picture, ahead of everything else
        self.panels: list[Callable[[], None]] = []
        self._known: set[Key] = set()  # what was seen before the last lesson
        self._described: tuple[Picture | None, int] = (None, -1)
        self._edits: Edits = {}
        self._editing = False
        self._wanted, self._showing = False, False

    # doing things

    async def attempt(self, errand: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T | None:
        """Run an errand on the brain's thread; what goes wrong is a sentence on the page, and None."""
        try:
            return await self.desk.work.do(errand, *args, **kwargs)
        except UnrenderError as error:
            self.say(str(error), bad=True)
        except Exception:
            log.exception("An errand of the studio failed")
            self.say("Something unexpected happened; the terminal says more.", bad=True)
        return None

    def say(self, sentence: str, *, bad: bool = False) -> None:
        """Show a sentence for a while."""
        with self.client:
            ui.notify(sentence, type="negative" if bad else "info", position="top", timeout=5000)

    async def show(self, picture: Picture | None) -> None:
        """Turn to another picture."""
        if picture is not self.picture:
            self.picture, self.view, self.told, self._known = picture, View(), None, set()
            self.words = ""
            self.select([])
        await self.refresh()

    async def step(self, by: int) -> None:
        """Turn to the next picture, or to the one before."""
        all_ = list(self.desk.pictures.values())
        if all_:
            here = all_.index(self.picture) if self.picture in all_ else -1
            await self.show(all_[(here + by) % len(all_)])

    def select(self, keys: list[Key]) -> None:
        """Select these nodes; the question goes back to the brain's own."""
        self.selected = keys
        self.asked = self.picture.asked if self.picture else None

    async def choose(self, ids: list[int], add: bool) -> None:
        """What a pointer or a key has chosen. Several become the parts of the question."""
        keys = [self.view.keys[i] for i in ids if i < len(self.view.keys)]
        if add:
            before = self.selected or (list(self.asked.parts) if self.asked else [])
            same = [key for key in before if key not in keys]
            keys = same + [key for key in keys if key not in before]
        self.select(keys)
        if len(keys) > 1 and self.picture is not None:
            asked = await self.attempt(self.desk.ask_about, self.picture, keys)
            if self.selected == keys:
                self.asked = asked or self.asked
        self.repaint()

    async def answer(self, name: str, cause: str, value: float | None) -> bool:
        """Answer the open question; whether it was accepted."""
        given = Answer(name, cause=cause, value=value)
        return await self._lesson("Learning ...", lessons.answer, given)

    async def skip(self) -> bool:
        """Leave the open question."""
        return await self._lesson("Noting ...", lessons.skip)

    async def _lesson(self, busy: str, teach: Callable[..., Told], *args: object) -> bool:
        if self.picture is None or self.asked is None or self.busy:
            return False
        self._known, self.busy = set(self.view.keys), busy
        self.repaint()
        told = await self.attempt(teach, self.desk, self.picture, list(self.asked.parts), *args)
        self._after(told)
        return told is not None

    async def teach_word(self, word: str, value: float) -> None:
        """Teach a word for how the selected object looks."""
        if self.picture is not None and len(self.selected) == 1 and not self.busy:
            self._known, self.busy = set(self.view.keys), "Learning ..."
            self.repaint()
            key = self.selected[0]
            self._after(await self.attempt(lessons.teach_word, self.desk, self.picture, key, word, value))

    async def undo(self) -> None:
        """Take back the last lesson."""
        await self.change(self.desk.undo)

    async def change(self, errand: Callable[..., str], *args: object) -> None:
        """Change the brain itself by `errand(picture, *args)`, which says in a sentence what it has done."""
        sentence = await self.attempt(errand, self.picture, *args)
        if sentence is not None:
            self._after(Told(sentence))

    def _after(self, told: Told | None) -> None:
        self.busy = ""
        if told is not None:
            self.told = told
            self.select([])
            self.look_at_all(new=False)
        self.desk.tell()

    def look_at_all(self, *, new: bool = True) -> None:
        """Bring all pictures up to date in the background, and see new ones."""
        background_tasks.create(look_at_all(self.desk, new=new))

    async def edit(self, key: Key, name: str, value: float) -> None:
        """Change one value of a node; while the picture is drawn, only the latest of many changes counts."""
        self._edits[key, name] = value
        if self._editing:
            return
        self._editing = True
        try:
            while self._edits and self.picture is not None:
                now, self._edits = self._edits, {}
                if await self.attempt(edit, self.picture, now):
                    self.redrawn(self.picture.redrawn_url)
                    await self.refresh()
        finally:
            self._editing = False
        self.desk.tell()

    async def turn(self, frame: int) -> bool:
        """Show one frame; whether there are more."""
        if self.picture is None:
            return False
        more = await self.attempt(self.desk.turn, self.picture, frame)
        self.desk.tell()
        await self.refresh()
        return bool(more)

    async def reset(self) -> None:
        """Forget what was edited by hand."""
        if self.picture is not None and self.picture.scene is not None:
            await self.attempt(self.desk.again, self.picture)
            self.select([key for key in self.selected if key in self.view.keys])
            self.desk.tell()

    # showing things

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
            picture = self.picture
            if picture is not None and (self.view.version != picture.version or picture.outdated):
                if not picture.version:
                    self.busy = LOOKING
                    self.repaint()
                seen = await self.attempt(view, self.desk, picture, self._known)
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
        picture, version = self.picture, self.view.version
        if self._editing or self.playing or picture is None or self._described == (picture, version):
            return
        self._described = (picture, version)
        scene = picture.scene
        words = "" if scene is None else await self.attempt(scene.describe)
        if words is not None and self._described == (self.picture, self.view.version):
            self.words = words
            self.repaint()

    def _take(self, seen: View, picture: Picture) -> None:
        self.view, self._known = seen, set()
        self.selected = [key for key in self.selected if key in seen.keys]
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
