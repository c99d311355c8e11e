"""What one tab of the browser does: choosing, teaching, editing, taking back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from nicegui import background_tasks

from unrender.agent.question import Answer
from unrender.studio.desk import lessons
from unrender.studio.desk.desk import Desk, Told
from unrender.studio.desk.editing import Edits, change, reset
from unrender.studio.desk.jobs import look_at_all
from unrender.studio.desk.picture import Key, Picture
from unrender.studio.panels.screening import Screening
from unrender.studio.panels.viewer import Viewer


class Tab(Viewer):
    """Panels ask it to do things."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.film = Screening(self)
        self.marking = False  # whether a click adds to what is selected
        self.redrawn: Callable[[str], object] = str  # shows an edited picture, ahead of everything else
        self._edits: Edits = {}
        self._let_go = False  # whether the slider that was moved last is at rest

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
        self.known, self.busy = set(self.view.keys), busy
        self.repaint()
        picture, parts = self.picture, list(self.asked.parts)
        told = await self.attempt(teach, self.desk, picture, parts, *args)
        self.after(told, picture)
        return told is not None

    async def teach_word(self, word: str, value: float) -> None:
        """Teach a word for how the selected object looks."""
        if self.picture is not None and len(self.selected) == 1 and not self.busy:
            self.known, self.busy = set(self.view.keys), "Learning ..."
            self.repaint()
            picture, key = self.picture, self.selected[0]
            told = await self.attempt(lessons.teach_word, self.desk, picture, key, word, value)
            self.after(told, picture)

    async def take_back(self) -> None:
        """Take back the last edit or lesson, and show the picture that it was in."""
        done = await self.attempt(self.desk.take_back, self.picture)
        if done is not None:
            sentence, picture = done
            await self.show(picture)
            self.after(Told(sentence), picture, keep=self.selected if len(self.selected) == 1 else [])

    async def change(self, errand: Callable[..., str], *args: object) -> None:
        """Change the brain itself by `errand(picture, *args)`, which says in a sentence what it has done."""
        picture = self.picture
        sentence = await self.attempt(errand, picture, *args)
        if sentence is not None:
            self.after(Told(sentence), picture)

    def after(self, told: Told | None, picture: Picture | None, keep: Sequence[Key] = ()) -> None:
        """A lesson about a picture is over, which may not be the one that is shown now."""
        self.busy = ""
        if told is not None:
            self.told = told if picture is self.picture else replace(told, difference="")
            self.select(list(keep))
            self.look_at_all(new=False)
        self.desk.tell()

    async def remove(self, picture: Picture | None) -> None:
        """Take a picture from the desk, and turn to the one after it."""
        if picture is not None:
            every = list(self.desk.pictures.values())
            if picture is self.picture and len(every) > 1:
                await self.step(1)
            sentence = await self.attempt(self.desk.remove, picture)
            if sentence is not None:
                self.say(sentence)
            self.desk.tell()

    async def make_film(self) -> None:
        """Watch all pictures of the desk, in their order, as one film."""
        made = await self.attempt(self.desk.add_film, self.desk.stills)
        if made is not None:
            await self.show(made)
            self.look_at_all()

    def look_at_all(self, *, new: bool = True) -> None:
        """Bring all pictures up to date in the background, and see new ones."""
        background_tasks.create(look_at_all(self.desk, new=new))

    async def edit(self, key: Key, name: str, value: float) -> None:
        """Change one value of a node; while the picture is drawn, only the latest of many changes counts."""
        self._edits[key, name] = value
        if self.editing:
            return
        self.editing, picture = True, self.picture
        try:
            while self._edits and picture is not None and picture is self.picture:
                now, self._edits = self._edits, {}
                if await self.attempt(change, self.desk, picture, now):
                    self.redrawn(picture.redrawn_url)
                    await self.refresh()
        finally:
            self.editing, self._edits = False, {}
        if self._let_go:
            await self.let_go()
        self.desk.tell()

    async def let_go(self) -> None:
        """A slider or a colour is at rest: what is edited next is another step."""
        self._let_go = self.editing
        if not self.editing:
            await self.attempt(self.desk.history.settle)

    async def reset(self) -> None:
        """Forget what was edited by hand."""
        if self.picture is not None and self.picture.scene is not None:
            await self.attempt(reset, self.desk, self.picture)
            self.select([key for key in self.selected if key in self.view.keys])
            self.desk.tell()
