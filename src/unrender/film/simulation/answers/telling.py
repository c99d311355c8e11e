"""What simulations say, in words, and how sure that is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from unrender.film.simulation.drawn import Explained
from unrender.film.simulation.run.events import Outcome
from unrender.film.simulation.run.simulator import WALL
from unrender.scene import Observation
from unrender.scene.language.naming import Names
from unrender.scene.language.words import listed, sentence
from unrender.scene.questions.answer import Answer, Value

MOVED = 0.02  # of the picture's width: a smaller difference is none


@dataclass(frozen=True)
class Reply(Answer):
    """An answer with how sure it is, from 0 to 1."""

    sure: float = 1.0


class Telling:
    """Names and runs of one film, in words."""

    def __init__(self, explained: Explained) -> None:
        self.world, self.film = explained.world, explained.film
        self.nodes = {track: body.node for track, body in explained.bodies.items()}
        self.names = Names(list(self.nodes.values()))

    def name(self, track: int | None) -> str:
        """ "the red circle"; "a wall" for None."""
        return "a wall" if track is None or track == WALL else self.names.one(self.nodes[track])

    def frames(self, seconds: float) -> int:
        """Of so many seconds; of a minute at most."""
        return max(1, round(min(seconds, 60.0) * self.world.fps))

    def moving(self) -> list[int]:
        """The tracks of what is not static."""
        return [body.track for body in self.world.bodies if body.static is False]

    def resting(self, pair: frozenset[int]) -> bool:
        """Whether two were lying upon each other when the film ended."""
        last = self.world.frames - 3
        tracks = {None if track == WALL else track for track in pair}
        return any(c.lasting and c.last >= last and {c.a, c.b} == tracks for c in self.world.contacts)

    def hits(self, pair: frozenset[int]) -> str:
        """ "the red circle hits a wall"."""
        moving = [t for t in pair if t != WALL and self.world.body(t).static is False]
        other = next((t for t in pair if t != moving[0]), WALL) if moving else WALL
        return f"{self.name(moving[0] if moving else max(pair))} hits {self.name(other)}"

    def leaves(self, run: Outcome, track: int) -> bool:
        """Whether a body ends outside of the picture."""
        path = run.paths.get(track)
        if path is None:
            return False
        reach = self.world.shapes[track].radius
        x, y = path[-1, 0], path[-1, 1]
        return not (-reach < x < self.film.width + reach and -reach < y < self.film.height + reach)

    def anything_moves(self, run: Outcome) -> bool:
        """Whether anything moves in a run."""
        return any(math.dist(path[0, :2], path[-1, :2]) > 2 for path in run.paths.values())

    def going(self, run: Outcome) -> str:
        """ "the red circle moves on"."""
        moving = [t for t, path in run.paths.items() if math.dist(path[0, :2], path[-1, :2]) > 2]
        return f"{listed([self.name(track) for track in moving])} move{'s' * (len(moving) == 1)} on"

    def differs(self, run: Outcome, track: int) -> bool:
        """Whether a body goes otherwise than it was filmed."""
        path, motion = run.paths.get(track), self.world.motions[track]
        if path is None or track not in run.concerned:
            return False
        apart = np.linalg.norm(path[: motion.last + 1, :2] - motion.states[: motion.last + 1, :2], axis=1)
        return bool(np.nanmax(apart) > MOVED * self.film.width)

    def travels(self, run: Outcome, track: int) -> bool:
        """Whether a body moves at all."""
        path = run.paths.get(track)
        if path is None:
            return False
        apart = np.linalg.norm(path[:, :2] - path[self.world.motions[track].first, :2], axis=1)
        return bool(np.nanmax(apart) > MOVED * self.film.width)

    def otherwise(self, run: Outcome, track: int) -> str:
        """How a body would have gone otherwise."""
        if not self.travels(run, track):
            return f"{self.name(track)} would not have moved"
        hits = [
            (frame, pair)
            for pair, frame in run.touches.items()
            if track in pair and frame >= run.concerned.get(track, 0) and not self.happened(pair)
        ]
        if hits:
            _, pair = min(hits, key=lambda hit: hit[0])
            other = next((own for own in pair if own != track), WALL)
            return f"{self.name(track)} would have hit {self.name(other)}"
        x, y = run.paths[track][-1, :2]
        return f"{self.name(track)} would have ended at {x:.0f}, {y:.0f}"

    def happened(self, pair: frozenset[int]) -> bool:
        """Whether two touched in the film."""
        tracks = {None if track == WALL else track for track in pair}
        return any({c.a, c.b} == tracks for c in self.world.contacts)

    def yes(
        self,
        a: int,
        b: int | None,
        when: Sequence[int | None],
        does: str,
        not_: str,
        seconds: float | None,
    ) -> Reply:
        """Whether one hits the other, by what most runs say."""
        so = [frame is not None for frame in when]
        yes = sum(so) * 2 > len(so) if so.count(so[0]) * 2 < len(so) else so[0]
        first = next((frame for frame, is_so in zip(when, so, strict=True) if is_so == yes), None)
        text = f"{'yes' if yes else 'no'}, {self.name(a)} {does if yes else not_} {self.name(b)}"
        if yes and first is not None:
            text += f" after {(first + 1) / self.world.fps:.1f} s"
        elif seconds is not None:
            text += f" within {seconds:g} s"
        return reply_with(yes, sentence(text), share(so, yes))


def share(so: Sequence[bool], answer: bool | None = None) -> float:
    """Of runs that say the same as the answer, or as the first of them; one more that says otherwise."""
    answer = so[0] if answer is None else answer
    return (sum(own == answer for own in so) + 0.5) / (len(so) + 1)


def surely(log_ratio: float, *errors: float) -> float:
    """How likely one is larger than the other, by the logarithm of their ratio and its errors."""
    error = math.sqrt(sum(own**2 for own in errors)) + 1e-6
    return 0.5 * (1 + math.erf(log_ratio / error / math.sqrt(2)))


def reply_with(value: Value | list[Observation], text: str, sure: float) -> Reply:
    if 0 < sure < 1:
        text = f"{text.rstrip('.')} ({round(100 * sure)} % sure)."
    return Reply(value, text, sure=sure)
