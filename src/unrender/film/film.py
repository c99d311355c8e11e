"""Film: what `watch` returns. Scenes one after the other, and who is who in them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from unrender.errors import UnrenderError
from unrender.film.clip import FPS
from unrender.film.track import Track, tracks_of
from unrender.scene import Scene, reading

if TYPE_CHECKING:
    from unrender.film.question import FilmQuestion
    from unrender.film.verbs.body import Limbs
    from unrender.film.verbs.recognise import Doing
    from unrender.scene.questions.answer import Answer

if TYPE_CHECKING:
    from unrender.film.simulation.drawn import Explained
    from unrender.film.simulation.world import World
    from unrender.scene.questions.answer import Answer


class Film:
    """Scenes of frames that follow one another; the same object has the same `track` in all of them.

    notes: sentences about what could not be read. times: of every frame, in seconds from the first.
    stopped: whether somebody stopped it before its end.
    """

    def __init__(
        self,
        scenes: Sequence[Scene],
        fps: float = FPS,
        *,
        times: Sequence[float] | None = None,
        notes: Sequence[str] = (),
        stopped: bool = False,
    ) -> None:
        if not scenes:
            raise UnrenderError("A film has at least one frame.")
        self.scenes = list(scenes)
        self.fps = float(fps)
        self.times = [k / self.fps for k in range(len(scenes))] if times is None else list(times)
        self.notes = tuple(notes)
        self.stopped = stopped
        self.doings: dict[int, list[Doing]] = {}  # by track: what each object does
        self.question: FilmQuestion | None = None  # what the brain that watched it wants to know
        self.limbs: dict[
            tuple[int, int], Limbs
        ] = {}  # how the parts of tracks move, where that was asked for

    @property
    def width(self) -> int:
        """px."""
        return self.scenes[0].width

    @property
    def height(self) -> int:
        """px."""
        return self.scenes[0].height

    @property
    def seconds(self) -> float:
        """How long it takes: the last frame shows as long as the others do."""
        return self.times[-1] + 1 / self.fps

    @cached_property
    def tracks(self) -> list[Track]:
        """The tracks of all axioms, by their first frame, then the largest first."""
        return tracks_of(self.scenes)

    def parts(self, track: Track) -> list[Track]:
        """The tracks of the parts of an object."""
        return tracks_of(self.scenes, track)

    @cached_property
    def explained(self) -> Explained:
        """The film with its world, and how its bodies are drawn."""
        from unrender.film.simulation.drawn import Explained

        return Explained.of(self)

    @property
    def world(self) -> World:
        """The simulation that explains the film: gravity, drag, walls, bodies, springs; inferred when first
        asked for. What the film cannot tell is None."""
        return self.explained.world

    def predict(self, seconds: float) -> Film:
        """The film, and what follows it: `seconds` more, as its world goes on."""
        return self.explained.predicted(seconds)

    def without(self, body: object) -> Film:
        """The same film as it would have been without a body (of its world), a track, or "circle.2"."""
        from unrender.film.simulation.answers.what_if import tracks_named
        from unrender.film.simulation.drawn import tracks_meant

        return self.explained.without(tracks_meant(self, body, lambda name: tracks_named(self, name)))

    def what_if(self, change: str) -> Film:
        """The same film otherwise: "circle.2.velocity*=2", "gravity=0", "remove square.1". Of a body its
        position, velocity (px/s), speed, rotation, spin, mass, restitution and friction can be changed."""
        from unrender.film.simulation.answers.what_if import what_if

        return what_if(self.explained, change)

    def __len__(self) -> int:
        return len(self.scenes)

    def __repr__(self) -> str:
        many, known = len(self.scenes), len(self.tracks)
        frames = f"{many} frame{'s' * (many != 1)} of {self.width}x{self.height} px at {self.fps:g} fps"
        return f"<Film {frames}, {known} track{'s' * (known != 1)}>"

    def describe(self) -> str:
        """The whole film in a few English sentences: what moves how, why, and what the film cannot tell."""
        from unrender.film.describe import describe
        from unrender.film.simulation.answers.describe import described
        from unrender.film.simulation.drawn import FEWEST

        why = described(self.explained) if len(self) >= FEWEST else []
        return " ".join([describe(self), *why])

    def ask(self, question: str, frame: int | None = None) -> Answer:
        """Answer an English question: "what happens next?", "will the ball hit the box?", "what if the red
        ball were not there?", "why did the box move?", "which is heavier?"; any other is about one frame,
        the first unless it is told: see `Scene.ask`.

        Answers from the simulation say how sure they are: `answer.sure`, from 0 to 1.
        """
        from unrender.film.simulation.answers.questions import ask

        if not isinstance(question, str):
            raise UnrenderError(f"A question is a text, not {type(question).__name__}.")
        at = 0 if frame is None else frame
        if not (isinstance(at, int) and -len(self) <= at < len(self)):
            raise UnrenderError(f"This film has frames from 0 to {len(self) - 1}, not {frame!r}.")
        answer = ask(self, question) if frame is None else None
        return self.scenes[at].ask(question) if answer is None else answer

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a file; its suffix says which kind: .json, .gif, .mp4, .lottie.json, .svg (animated) or
        .tscn (Godot 4)."""
        from unrender.film.exports.save import save

        save(self, path)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Film:
        """The film that `save("film.json")` wrote."""
        data = reading.load(path)
        with reading.reading("This is not a film"):
            scenes = [Scene.from_dict(scene) for scene in data["scenes"]]
            times = [reading.number(time) for time in data["times"]]
            notes = [reading.text(note) for note in data.get("notes", [])]
            if len(times) != len(scenes):
                raise ValueError(f"there are {len(scenes)} scenes and {len(times)} times")
            return cls(scenes, reading.number(data["fps"]), times=times, notes=notes)
