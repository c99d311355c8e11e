"""The desk: the pictures that are open, the brain that looks at them, and who wants to know what changes."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from unrender.batch.sources import Source
from unrender.errors import UnrenderError
from unrender.studio.desk.asked import Asked, in_words
from unrender.studio.desk.film import Film, remember
from unrender.studio.desk.history import History, Taught
from unrender.studio.desk.picture import Key, Moment, Picture, State, copied, find, png, thumbnail
from unrender.studio.desk.work import Job, Work

if TYPE_CHECKING:
    from unrender.brain import Brain
    from unrender.scene import Scene


@dataclass(frozen=True)
class Told:
    """What came of a lesson: the brain's sentence, what differs in the picture, and how long it took."""

    sentence: str
    difference: str = ""
    seconds: float = 0.0


class Desk:
    """One brain and many pictures, shared by all tabs. What looks or learns runs on `work`'s thread."""

    def __init__(self, brain: str | Path, folder: Path | None = None) -> None:
        """folder: where other brains are looked for and copies saved; that of the brain if none is given."""
        import unrender

        self.path = Path(brain)
        self.folder = self.path.resolve().parent if folder is None else folder
        self.brain: Brain = unrender.open(brain)
        self.work = Work()
        self.pictures: dict[str, Picture] = {}
        self.job: Job | None = None
        self.lesson = 0  # counts every change of what is known
        self.history = History()
        self.watchers: dict[object, Callable[[], None]] = {}  # one for each tab
        self._numbers = itertools.count(1)

    @property
    def name(self) -> str:
        """The name of the brain, as it is shown."""
        return self.path.name if self.path.resolve().parent == self.folder.resolve() else "not saved yet"

    def add(self, path: Path, name: str | None = None, *, stored: int = 0) -> Picture:
        """Lay a file on the desk, without looking at it yet. stored: its bytes, if it is the desk's own copy,
        which is deleted when the picture is removed."""
        picture = Picture(f"p{next(self._numbers)}", name or path.name, path, stored=stored)
        self.pictures[picture.id] = picture
        return picture

    def picture(self, id: str) -> Picture:
        """The picture with this id."""
        if id not in self.pictures:
            raise UnrenderError(f'There is no picture "{id}" on the desk; open it first.')
        return self.pictures[id]

    def warm_up(self) -> None:
        """See something small before anybody waits for it: the first time loads all capsules."""
        self.work.soon(lambda: self.brain.see(np.zeros((32, 32, 3), np.uint8)))

    def tell(self) -> None:
        """Let all tabs know that something has changed."""
        for watcher in list(self.watchers.values()):
            watcher()

    # what follows belongs to the brain's thread

    def look(self, picture: Picture) -> None:
        """See a picture for the first time, or understand it again if something was learned since."""
        if picture.id not in self.pictures:  # it was removed while this waited for its turn
            return
        if picture.scene is not None and picture.outdated:
            self.again(picture)
        if picture.scene is not None or picture.state is State.BROKEN:
            return
        try:
            if Source(picture.path, picture.name).video:
                picture.film = Film(picture.path, self.lesson)
            scene = self.brain.see(picture.path) if picture.film is None else picture.film.turn(self.brain, 0)
            remember(self.brain, scene)
        except (UnrenderError, MemoryError) as error:
            reason = str(error) or "There is not enough memory to look at it."
            picture.state, picture.error = State.BROKEN, reason.replace(str(picture.path), picture.name)
            picture.version += 1
            picture.discard()
            return
        assert scene.picture is not None
        picture.thumbnail = thumbnail(scene.picture)
        self._keep(picture, scene, fresh=True)

    def turn(self, picture: Picture, frame: int) -> bool:
        """Show a frame of a video; whether there are more to come."""
        film = picture.film
        if film is None or picture.scene is None:
            return False
        if film.lesson != self.lesson:
            film.lesson = self.lesson
            film.understand(self.brain)
        self.history.drop_edits(picture)
        self._keep(picture, film.turn(self.brain, frame), fresh=True)
        return not film.ended or film.index < len(film.scenes) - 1

    def again(self, picture: Picture) -> Scene:
        """Understand a picture again from its primitives; what was edited by hand is lost."""
        scene = self.brain.see_again(picture.untouched())
        self._keep(picture, scene)
        return scene

    def _keep(self, picture: Picture, scene: Scene, *, fresh: bool = False) -> None:
        picture.keep(scene if picture.film is None else copied(scene), fresh=fresh)
        if fresh and scene.picture is not None:
            picture.original = png(scene.picture)
        question = scene.question
        picture.asked = None if question is None else Asked.of(question, self.brain)
        picture.state = State.UNDERSTOOD if question is None else State.QUESTION

    def ask_about(self, picture: Picture, keys: list[Key]) -> Asked:
        """The question about parts that somebody has chosen."""
        scene = self.brain.see_again(picture.untouched())
        return Asked.of(self.brain.ask_about(scene, find(scene, keys)), self.brain)

    def remove(self, picture: Picture) -> str:
        """Take a picture from the desk; a copy that was uploaded is deleted, any other file stays."""
        self.pictures.pop(picture.id, None)
        self.history.drop(picture)
        picture.discard()
        return f"{picture.name} is removed."

    def moments(self) -> dict[Picture, Moment]:
        """How all pictures are now: what `taught` needs to know so that a lesson can be taken back."""
        return {own: own.moment() for own in self.pictures.values() if own.scene is not None}

    def taught(self, picture: Picture | None, before: dict[Picture, Moment]) -> None:
        """A lesson was learned; before: all pictures as they were."""
        self.history.add(Taught(before))
        self.learned(picture)

    def learned(self, picture: Picture | None) -> None:
        """Everything is understood anew: one picture at once, the others when they are looked at."""
        self.lesson += 1
        for other in self.pictures.values():
            other.outdated = other.scene is not None
        if picture is not None and picture.scene is not None:
            self.again(picture)

    def undo(self, picture: Picture | None) -> str:
        """Take back the last lesson; which it was. All pictures are then as they were before it."""
        title = self.brain.undo().title
        step = self.history.pop_lesson()
        before = step.before if step else {}
        for own, moment in before.items():
            own.seen().settled = set(moment.settled)  # what was asked then is asked again
        self.learned(picture)
        for own, moment in before.items():
            if moment.edited:
                own.restore(moment)
        return f"Took back: {in_words(title)}."

    def take_back(self, picture: Picture | None) -> tuple[str, Picture | None]:
        """Take back the last edit or lesson, whichever came later; what it was, and the picture it is in."""
        step = self.history.pop_edit()
        if step is None:
            return self.undo(picture), picture
        step.picture.restore(step.before)
        return f"Took back: {step.title}.", step.picture

    def rename(self, picture: Picture | None, old: str, new: str) -> str:
        """Give a symbol another name, everywhere."""
        before = self.moments()
        self.brain.rename(old, new)
        self.taught(picture, before)
        return f"{old} is now called {new}."

    def forget(self, picture: Picture | None, name: str) -> str:
        """Unlearn a symbol."""
        before = self.moments()
        self.brain.forget(name)
        self.taught(picture, before)
        return f"{name} is forgotten."

    def reopen(self, path: Path) -> None:
        """Go on with another brain."""
        import unrender

        brain = unrender.open(path)
        self.brain.close()
        self.brain, self.path = brain, path
        self.history.clear()
        self.learned(None)

    def close(self) -> None:
        """Let go of everything."""
        self.work.close()
        self.brain.close()


async def look_at_all(desk: Desk, *, new: bool = True) -> None:
    """Bring all pictures up to date, and see new ones, one after the other; others may work in between."""
    wanted = [own for own in desk.pictures.values() if own.outdated or (new and own.state is State.NEW)]
    if desk.job is not None or not wanted:
        return
    desk.job = job = Job("Looking at pictures", len(wanted))
    told = time.monotonic()
    try:
        for picture in wanted:
            if job.cancelled:
                break
            await desk.work.do(desk.look, picture)
            job.done += 1
            if time.monotonic() - told > 0.2:
                told = time.monotonic()
                desk.tell()
    finally:
        desk.job = None
        desk.tell()
