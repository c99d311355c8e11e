"""Films of what was not filmed: what follows, and what would have happened otherwise."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from unrender.errors import UnrenderError
from unrender.film.simulation.bodies.beyond import extended
from unrender.film.simulation.bodies.hidden import uncovered
from unrender.film.simulation.bodies.seen import Seen, Tied, bodies_of
from unrender.film.simulation.bodies.trajectory import Array
from unrender.film.simulation.infer import infer
from unrender.film.simulation.run.otherwise import Paths, again, ahead
from unrender.film.simulation.world import Body, World
from unrender.scene import Observation, Scene

if TYPE_CHECKING:
    from unrender.film.film import Film

LONGEST = 600.0  # seconds that are predicted
FEWEST = 4  # frames of which a world can be told


@dataclass(frozen=True, eq=False)
class Explained:
    """A film with the world that was inferred from it."""

    film: Film
    world: World
    bodies: Mapping[int, Seen]
    tied: Mapping[int, Tied]

    @classmethod
    def of(cls, film: Film) -> Explained:
        """Infer it."""
        if len(film) < FEWEST:
            raise UnrenderError(f"A film of {len(film)} frames is too short to say why things move.")
        found, tied = bodies_of(film)
        bodies = extended(uncovered(found), (film.width, film.height))
        seen = [body.trajectory for body in bodies.values()]
        world = infer(seen, film.fps, (film.width, film.height))
        looks = {track: body.node for track, body in bodies.items()}
        return cls(film, replace(world, looks=looks), bodies, tied)

    def predicted(self, seconds: float) -> Film:
        """The film, and what follows it."""
        if not 0 < seconds <= LONGEST:
            raise UnrenderError(f"A film can be predicted for up to {LONGEST:.0f} seconds, not {seconds:g}.")
        count = max(1, round(seconds * self.film.fps))
        paths = ahead(self.world, count)
        last = self.film.scenes[-1]
        scenes = [self._redrawn(last, paths, frame, None) for frame in range(count)]
        return self._film([*self.film.scenes, *scenes])

    def without(self, tracks: frozenset[int]) -> Film:
        """The film as it would have been without some bodies."""
        paths, concerned = again(self.world, tracks)
        return self._otherwise(paths, concerned, tracks)

    def changed(self, world: World, states: Mapping[int, Array]) -> Film:
        """The film in another world, with other states of some bodies when they first appear."""
        return self._otherwise(*again(world, changed=states), frozenset())

    def _otherwise(self, paths: Paths, concerned: Mapping[int, int], removed: frozenset[int]) -> Film:
        gone = removed | {line.track for line in self.tied.values() if _holds(line, removed)}
        kept = []
        for frame, scene in enumerate(self.film.scenes):
            axioms = [node for node in scene.axioms if node.track not in gone]
            kept.append(self._redrawn(_scene(scene, axioms), paths, frame, concerned))
        return self._film(kept)

    def _redrawn(self, scene: Scene, paths: Paths, frame: int, concerned: Mapping[int, int] | None) -> Scene:
        """A scene with its bodies where the paths lead in a frame: all, or those concerned by then."""

        def late(track: int) -> bool:
            return concerned is None or frame >= concerned.get(track, frame + 1)

        moved: list[Observation] = []
        places: dict[int, Array] = {}
        drawn = set()
        for node in scene.axioms:
            track = node.track
            own = paths.get(track) if track is not None else None
            if track is None or own is None or not late(track):
                moved.append(node)
                continue
            drawn.add(track)
            if np.isfinite(own[frame]).all():
                places[track] = own[frame, :2]
                moved.append(self._node(node, track, own[frame]))
        for track, own in paths.items():  # what was behind something when it was last filmed
            absent = track not in drawn and all(node.track != track for node in scene.axioms)
            if absent and late(track) and np.isfinite(own[frame]).all():
                moved.insert(0, self._node(self.bodies[track].node, track, own[frame]))
                places[track] = own[frame, :2]
        for k, node in enumerate(moved):
            line = self.tied.get(node.track) if node.track is not None else None
            if line is not None and any(end in places for end, _ in line.ends):
                known = {n.track: np.asarray(n.position) for n in moved if n.track is not None}
                moved[k] = line.drawn(node, known | places)
        return _scene(scene, moved)

    def _node(self, node: Observation, track: int, state: Array) -> Observation:
        made = self.bodies[track].drawn(node, state)
        vx, vy, spin = (float(value) / self.film.fps for value in state[3:6])
        return replace(made, track=track, velocity=(vx, vy), spin=spin, scene=None)

    def _film(self, scenes: Sequence[Scene]) -> Film:
        from unrender.film.film import Film

        return Film(scenes, self.film.fps, notes=self.film.notes)


def _holds(line: Tied, removed: frozenset[int]) -> bool:
    return any(end in removed for end, _ in line.ends)


def _scene(like: Scene, axioms: Sequence[Observation]) -> Scene:
    """A scene of copies of these nodes, on the ground of another."""
    made = Scene(like.width, like.height, [_copied(node) for node in axioms], like.background)
    made.scale, made.produce, made.nouns, made.verbs = like.scale, like.produce, like.nouns, like.verbs
    return made


def _copied(node: Observation) -> Observation:
    parts = [_copied(part) for part in node.parts]
    return replace(node, parts=parts, attributes=dict(node.attributes), scene=None)


Named = Callable[[str], list[int]]


def tracks_meant(film: Film, meant: object, named: Named) -> frozenset[int]:
    """The tracks that somebody means by a body, a track, an observation, a number or a name."""
    known = {track.number for track in film.tracks}
    numbers: list[int] = []
    if isinstance(meant, str):
        numbers = named(meant)
    elif isinstance(meant, Body) or hasattr(meant, "track"):
        numbers = [getattr(meant, "track")]  # noqa: B009
    elif isinstance(meant, int) or hasattr(meant, "number"):
        numbers = [meant if isinstance(meant, int) else getattr(meant, "number")]  # noqa: B009
    if not numbers or not set(numbers) <= known:
        raise UnrenderError(f"There is no body {meant!r} in this film; name one like circle.1.")
    return frozenset(numbers)
