"""Objects of a scene, chosen step by step."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations

from unrender.errors import UnrenderError
from unrender.scene.asking import filters as keep
from unrender.scene.asking.answer import Step
from unrender.scene.asking.filters import Filter, Phrase, Things, said
from unrender.scene.asking.measures import looks, measure, same
from unrender.scene.graph import Scene
from unrender.scene.naming import Names
from unrender.scene.observation import Observation
from unrender.scene.outline import Outline, gap
from unrender.scene.relations import holds
from unrender.scene.words import number, plural

Nodes = list[Observation]
BetweenTwo = Callable[[Observation, Observation], bool]


def members(scene: Scene) -> Nodes:
    """The objects of a scene: its axioms, or the parts of the only one where these are objects themselves."""
    if len(scene.axioms) == 1 and any(part.parts for part in scene.axioms[0].parts):
        return [scene.axioms[0], *scene.axioms[0].parts]
    return list(scene.axioms)


class Choosing:
    """Chooses objects of one scene, and notes every step."""

    def __init__(self, scene: Scene) -> None:
        self.members = members(scene)
        self._names = Names(self.members)
        self.steps: list[Step] = []

    def things(self, things: Things) -> Nodes:
        """All that is meant."""
        if things.parts_of is None:
            nodes = self.members
        else:
            nodes = [part for owner in self.referents(things.parts_of) for part in owner.parts]
        return self.filtered(nodes, things.filters)

    def referents(self, phrase: Phrase) -> Nodes:
        """What a phrase stands for: exactly one for "the ship", one or more for all else."""
        nodes = self.things(phrase.things)
        text = phrase.things.text
        if not nodes:
            raise UnrenderError(f"There is no {text} here.")
        if phrase.quantity == "one" and len(nodes) > 1:
            many = f"{number(len(nodes))} {plural(text)}"
            raise UnrenderError(f"There are {many} here; say which one, as in the largest {text}.")
        return nodes

    def only(self, phrase: Phrase) -> Observation:
        """The one object that a phrase stands for."""
        nodes = self.referents(phrase)
        if len(nodes) > 1:
            raise UnrenderError(f"There are {number(len(nodes))} of {phrase.things.text}; say which one.")
        return nodes[0]

    def filtered(self, nodes: Nodes, filters: Iterable[Filter]) -> Nodes:
        """What passes all filters, one after the other."""
        for own in _in_order(filters):
            kept = self.kept(nodes, own)
            self.note(said(own), kept, len(nodes))
            nodes = kept
        return nodes

    def kept(self, nodes: Nodes, own: Filter) -> Nodes:
        """What passes one filter."""
        match own:
            case keep.Kind(symbol, _):
                return [node for node in nodes if symbol in (None, node.symbol)]
            case keep.Looks(word, degree):
                return [node for node in nodes if looks(node, word, degree)]
            case keep.Related(word, others):
                return self._related(nodes, word, others)
            case keep.Extreme(word):
                by, sign = measure(word)
                return [max(nodes, key=lambda node: sign * by(node))] if nodes else []
            case keep.Nearest(word, other):
                return self._nearest(nodes, word, other)
            case keep.Compared(word, other):
                by, sign = measure(word)
                return self._holding(nodes, other, lambda a, b: sign * by(a) > sign * by(b))
            case keep.Same(what, other):
                return self._holding(nodes, other, lambda a, b: same(a, b, what))
            case keep.Not(inner):
                gone = self.kept(nodes, inner)
                return [node for node in nodes if node not in gone]
            case keep.Either(several):
                kept = [node for inner in several for node in self.kept(nodes, inner)]
                return [node for node in nodes if node in kept]

    def _holding(self, nodes: Nodes, phrase: Phrase, test: BetweenTwo) -> Nodes:
        """The nodes for which something holds to what a phrase stands for, each node itself left out."""
        others = self.meant(phrase)
        enough = any if phrase.quantity == "any" else all

        def fits(node: Observation) -> bool:
            rest = [other for other in others if other is not node]
            return bool(rest) and enough(test(node, other) for other in rest)

        return [node for node in nodes if fits(node)]

    def meant(self, phrase: Phrase) -> Nodes:
        """What a phrase stands for; "a ship" may stand for none."""
        return self.things(phrase.things) if phrase.quantity == "any" else self.referents(phrase)

    def _related(self, nodes: Nodes, word: str, phrases: Sequence[Phrase]) -> Nodes:
        if word != "between":
            (phrase,) = phrases
            return self._holding(nodes, phrase, lambda a, b: holds(word, a, b))
        if len(phrases) == 1:
            pairs = list(combinations(self.referents(phrases[0]), 2))
        else:
            first, second = (self.meant(phrase) for phrase in phrases)
            pairs = [(one, other) for one in first for other in second if one is not other]
        return [
            node
            for node in nodes
            if any(
                node is not one and node is not other and holds(word, node, one, other)
                for one, other in pairs
            )
        ]

    def _nearest(self, nodes: Nodes, word: str, phrase: Phrase) -> Nodes:
        other = self.only(phrase)
        rest = [node for node in nodes if node is not other]
        sign = -1 if word == "nearest" else 1
        there = Outline.of(other)
        return [max(rest, key=lambda node: sign * gap(Outline.of(node), there))] if rest else []

    def note(self, did: str, kept: Nodes, of: int) -> None:
        """Remember a step for the answer."""
        shown = f" ({self.call(kept)})" if 0 < len(kept) <= 3 else ""
        self.steps.append(Step(did, f"{len(kept)} of {of}{shown}"))

    def call(self, nodes: Nodes) -> str:
        """The objects by name, from left to right."""
        if not nodes:
            return ""
        ordered = sorted(nodes, key=lambda node: node.position)
        if len(ordered) == 1:
            return self._names.one(ordered[0])
        return self._names.several(ordered)


def _in_order(filters: Iterable[Filter]) -> list[Filter]:
    """Superlatives last: the largest red circle is the largest of the red ones."""
    return sorted(filters, key=lambda own: isinstance(own, (keep.Extreme, keep.Nearest)))
