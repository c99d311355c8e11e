"""The desk: the pictures that are open, the brain that looks at them, and who wants to know what changes."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from unrender.errors import UnrenderError
from unrender.studio.desk.asked import Asked, in_words
from unrender.studio.desk.film import OpenFilm, remember
from unrender.studio.desk.footage import filmed, first_frame, is_film
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

    def add_film(self, frames: Sequence[Picture]) -> Picture:
        """Lay a film on the desk whose frames are pictures that lie there."""
        if len(frames) < 2:
            raise UnrenderError("A film is made of at least two pictures; open some more.")
        made = self.add(frames[0].path, f"film of {len(frames)} pictures")
        made.frames = tuple(own.path for own in frames)
        return made

    @property
    def stills(self) -> list[Picture]:
        """All pictures that are no films, and can be seen."""
        return [
            own
            for own in self.pictures.values()
            if not own.frames and not own.film and not own.unwatched and own.state is not State.BROKEN
        ]

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
            image: object = picture.path
            if picture.frames or is_film(picture.path):
                image = first_frame(picture.frames or picture.path)
                picture.unwatched = True
            scene = self.brain.see(image)
            remember(self.brain, scene)
        except (UnrenderError, MemoryError) as error:
            self._fail(picture, error)
            return
        assert scene.picture is not None
        picture.thumbnail = thumbnail(scene.picture)
        self._keep(picture, scene, fresh=True)

    def _fail(self, picture: Picture, error: Exception) -> None:
        reason = str(error) or "There is not enough memory to look at it."
        picture.state, picture.error = State.BROKEN, reason.replace(str(picture.path), picture.name)
        picture.version += 1
        picture.unwatched = False
        picture.discard()

    def watch(self, picture: Picture, job: Job, fps: float | None = None) -> None:
        """Watch all of a film, other errands in between; if it is cancelled, what was seen by then stays."""
        if picture.id not in self.pictures or not picture.unwatched:
            return
        clip, lesson = filmed(picture.frames or picture.path, fps), self.lesson
        job.total = clip.length

        def progress(done: int, of: int | None) -> None:
            job.done, job.total = done, of
            self.work.breathe()
            if job.cancelled or self.work.closing or picture.id not in self.pictures:
                raise KeyboardInterrupt

        try:
            film = self.brain.watch(clip, progress=progress)
        except (UnrenderError, MemoryError) as error:
            clip.footage.close()
            self._fail(picture, error)
            return
        if picture.id not in self.pictures:
            clip.footage.close()
            return
        picture.unwatched = False
        picture.film = OpenFilm(film, clip.footage, lesson)
        self.history.drop_edits(picture)
        self.turn(picture, 0)

    def turn(self, picture: Picture, frame: int) -> None:
        """Show a frame of a film, as it is understood now."""
        film = picture.film
        if film is None:
            return
        if film.lesson != self.lesson:
            film.take(self.brain.watch_again(film.seen), self.lesson)
        self.history.drop_edits(picture)
        scene = copied(film.turn(frame))
        scene.picture = film.footage.pixels(frame) if film.filmed else None
        self._keep(picture, scene, fresh=True)

    def again(self, picture: Picture) -> Scene:
        """Understand a picture again from its primitives; what was edited by hand is lost."""
        if picture.film is not None:
            self.turn(picture, picture.film.index)
            return picture.seen()
        scene = self.brain.see_again(picture.untouched())
        self._keep(picture, scene)
        return scene

    def _keep(self, picture: Picture, scene: Scene, *, fresh: bool = False) -> None:
        picture.keep(scene, fresh=fresh)
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
        for picture in self.pictures.values():
            if picture.film is not None:
                picture.film.close()
        self.brain.close()
