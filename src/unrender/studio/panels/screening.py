"""What one tab of the browser does with a film: frames, stretches, verbs, and what would happen if."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from unrender.film.film import Film
from unrender.studio.desk import lessons
from unrender.studio.desk.film import OpenFilm
from unrender.studio.desk.picture import Picture

if TYPE_CHECKING:
    from collections.abc import Callable

    from unrender.film.simulation.world import Body
    from unrender.studio.panels.tab import Tab


@dataclass(frozen=True)
class VerbAsked:
    """A stretch of a film that wants a word; without a track nobody knows yet whose motion is meant."""

    sentence: str
    track: int | None
    start: int
    end: int
    own: bool  # whether the brain asks by itself


class Screening:
    """Panels ask it to do things with the film that the tab shows."""

    def __init__(self, tab: Tab) -> None:
        self.tab = tab
        self.stretch: tuple[int, int] | None = None  # frames that somebody has marked, both included
        self.answer = ""  # to the latest question about the film
        self._picture: Picture | None = None
        tab.panels.append(self.refresh)
        self.replay: Callable[[], object] = str  # plays the film that is shown from its beginning

    def refresh(self) -> None:
        """Forget what was marked and asked in another film."""
        if self._picture is not self.tab.picture:
            self._picture, self.stretch, self.answer = self.tab.picture, None, ""

    @property
    def open(self) -> OpenFilm | None:
        """The film that is shown, if it has been watched."""
        picture = self.tab.picture
        return None if picture is None else picture.film

    @property
    def verb(self) -> VerbAsked | None:
        """What is asked about the film: what somebody has marked, or a motion that no verb covers."""
        film = self.open
        if film is None or (film.version and self.stretch is None):
            return None
        asked, times = film.seen.question, film.seen.times
        if self.stretch is None:
            if asked is None:
                return None
            return VerbAsked(str(asked), asked.track.number, asked.start, asked.end, True)
        start, end = self.stretch
        track = self._meant(film.seen)
        when = f"from {times[start]:.2f} to {times[end]:.2f} s"
        if track is None:
            return VerbAsked(f"Select the object whose motion {when} you mean.", None, start, end, False)
        symbol = next(own.symbol for own in film.seen.tracks if own.number == track)
        return VerbAsked(f"What does the {symbol} do {when}?", track, start, end, False)

    def _meant(self, film: Film) -> int | None:
        """Whose motion is meant: what is selected, what is asked about, or the only thing that has parts."""
        known = {track.number for track in film.tracks}
        if self.tab.track in known:
            return self.tab.track
        if film.question is not None:
            return film.question.track.number
        whole = [track.number for track in film.tracks if track.observations[track.first].parts]
        return whole[0] if len(whole) == 1 else None

    @property
    def body(self) -> Body | None:
        """The body of the selected track, once the world of the film is known."""
        film, track = self.open, self.tab.track
        if film is None or not film.explained or track is None:
            return None
        return next((body for body in film.seen.world.bodies if body.track == track), None)

    async def turn(self, frame: int) -> None:
        """Show a frame, with all that is seen in it."""
        tab, picture = self.tab, self.tab.picture
        if picture is not None and picture.film is not None:
            await tab.attempt(tab.desk.turn, picture, frame)
            tab.desk.tell()
            await tab.refresh()

    def pick(self, track: int | None) -> None:
        """Select a track."""
        self.tab.select(self.tab.view.top(track))
        self.tab.track = track
        self.tab.repaint()

    def mark(self, stretch: tuple[int, int] | None) -> None:
        """Mark a stretch of the film, or none."""
        self.stretch = stretch
        self.tab.told = None
        self.tab.repaint()

    async def teach(self, word: str) -> bool:
        """Learn a word for what is asked about; whether it was accepted."""
        tab, picture, asked = self.tab, self.tab.picture, self.verb
        if picture is None or asked is None or asked.track is None or tab.busy:
            return False
        tab.busy, track = "Learning ...", tab.track
        tab.repaint()
        errand = lessons.teach_verb
        told = await tab.attempt(errand, tab.desk, picture, asked.track, word.strip(), asked.start, asked.end)
        if told is not None:
            self.stretch = None
        tab.after(told, picture)
        tab.track = track
        return told is not None

    async def skip(self) -> None:
        """Leave the question about a motion, or the stretch that was marked."""
        tab, picture = self.tab, self.tab.picture
        if self.stretch is not None:
            self.mark(None)
        elif picture is not None:
            tab.told = await tab.attempt(lessons.skip_verb, tab.desk, picture)
            tab.desk.tell()
            await tab.refresh()

    async def explain(self) -> None:
        """Infer the world of the film, beside everything else, and let it go on where it ends."""
        tab, picture, film = self.tab, self.tab.picture, self.open
        if picture is None or film is None or film.explained or film.inferring:
            return
        film.inferring, seen = True, film.seen
        tab.desk.tell()
        try:
            done = await tab.attempt_aside(lambda: seen.explained)
            if done is not None and picture.film is film:
                await self._changed(picture, lambda: film.explain(seen))
        finally:
            film.inferring = False
            tab.desk.tell()
            tab.repaint()

    async def predict(self, seconds: float) -> None:
        """Let the film go on for so long."""
        picture, film = self.tab.picture, self.open
        if picture is not None and film is not None:
            await self._changed(picture, lambda: film.predict(seconds))

    async def show(self, version: int) -> None:
        """Turn to the film as it was, or to one of what would happen."""
        picture, film = self.tab.picture, self.open
        if picture is not None and film is not None and version != film.version:
            await self._changed(picture, lambda: film.show(version))

    async def without(self, track: int) -> None:
        """The film as it would have been without an object."""
        picture, film = self.tab.picture, self.open
        if picture is not None and film is not None:
            name = film.names.get(track, "it")
            await self._otherwise(f"without {name}", lambda: film.seen.without(track))

    async def push(self, factor: float, turn: float) -> None:
        """The film with another velocity of the selected object at its beginning. turn: degrees clockwise."""
        film, body = self.open, self.body
        if film is None or body is None:
            return
        (vx, vy), angle = body.velocity, math.radians(turn)
        x = factor * (vx * math.cos(angle) - vy * math.sin(angle))
        y = factor * (vx * math.sin(angle) + vy * math.cos(angle))
        name = film.names.get(body.track, "it")
        told = [f"{factor:g} times as fast"] if factor != 1 else []
        told += [f"turned by {turn:.0f}°"] if turn else []
        title = f"{name} {' and '.join(told) or 'as it was'}"
        await self._otherwise(title, lambda: film.seen.what_if(f"{name}.velocity={x:.3f},{y:.3f}"))

    async def what_if(self, change: str) -> None:
        """The film with a change that somebody has typed."""
        film = self.open
        if film is not None and change.strip():
            await self._otherwise(change.strip()[:60], lambda: film.seen.what_if(change))

    async def ask(self, question: str) -> None:
        """Answer a question about the film."""
        film = self.open
        if film is not None and question.strip():
            seen = film.seen
            reply = await self.tab.attempt_aside(lambda: seen.ask(question))
            self.answer = "" if reply is None else str(reply)
            self.tab.repaint()

    async def _otherwise(self, title: str, make: Callable[[], Film]) -> None:
        picture, film = self.tab.picture, self.open
        if picture is None or film is None:
            return
        made = await self.tab.attempt_aside(make)
        if made is not None and picture.film is film:
            await self._changed(picture, lambda: film.otherwise(title, made))
            if not self.tab.closed:
                with self.tab.client:
                    self.replay()

    async def _changed(self, picture: Picture, errand: Callable[[], object]) -> None:
        """Do something with a film, and show the frame that it is at then."""
        tab = self.tab

        def work() -> None:
            errand()
            if picture.film is not None:
                tab.desk.turn(picture, picture.film.index)

        await tab.attempt(work)
        tab.desk.tell()
        await tab.refresh()
