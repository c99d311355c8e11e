"""Hindsight: what is seen later may tell better what was there before.

Two alike shapes that overlap look like one thing until they part; what comes out from behind something is a
sliver first. Once an object is known for a few frames, those before are looked at again, backwards, with it
in mind; the new interpretation of a frame is taken if it is shorter. What goes on later is said there.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from unrender.capsules.network import Network
from unrender.capsules.observations import observations
from unrender.capsules.see import Look, scene_of, understood
from unrender.perception.budget import Budget
from unrender.perception.continuation import Expectation, continued, moved
from unrender.perception.depth import Placed
from unrender.perception.interpretation import SPECK, Interpretation
from unrender.render.shape import Shape
from unrender.scene import Observation
from unrender.scene.tracking.follow import follow, numbered

KNOWN = 3  # frames after which it is known how a new object moves
KEPT = 12  # frames that may be looked at again
SAVED = 10.0  # bits that another interpretation of a frame must save


@dataclass
class Hindsight:
    """The last frames that were seen, and what they are told as by now."""

    network: Network
    looks: deque[Look] = field(default_factory=deque)
    first: int = 0  # number of the first of them in the film

    def add(self, found: Look) -> None:
        """One more frame; the oldest is forgotten, with what was needed to follow objects from it."""
        self.looks.append(found)
        if len(self.looks) > KEPT:
            self.looks.popleft().scene.tracks = None
            self.first += 1

    def revised(self) -> list[int]:
        """Look again at frames before those in which objects are new, if any has just become known; the
        numbers in the film of those that are told otherwise now. All frames behind them are followed anew."""
        start = self._start()
        if start is None:
            return []
        motion = {placed.key: nodes[0] for placed, nodes in self.looks[-1].told}
        times = Counter(placed.key for k in range(start) for placed in self.looks[k].state.shapes)
        at = start
        while at - 1 >= (0 if self.first == 0 else 1):
            better = self._again(self.looks[at - 1], self.looks[at], motion, times)
            if better is None:
                break
            at -= 1
            self.looks[at] = better
        if at == start:
            return []
        for k in range(at, len(self.looks)):
            scene = self.looks[k].scene
            scene.tracks = None
            for node in scene.observations:
                node.track = None
            if k == 0:
                scene.tracks = numbered(scene)
            else:
                follow(scene, self.looks[k - 1].scene)
        return [self.first + k for k in range(at, start)]

    def _start(self) -> int | None:
        """The first frame in which an object was seen that has just become known."""
        tracks = self.looks[-1].scene.tracks
        at = len(self.looks) - KNOWN
        if tracks is None or at < 1:
            return None
        seen = [
            tracks.known.get(-1 if leaf.track is None else leaf.track)
            for leaf in self.looks[-1].scene.primitives
        ]
        return at if any(own is not None and own.seen == KNOWN for own in seen) else None

    def _again(
        self, old: Look, later: Look, motion: Mapping[object, Observation], times: Mapping[object, int]
    ) -> Look | None:
        """A frame as the one behind it leads to expect it, if that is shorter than how it was told.

        By the keys of shapes: motion, what they are told as once it is known how they move; times, in how
        many frames they were seen so far.
        """
        shapes = [_moved_back(placed.shape, motion.get(placed.key)) for placed in later.state.shapes]
        tall, wide = old.state.model.size
        expected = Expectation(later.state, shapes, (), later.state.wrong)
        state = continued(old.state.model.image, expected, Budget.of(tall * wide), SPECK)
        if state is None:
            return None
        going_on = {placed.key for placed in later.state.shapes}
        others = [placed for placed in old.state.shapes if placed.key not in going_on]
        before = float(old.state.bits.sum()) + sum(placed.bits / times[placed.key] for placed in others)
        if _pixel_bits(state.shapes, old.state) > before - SAVED:
            return None
        told = observations(state)
        scene = scene_of(state, understood(told, self.network, state))
        scene.scale = old.scene.scale
        return Look(scene, state, told)


def _pixel_bits(shapes: Sequence[Placed], state: Interpretation) -> float:
    """Bits of the pixels of a frame drawn by these shapes, in the model of an interpretation of it."""
    told = Interpretation(state.model, Budget.of(1))
    told.shapes = list(shapes)
    told.redraw()
    return float(told.bits.sum())


def _moved_back(shape: Shape, node: Observation | None) -> Shape:
    """A shape one frame before, by the motion of what it is told as."""
    if node is None or node.velocity is None:
        return shape
    vx, vy = node.velocity
    return moved(shape, (-vx, -vy), -(node.spin or 0.0))
