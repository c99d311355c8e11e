"""From a scene that is not fully understood to one question about it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from unrender.agent.causes import Cause
from unrender.agent.features import CLEAR, Situation, true_features
from unrender.agent.grouping import Group, glimpse, groups, repeated
from unrender.agent.matrix import DecisionMatrix
from unrender.agent.question import Question
from unrender.agent.resemblance import Resemblance, nearest
from unrender.capsules.network import Network
from unrender.capsules.route import Route
from unrender.scene import Observation, Scene

LOOKED_AT = 4  # groups that are compared with what is known
AGAIN = 1.5  # how much a group stands out that was seen before
YOUNG = 24  # groups of earlier scenes: with fewer, every combination of known objects is asked about
LIKENESS = 2.0  # and one that comes near to something known


def kinds_key(kinds: Iterable[str]) -> str:
    """Symbols as one word, whatever their order."""
    return "+".join(sorted(set(kinds)))


@dataclass(frozen=True)
class Wonder:
    """All that decides what is asked about."""

    network: Network
    matrix: DecisionMatrix
    declined: Collection[str] = ()  # kinds of parts that were said not to belong together
    glimpses: Sequence[Route] = ()  # groups of earlier scenes

    def question(self, scene: Scene) -> Question | None:
        """The question that is most worth asking; None if there is one axiom, or nothing to ask about."""
        if len(scene.axioms) < 2:
            return None
        found = [group for group in groups(scene.axioms) if group.depths not in scene.settled]
        ranked = sorted(found, key=lambda group: -self._promise(group))
        rated = [self._rated(group, found) for group in ranked[:LOOKED_AT]]
        worth = [(score, group, near) for score, group, near in rated if score > 0]
        if not worth:
            return None
        _, group, near = max(worth, key=lambda own: own[0])
        return self._put(scene, group.parts, near)

    def about(self, scene: Scene, parts: Sequence[Observation]) -> Question:
        """The question about these parts."""
        return self._put(scene, parts, self._near(parts))

    def _near(self, parts: Sequence[Observation]) -> Resemblance | None:
        """What the parts clearly resemble."""
        near = nearest(self.network, parts)
        return near if near is not None and near.p >= CLEAR else None

    def _put(self, scene: Scene, parts: Sequence[Observation], near: Resemblance | None) -> Question:
        told = tuple(true_features(Situation(scene, parts, near)))
        votes = self.matrix.votes(told)
        possible = [cause for cause in votes if self._possible(cause, near)]
        return Question(
            scene=scene,
            parts=list(parts),
            cause=possible[0],
            options=(*possible, *(cause for cause in votes if cause not in possible)),
            features=told,
            possible=tuple(possible),
            near=near,
            names=tuple(sorted(self.network.capsules)),
        )

    def _possible(self, cause: Cause, near: Resemblance | None) -> bool:
        """Whether a cause can be remedied at all: an attribute needs an object with these parts."""
        if cause.about_parts:
            return cause is Cause.MISSING_CAPSULE or bool(self.network.capsules)
        if near is None or not near.complete:
            return False
        return cause is Cause.MISSING_ATTRIBUTE or bool(near.route.names)

    def _declined(self, group: Group) -> bool:
        """Whether such parts were said not to belong together: by these kinds, or, where some have names
        already, by others that link all of them."""
        if kinds_key(group.kinds) in self.declined:
            return True
        if not any(part.parts for part in group.parts):
            return False
        linked = [set(key.split("+")) for key in self.declined]
        covered = {
            kind for own in linked if len(own & group.kinds) >= min(2, len(group.kinds)) for kind in own
        }
        return group.kinds <= covered

    def _recurs(self, group: Group) -> bool:
        """Whether the same combination of symbols has been together before; while little has been seen, any
        may come again."""
        return len(self.glimpses) < YOUNG or any(Counter(own.parts) == group.counts for own in self.glimpses)

    def _promise(self, group: Group) -> float:
        """How promising a group looks before it is compared with what is known."""
        known = any(sorted(route.parts) == sorted(group.counts.elements()) for route in self.network.routes)
        return group.score + (LIKENESS if known else 0.0)

    def _rated(self, group: Group, others: Sequence[Group]) -> tuple[float, Group, Resemblance | None]:
        """How much a group is worth asking about; less than 0 if it was declined and nothing is new."""
        near = self._near(group.parts)
        score = group.score + (LIKENESS * near.p if near is not None and near.complete else 0.0)
        if near is not None and near.complete:
            return score, group, near
        elsewhere = [
            route
            for i, other in enumerate(others)
            if other is not group and not {id(p) for p in other.parts} & {id(p) for p in group.parts}
            if (route := glimpse(other, i + 1, self.network.turnings)) is not None
        ]
        if all(part.parts for part in group.parts) and not self._recurs(group):
            return -1.0, group, near  # known objects side by side: a scene, if they come together again
        if len(group.parts) > 2 and repeated(group, [*self.glimpses, *elsewhere], self.network):
            return score + AGAIN, group, near  # two things lie alike by chance every now and then
        if self._declined(group):
            return -1.0, group, near
        return max(score, 1e-6), group, near
