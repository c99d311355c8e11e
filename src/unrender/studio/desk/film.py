"""A film on the desk: what was watched, the world behind it, and what would happen if."""

from __future__ import annotations

from collections import OrderedDict
from colorsys import rgb_to_hls
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from unrender.errors import UnrenderError
from unrender.film.film import Film
from unrender.grammar.attribute import COLOUR_NAMES
from unrender.scene import Scene
from unrender.scene.addresses import addresses
from unrender.studio.desk.footage import Footage
from unrender.studio.desk.picture import png

if TYPE_CHECKING:
    from unrender.brain import Brain

KEPT = 300  # drawn frames that are kept
MOST = 6  # films of what would happen that are kept
FILMED = "as filmed"
COLOURFUL = 0.25  # saturation from which a colour has a hue worth the name
APART, GOLDEN, TRIES = 15.0, 0.381966, 12  # degrees between two hues; a turn that comes back late; how often
AHEAD = 1.0  # seconds that are predicted at first


def remember(brain: Brain, scene: Scene) -> None:
    """Remember a scene, once; it can be shown even if the brain file cannot be written now."""
    with suppress(UnrenderError):
        brain.remember(scene)


@dataclass(eq=False)
class OpenFilm:
    """What was watched, and versions of it: number 0 is the film itself, with what follows it once its world
    is known; all others are what would have happened otherwise."""

    seen: Film
    footage: Footage
    lesson: int = 0  # counts what is known; when it has grown, the film is understood anew
    index: int = 0  # the frame that is shown
    version: int = 0  # the version that is shown
    changes: int = 0  # counts every change of what is shown of it, but for the frame
    versions: dict[int, tuple[str, Film]] = field(default_factory=dict)  # by number: a title and a film
    reasons: list[str] = field(default_factory=list)  # its world in sentences, once that is known
    inferring: bool = False  # whether its world is being inferred
    _made: int = 0
    _names: dict[int, str] | None = None
    _hues: dict[int, float] | None = None
    _drawn: OrderedDict[tuple[int, int], bytes] = field(default_factory=OrderedDict)

    def __post_init__(self) -> None:
        self.versions[0] = FILMED, self.seen

    @property
    def shown(self) -> Film:
        """The version that is shown."""
        return self.versions[self.version][1]

    @property
    def explained(self) -> bool:
        """Whether its world is known."""
        return bool(self.reasons)

    @property
    def filmed(self) -> bool:
        """Whether the frame that is shown was filmed, and not made up."""
        return self.version == 0 and self.index < len(self.seen)

    def turn(self, frame: int) -> Scene:
        """Show a frame of the shown version, or the one nearest to it."""
        self.index = min(max(frame, 0), len(self.shown) - 1)
        return self.shown.scenes[self.index]

    def drawn(self, version: int, frame: int) -> bytes:
        """A frame of a version, drawn: a PNG."""
        if version not in self.versions:
            raise UnrenderError("This version of the film is not kept any more.")
        key = (version, min(max(frame, 0), len(self.versions[version][1]) - 1))
        if key not in self._drawn:
            self._drawn[key] = png(self.versions[version][1].scenes[key[1]].image)
            while len(self._drawn) > KEPT:
                self._drawn.popitem(last=False)
        return self._drawn[key]

    def take(self, film: Film, lesson: int) -> None:
        """The same film understood otherwise. What was made up from it is gone, unless the same objects are
        still in the same places: then they move for the same reasons."""
        before, self.seen, self.lesson = self.seen, film, lesson
        self._drawn.clear()
        self._names = self._hues = None
        if self.explained and _alike(before, film):
            vars(film)["explained"] = replace(before.explained, film=film)  # a cached property
            self.predict((len(self.versions[0][1]) - len(before)) / film.fps)
            return
        self.versions, self.version, self.reasons = {0: (FILMED, film)}, 0, []
        self.index = min(self.index, len(film) - 1)
        self.changes += 1

    def explain(self, film: Film) -> None:
        """Its world has been inferred: say what it is, and go on where the film ends."""
        from unrender.film.simulation.answers.describe import described

        if film is self.seen:  # nothing was learned meanwhile
            told = described(film.explained)
            self.reasons = told or ["Nothing in this film moves by itself."]
            self.predict(AHEAD)

    def predict(self, seconds: float) -> None:
        """Let the film go on for so long after its end; 0 for not at all."""
        film = self.seen.predict(seconds) if seconds > 0 else self.seen
        self.versions[0] = FILMED, film
        for key in [key for key in self._drawn if key[0] == 0 and key[1] >= len(self.seen)]:
            del self._drawn[key]
        self.index = min(self.index, len(self.shown) - 1)
        self.changes += 1

    def otherwise(self, title: str, film: Film) -> None:
        """Keep what would have happened, and show it from its beginning."""
        self._made += 1
        self.versions[self._made] = title, film
        while len(self.versions) > MOST:
            del self.versions[min(number for number in self.versions if number)]
        self.show(self._made)
        self.index = 0

    def show(self, version: int) -> None:
        """Turn to another version."""
        if version not in self.versions:
            raise UnrenderError("This version of the film is not kept any more.")
        self.version = version
        self.index = min(self.index, len(self.shown) - 1)
        self.changes += 1

    @property
    def names(self) -> dict[int, str]:
        """By track: what it is called in the whole film."""
        if self._names is None:
            self._names = names(self.seen)
        return self._names

    @property
    def hues(self) -> dict[int, float]:
        """By track: the hue in degrees in which it is shown, its own where it has one that no other has."""
        if self._hues is None:
            self._hues = hues(self.seen)
        return self._hues

    def close(self) -> None:
        """Let go of its frames."""
        self.footage.close()


def _alike(a: Film, b: Film) -> bool:
    """Whether the same objects are in the same places in all frames."""

    def told(film: Film) -> list[list[tuple[object, ...]]]:
        return [[(n.track, n.symbol, *n.position) for n in scene.axioms] for scene in film.scenes]

    return told(a) == told(b)


def names(film: Film) -> dict[int, str]:
    """By track: the name that means it in the whole film: "circle.2", as in the first frame that has one."""
    found: dict[int, str] = {}
    taken: set[str] = set()
    for scene in film.scenes:
        here = {own.name: own.node.track for own in addresses(scene) if own.level == 0}
        for name, track in here.items():
            if name not in taken and track is not None and track not in found:
                found[track] = name
        taken |= set(here)
    return found


def hues(film: Film) -> dict[int, float]:
    """By track: the hue of its first primitive, or another one, so that no two are too close."""
    found: dict[int, float] = {}
    for track in film.tracks:
        looks = next(iter(track.observations.values())).primitives[0].attributes
        red, green, blue = (float(np.clip(looks.get(name, 0.0), 0, 1)) for name in COLOUR_NAMES)
        hue, _, saturation = rgb_to_hls(red, green, blue)
        wanted = 360 * hue if saturation > COLOURFUL else 360 * (track.number * GOLDEN % 1)
        for k in range(TRIES):
            own = (wanted + 360 * k * GOLDEN) % 360
            if all(abs((own - other + 180) % 360 - 180) > APART for other in found.values()):
                break
        found[track.number] = own
    return found
