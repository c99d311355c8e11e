"""Answers from a world, each with how sure it is: the share of runs that agree, or the error of a value."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from unrender.film.simulation.answers.causes import cause
from unrender.film.simulation.answers.telling import Reply, Telling, reply_with, share, surely
from unrender.film.simulation.run.events import futures, pasts
from unrender.film.simulation.run.simulator import WALL
from unrender.scene.language.words import listed, sentence

EVENTS = 5  # that are told at most


class Replies(Telling):
    """Answers about one film."""

    def next(self, seconds: float) -> Reply:
        """What the next seconds bring."""
        runs = futures(self.world, self.frames(seconds))
        told, shares = [], []
        for pair, frame in sorted(runs[0].touches.items(), key=lambda item: item[1]):
            if self.resting(pair):
                continue
            shares.append(share([pair in run.touches for run in runs]))
            told.append(f"{self.hits(pair)} after {(frame + 1) / self.world.fps:.1f} s")
        for track in self.moving():
            left = [self.leaves(run, track) for run in runs]
            if left[0]:
                told.append(f"{self.name(track)} leaves the picture")
                shares.append(share(left))
        if not told:
            told = [
                "everything stays where it is" if not self.anything_moves(runs[0]) else self.going(runs[0])
            ]
        sure = min(shares, default=share([not run.touches for run in runs]))
        value = "; ".join(told[:EVENTS])
        return reply_with(value, sentence(listed(told[:EVENTS])), sure)

    def will_hit(self, a: int, b: int | None, seconds: float) -> Reply:
        """Whether one will touch the other within some seconds."""
        pair = frozenset((a, WALL if b is None else b))
        runs = futures(self.world, self.frames(seconds))
        return self.yes(a, b, [run.touches.get(pair) for run in runs], "hits", "does not hit", seconds)

    def would_hit(self, a: int, b: int | None, gone: int) -> Reply:
        """Whether they would have touched without a third."""
        pair = frozenset((a, WALL if b is None else b))
        runs = pasts(self.world, frozenset([gone]))
        return self.yes(a, b, [run.touches.get(pair) for run in runs], "would hit", "would not hit", None)

    def did_hit(self, a: int, b: int | None) -> Reply:
        """Whether they touched in the film."""
        found = [c for c in self.world.contacts if {c.a, c.b} == {a, b}]
        if not found:
            return reply_with(False, sentence(f"no, {self.name(a)} did not touch {self.name(b)}"), 0.9)
        time = max(found[0].frame, 0.0) / self.world.fps
        return reply_with(
            True, sentence(f"yes, {self.name(a)} touched {self.name(b)} after {time:.1f} s"), 0.95
        )

    def without(self, gone: int) -> Reply:
        """Whom the absence of a body would have concerned, and how."""
        runs = pasts(self.world, frozenset([gone]))
        told, shares, concerned = [], [], []
        for track in self.moving():
            if track == gone:
                continue
            moved = [self.differs(run, track) for run in runs]
            if not moved[0]:
                continue
            concerned.append(self.nodes[track])
            shares.append(share(moved))
            told.append(self.otherwise(runs[0], track))
        if not told:
            text = f"without {self.name(gone)} nothing else would be different"
            return reply_with([], sentence(text), share([not any(run.concerned) for run in runs]))
        text = f"without {self.name(gone)} {listed(told)}"
        return reply_with(concerned, sentence(text), min(shares))

    def would_move(self, track: int, gone: int) -> Reply:
        """Whether a body would still move without another."""
        runs = pasts(self.world, frozenset([gone]))
        moves = [self.travels(run, track) for run in runs]
        word = "yes" if moves[0] else "no"
        still = "still" if moves[0] else "not"
        text = f"{word}, without {self.name(gone)} {self.name(track)} would {still} move"
        return reply_with(moves[0], sentence(text), share(moves))

    def why(self, track: int) -> Reply:
        """What made a body move."""
        found = cause(self.world, track)
        name = self.name(track)
        if found is None:
            return reply_with([], sentence(f"{name} does not move"), 0.9)
        if found.kind == "contact":
            time = max(found.frame, 0.0) / self.world.fps
            others = [] if found.other is None else [self.nodes[found.other]]
            other = self.name(found.other)
            steps = [f"{other} hit {name} after {time:.1f} s"]
            if found.other is not None:
                before = cause(self.world, found.other)
                if before is not None and before.kind == "contact" and before.frame < found.frame:
                    if before.other is not None and before.other != track:
                        steps.append(f"which {self.name(before.other)} had hit before")
                elif before is not None and before.kind == "gravity":
                    steps.append("which was falling")
            return reply_with(others, sentence(f"{name} moved because {', '.join(steps)}"), 0.9)
        reasons = {
            "spring": "it hangs on a spring or rod",
            "gravity": "gravity pulls it",
            "start": "it was moving from the beginning, and nothing had to push it",
        }
        return reply_with(found.kind, sentence(f"{name} moves because {reasons[found.kind]}"), 0.8)

    def heaviest(self, heavy: bool, among: Sequence[int] | None) -> Reply:
        """Which of some, or of all, is heaviest, or lightest."""
        word = "heavier" if heavy else "lighter"
        wanted = self.moving() if among is None else list(among)
        known = [t for t in wanted if self.world.body(t).mass is not None]
        if len(known) < 2 or (among is not None and len(known) < len(among)):
            text = f"the film cannot tell which is {word}: they never push each other"
            return reply_with("unknown", sentence(text), 0.0)
        order = sorted(known, key=lambda t: (self.world.body(t).mass or 0.0) * (-1 if heavy else 1))
        first, second = (self.world.body(track) for track in order[:2])
        ratio = (first.mass or 1.0) / (second.mass or 1.0)
        sure = surely(math.log(ratio) * (1 if heavy else -1), first.errors["mass"], second.errors["mass"])
        most = "" if len(known) == 2 else ", and of all others"
        text = f"{self.name(order[0])}: it has {ratio:.2g} times the mass of {self.name(order[1])}{most}"
        return reply_with([self.nodes[order[0]]], sentence(text), sure)

    def is_heavier(self, a: int, b: int, heavy: bool) -> Reply:
        """Whether one is heavier, or lighter, than the other."""
        one, other = self.world.body(a), self.world.body(b)
        if one.mass is None or other.mass is None:
            return reply_with("unknown", "The film cannot tell: they never push each other.", 0.0)
        ratio = one.mass / other.mass
        so = (ratio > 1) == heavy
        text = f"{'yes' if so else 'no'}, {self.name(a)} has {ratio:.2g} times the mass of {self.name(b)}"
        return reply_with(
            so, sentence(text), surely(abs(math.log(ratio)), one.errors["mass"], other.errors["mass"])
        )

    def where(self, track: int, seconds: float) -> Reply:
        """Where a body will be."""
        frames = self.frames(seconds)
        runs = [run.paths[track][-1, :2] for run in futures(self.world, frames) if track in run.paths]
        if not runs:
            return reply_with("unknown", sentence(f"{self.name(track)} is no longer in the film"), 0.0)
        x, y = float(runs[0][0]), float(runs[0][1])
        spread = float(np.median([math.dist(own, (x, y)) for own in runs]))
        text = f"{self.name(track)} will be at {x:.0f}, {y:.0f} px, give or take {max(spread, 1):.0f}"
        return reply_with((x, y), sentence(text), 1 / (1 + spread / (0.1 * self.film.width)))

    def will_leave(self, track: int, seconds: float) -> Reply:
        """Whether a body goes out of the picture."""
        left = [self.leaves(run, track) for run in futures(self.world, self.frames(seconds))]
        word = "yes" if left[0] else "no"
        text = f"{word}, {self.name(track)} {'leaves' if left[0] else 'stays in'} the picture"
        return reply_with(left[0], sentence(text), share(left))

    def gravity(self) -> Reply:
        """How strong it is, px/s²."""
        pull = self.world.gravity
        if pull is None:
            return reply_with("unknown", "The film cannot tell: nothing moves freely.", 0.0)
        size = math.hypot(*pull)
        if size == 0:
            return reply_with(0.0, "There is no gravity.", 0.95)
        error = self.world.errors["gravity"]
        way = f"towards {pull[0]:.0f}, {pull[1]:.0f}"
        text = f"gravity is {size:.0f} px/s², give or take {max(error, 0.5):.1g}, {way}"
        return reply_with(size, sentence(text), max(0.0, 1 - error / size))

    def value(self, track: int, name: str) -> Reply:
        """The mass, restitution or friction of a body."""
        own = "restitution" if name == "bounciness" else name
        body = self.world.body(track)
        known = getattr(body, own)
        if known is None:
            return reply_with(
                "unknown", sentence(f"the film cannot tell the {name} of {self.name(track)}"), 0.0
            )
        error = body.errors.get(own, 0.0)
        text = f"the {name} of {self.name(track)} is {known:.2f}, give or take {max(error, 0.01):.2f}"
        return reply_with(float(known), sentence(text), max(0.0, 1 - error / max(known, 0.1)))
