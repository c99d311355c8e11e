"""Running a program on a scene graph, step by step."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import combinations

from unrender.errors import UnrenderError
from unrender.scene.asking.answer import Answer, Step, Value
from unrender.scene.asking.measures import looks, measure, same, told, value
from unrender.scene.asking.program import (
    Check,
    Choice,
    Compared,
    Count,
    CountIs,
    CountsCompare,
    Distance,
    Either,
    Extreme,
    Filter,
    Kind,
    Looks,
    Nearest,
    Not,
    Phrase,
    Program,
    Property,
    Related,
    Same,
    Things,
    Which,
)
from unrender.scene.graph import Scene
from unrender.scene.naming import Names
from unrender.scene.observation import Observation
from unrender.scene.outline import Outline, gap
from unrender.scene.relations import holds
from unrender.scene.words import listed, number, plural

Nodes = list[Observation]
BetweenTwo = Callable[[Observation, Observation], bool]


def members(scene: Scene) -> Nodes:
    """The objects of a scene: its axioms, or the parts of the only one where these are objects themselves."""
    if len(scene.axioms) == 1 and any(part.parts for part in scene.axioms[0].parts):
        return [scene.axioms[0], *scene.axioms[0].parts]
    return list(scene.axioms)


class Run:
    """One execution."""

    def __init__(self, scene: Scene) -> None:
        self._members = members(scene)
        self._names = Names(self._members)
        self.steps: list[Step] = []

    def answer(self, program: Program) -> Answer:
        """What the program says about the scene."""
        found, text = self._result(program)
        return Answer(found, text, tuple(self.steps))

    def _result(self, program: Program) -> tuple[Value, str]:
        match program:
            case Count(things):
                count = len(self.things(things))
                return count, str(count)
            case CountIs(things, sign, wanted):
                return _yes(_compare(len(self.things(things)), sign, wanted))
            case CountsCompare(things, sign, others):
                one, other = len(self.things(things)), len(self.things(others))
                signs = {"more": one > other, "fewer": one < other, "as many": one == other}
                return _yes(signs[sign])
            case Check(subject, filters):
                return _yes(self._test(subject, filters))
            case Which(things):
                nodes = self.things(things)
                return nodes, self._call(nodes) or "nothing"
            case Choice(word, first, second):
                best = self._kept([self._only(first), self._only(second)], Extreme(word))
                self._note(f"the {word} one", best, 2)
                return best, self._call(best)
            case Property(subject, name):
                return self._property(subject, name)
            case Distance(subject, other):
                pixels = max(0.0, gap(Outline.of(self._only(subject)), Outline.of(self._only(other))))
                return pixels, f"{pixels:.1f} px"

    def _property(self, subject: Phrase, name: str) -> tuple[Value, str]:
        nodes = self.referents(subject)
        values = [value(node, name) for node in nodes]
        self.steps.append(Step(f"{name} of {self._call(nodes)}", listed([told(own, name) for own in values])))
        if len(nodes) == 1:
            return values[0], told(values[0], name)
        said = listed(list(dict.fromkeys(told(own, name) for own in values)))
        return said, said

    def _test(self, subject: Phrase, filters: Sequence[Filter]) -> bool:
        nodes = self.things(subject.things) if subject.quantity == "any" else self.referents(subject)
        rivals = any(isinstance(own, (Extreme, Nearest)) for own in filters)
        kept = self.filtered(self._members if rivals else nodes, filters)
        fitting = [node for node in nodes if node in kept]
        return bool(fitting) if subject.quantity == "any" else len(fitting) == len(nodes)

    # sets

    def things(self, things: Things) -> Nodes:
        """All that is meant."""
        if things.parts_of is None:
            nodes = self._members
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

    def _only(self, phrase: Phrase) -> Observation:
        nodes = self.referents(phrase)
        if len(nodes) > 1:
            raise UnrenderError(f"There are {number(len(nodes))} of {phrase.things.text}; say which one.")
        return nodes[0]

    def filtered(self, nodes: Nodes, filters: Iterable[Filter]) -> Nodes:
        """What passes all filters, one after the other."""
        for own in _in_order(filters):
            kept = self._kept(nodes, own)
            self._note(_said(own), kept, len(nodes))
            nodes = kept
        return nodes

    def _kept(self, nodes: Nodes, own: Filter) -> Nodes:
        match own:
            case Kind(symbol, _):
                return [node for node in nodes if symbol in (None, node.symbol)]
            case Looks(word, degree):
                return [node for node in nodes if looks(node, word, degree)]
            case Related(word, others):
                return self._related(nodes, word, others)
            case Extreme(word):
                by, sign = measure(word)
                return [max(nodes, key=lambda node: sign * by(node))] if nodes else []
            case Nearest(word, other):
                return self._nearest(nodes, word, other)
            case Compared(word, other):
                by, sign = measure(word)
                return self._holding(nodes, other, lambda a, b: sign * by(a) > sign * by(b))
            case Same(what, other):
                return self._holding(nodes, other, lambda a, b: same(a, b, what))
            case Not(inner):
                gone = self._kept(nodes, inner)
                return [node for node in nodes if node not in gone]
            case Either(several):
                kept = [node for inner in several for node in self._kept(nodes, inner)]
                return [node for node in nodes if node in kept]

    def _holding(self, nodes: Nodes, phrase: Phrase, test: BetweenTwo) -> Nodes:
        """The nodes for which something holds to what a phrase stands for, each node itself left out."""
        others = self._others(phrase)
        enough = any if phrase.quantity == "any" else all

        def fits(node: Observation) -> bool:
            rest = [other for other in others if other is not node]
            return bool(rest) and enough(test(node, other) for other in rest)

        return [node for node in nodes if fits(node)]

    def _others(self, phrase: Phrase) -> Nodes:
        return self.things(phrase.things) if phrase.quantity == "any" else self.referents(phrase)

    def _related(self, nodes: Nodes, word: str, phrases: Sequence[Phrase]) -> Nodes:
        if word != "between":
            (phrase,) = phrases
            return self._holding(nodes, phrase, lambda a, b: holds(word, a, b))
        if len(phrases) == 1:
            pairs = list(combinations(self.referents(phrases[0]), 2))
        else:
            first, second = (self._others(phrase) for phrase in phrases)
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
        other = self._only(phrase)
        rest = [node for node in nodes if node is not other]
        sign = -1 if word == "nearest" else 1
        there = Outline.of(other)
        return [max(rest, key=lambda node: sign * gap(Outline.of(node), there))] if rest else []

    # words

    def _note(self, did: str, kept: Nodes, of: int) -> None:
        shown = f" ({self._call(kept)})" if 0 < len(kept) <= 3 else ""
        self.steps.append(Step(did, f"{len(kept)} of {of}{shown}"))

    def _call(self, nodes: Nodes) -> str:
        """The objects by name, from left to right."""
        if not nodes:
            return ""
        ordered = sorted(nodes, key=lambda node: node.position)
        if len(ordered) == 1:
            return self._names.one(ordered[0])
        return self._names.several(ordered)


def _yes(so: bool) -> tuple[bool, str]:
    return so, "yes" if so else "no"


def _compare(count: int, sign: str, wanted: int) -> bool:
    signs = {
        "exactly": count == wanted,
        "at least": count >= wanted,
        "at most": count <= wanted,
        "more than": count > wanted,
        "fewer than": count < wanted,
    }
    return signs[sign]


def _in_order(filters: Iterable[Filter]) -> list[Filter]:
    """Superlatives last: the largest red circle is the largest of the red ones."""
    return sorted(filters, key=lambda own: isinstance(own, (Extreme, Nearest)))


def _said(own: Filter) -> str:
    """A filter in words."""
    match own:
        case Kind(_, text):
            return text
        case Looks(word, degree):
            return f"{degree} {word}".lstrip()
        case Related(word, others):
            return f"{word} {' and '.join(_phrased(other) for other in others)}"
        case Extreme(word):
            return word
        case Nearest(word, other):
            return f"{word} to {_phrased(other)}"
        case Compared(word, other):
            return f"{word} than {_phrased(other)}"
        case Same(what, other):
            return f"the same {what} as {_phrased(other)}"
        case Not(inner):
            return f"not {_said(inner)}"
        case Either(several):
            return " or ".join(_said(inner) for inner in several)


def _phrased(phrase: Phrase) -> str:
    article = {"one": "the ", "all": "all ", "any": "any "}[phrase.quantity]
    return f"{article}{phrase.things.text}"
