"""Objects of a scene, chosen step by step."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from itertools import combinations
from typing import TypeGuard

from unrender.errors import UnrenderError
from unrender.scene.graph import Scene
from unrender.scene.language.appearance import colours_of
from unrender.scene.language.kinds import called
from unrender.scene.language.naming import Names, tally
from unrender.scene.language.relations import directly, holds
from unrender.scene.language.words import listed, number, plural
from unrender.scene.observation import Observation
from unrender.scene.outline import Outline
from unrender.scene.questions import filters as keep
from unrender.scene.questions.answer import Step
from unrender.scene.questions.filters import Filter, Filters, Phrase, Things, said
from unrender.scene.questions.measures import looks, means, measure, ranked, same, value
from unrender.scene.questions.places import in_order, lies, middle, off, points, shares_of, with_apex
from unrender.scene.questions.predicates import LENGTHS, shared
from unrender.scene.questions.readings import Reading
from unrender.scene.questions.wholes import kept_by_parts, parts

Nodes = list[Observation]
ASIDE = 0.05  # of the picture: by how much what is on the left may lie on the right of its middle
GAP = 1.4  # times as long: what sets the small ones apart from the large ones
WITHIN = ("in", "on", "on top of")  # words that may mean the parts of a whole
_PARTS = ("part", "parts", "piece", "pieces")
BetweenTwo = Callable[[Observation, Observation], bool]


def members(scene: Scene) -> Nodes:
    """The objects of a scene: its axioms, or the parts of the only one where these are objects themselves."""
    if len(scene.axioms) == 1 and any(part.parts for part in scene.axioms[0].parts):
        return [scene.axioms[0], *scene.axioms[0].parts]
    return list(scene.axioms)


class Choosing:
    """Chooses objects of one scene, and notes every step."""

    def __init__(self, scene: Scene, reading: Reading | None = None) -> None:
        """reading: how words are taken that may be meant in more than one way."""
        self.scene, self.reading = scene, reading or Reading()
        self.members = members(scene)
        self._names = Names(self.members)
        self.steps: list[Step] = []

    def things(self, things: Things, parts_too: bool = False) -> Nodes:
        """All that is meant; parts_too: parts of objects, where no object is like that."""
        if things.joined:
            nodes = list(dict.fromkeys(node for phrase in things.joined for node in self.referents(phrase)))
        elif things.parts_of is not None:
            owners = self.referents(things.parts_of)
            nodes = list(dict.fromkeys(part for owner in owners for part in self.held(owner, things)))
        elif any(map(_about_parts, things.filters)) or self._only_parts(things):
            nodes = self.scene.observations
        elif self.reading.parts and _seen(things):
            nodes = self._tops(things)
        else:
            nodes = list(dict.fromkeys([*self.members, *self._inside(things), *self._siblings(things)]))
            told = any(isinstance(own, keep.Looks) or _names(own) for own in things.filters)
            if parts_too and told and not self.passing(nodes, things.filters):
                nodes = self.scene.observations
        return self.filtered(nodes, things.filters)

    def held(self, whole: Observation, things: Things) -> Nodes:
        """The parts of a whole; with what lies in or on it where that is wanted."""
        own = parts(whole, things)
        if not self.reading.holding or any(
            isinstance(one, keep.Kind) and one.text in _PARTS for one in things.filters
        ):
            return own  # of its parts no others are meant
        lying = [node for node in self.members if node is not whole and self._lies("on", node, whole)]
        within = [node for node in self.members if node is not whole and holds("in", node, whole)]
        return list(dict.fromkeys([*own, *lying, *within]))

    def _inside(self, things: Things) -> Nodes:
        """The parts of wholes in which things are said to be."""
        inside = [own for own in things.filters if isinstance(own, keep.Related) and own.word in WITHIN]
        wholes = [node for own in inside for other in own.others for node in self.things(other.things)]
        found = dict.fromkeys(part for whole in wholes for part in parts(whole, things))
        kinds = [own for own in things.filters if _names(own)]  # circles in the face are all of its circles
        if kinds and not (all(own.shape for own in kinds) and any(own.word == "on" for own in inside)):
            return list(found)
        return [part for part in found if any(_upon(part, whole, self.reading.resting) for whole in wholes)]

    def _siblings(self, things: Things) -> Nodes:
        """The parts of a whole beside one of them to which things are related: what is under the nose."""
        if any(map(_names, things.filters)):
            return []
        phrases = [other for own in things.filters if isinstance(own, keep.Related) for other in own.others]
        near = [node for phrase in phrases for node in self.things(phrase.things, parts_too=True)]
        return [
            part
            for whole in self.scene.observations
            if any(node in whole.parts for node in near if node not in self.members)
            for part in whole.parts
            if part not in near
        ]

    def _tops(self, things: Things) -> Nodes:
        """All objects and parts; where no kind is told, without what belongs to one that looks the same."""
        nodes = self.scene.observations
        if any(map(_names, things.filters)):
            return nodes
        alike = self.passing(nodes, tuple(own for own in things.filters if isinstance(own, keep.Looks)))
        inside = {part for node in alike for part in list(node.walk())[1:]}
        return [node for node in alike if node not in inside]

    def _only_parts(self, things: Things) -> bool:
        """Whether a kind was taught, but is there only as a part of others."""
        kinds = [own for own in things.filters if _names(own)]
        if not kinds or any(means(own, node) for own in kinds for node in self.members):
            return False
        wholes = [node for node in self.scene.observations if node.parts]
        return any(means(own, node) for own in kinds for node in wholes)

    def referents(self, phrase: Phrase) -> Nodes:
        """What a phrase stands for: exactly one for "the ship", one or more for all else.

        Where nothing is red or left of something, what is partly red or somewhat left of it may be meant.
        """
        things, text = phrase.things, phrase.things.text
        if phrase.quantity == "other":
            raise UnrenderError(f"I do not know which are the other {text}; name them.")
        nodes = self.things(things, parts_too=True)
        if not nodes:
            looser = tuple(map(_looser, things.filters))
            nodes = self.things(replace(things, filters=looser), parts_too=True)
        if not nodes:
            more = [own for own in map(said, things.filters) if own not in text]
            raise UnrenderError(f"There {'are' if things.many else 'is'} no {' '.join([text, *more])} here.")
        if phrase.quantity == "one" and len(nodes) > 1:
            tied = any(isinstance(own, keep.Extreme) for own in things.filters)
            many, hint = f"{number(len(nodes))} {plural(text)}", "" if tied else f", as in the largest {text}"
            raise UnrenderError(f"There are {many} here; say which one{hint}.")
        if phrase.number not in (None, len(nodes)):
            raise UnrenderError(f"There are not {phrase.number} {text} here, but {len(nodes)}.")
        return nodes

    def only(self, phrase: Phrase) -> Observation:
        """The one object that a phrase stands for."""
        nodes = self.referents(phrase)
        if len(nodes) > 1:
            raise UnrenderError(f"There are {number(len(nodes))} of {phrase.things.text}; say which one.")
        return nodes[0]

    def meant(self, phrase: Phrase) -> Nodes:
        """What a phrase stands for; "a ship" may stand for none."""
        if phrase.quantity == "other":
            return self.things(phrase.things, parts_too=True)
        return self.things(phrase.things) if phrase.quantity in ("any", "bare") else self.referents(phrase)

    def filtered(self, nodes: Nodes, filters: Iterable[Filter]) -> Nodes:
        """What passes all filters, one after the other."""
        for own in _in_order(filters):
            kept = self.kept(nodes, own)
            self.note(said(own), kept, len(nodes))
            nodes = kept
        return nodes

    def passing(self, nodes: Nodes, filters: Filters) -> Nodes:
        """The same without a word about it."""
        for own in _in_order(filters):
            nodes = self.kept(nodes, own)
        return nodes

    def kept(self, nodes: Nodes, own: Filter) -> Nodes:
        """What passes one filter."""
        match own:
            case keep.Kind():
                like = [node for node in nodes if means(own, node)]
                exactly = [node for node in like if self.reading.exact and means(own, node, exactly=True)]
                return exactly or like
            case keep.Looks("dotlike"):
                limit = self.reading.dot * min(self.scene.width, self.scene.height)
                return [node for node in nodes if max(node.size) <= limit]
            case keep.Looks(word, degree, partly):
                return [
                    node
                    for node in nodes
                    if looks(node, word, degree, partly or self.reading.partly, self.reading.mainly)
                ]
            case keep.Vague(word, extreme):
                return _split(nodes, word, extreme)
            case keep.Place(sides, most, corner):
                return self._placed(nodes, sides, most, corner)
            case keep.Extreme("middle"):
                return middle(nodes)
            case keep.Extreme(word, rank, count):
                by, sign = (self.reading.measure if rank == count == 1 else measure)(word)
                return ranked(nodes, lambda node: sign * by(node), rank, count)
            case keep.Nth(rank):
                return in_order(nodes)[rank - 1 : rank]
            case keep.Points(way):
                return [node for node in with_apex(nodes) if points(node, way)]
            case keep.Related(word, others, loose, direct):
                return self._related(nodes, word, others, loose, direct)
            case keep.Mutual(word):
                return self._mutual(nodes, word)
            case keep.Hosts(things, word, sign, count):
                guests = (
                    self.referents(things)
                    if isinstance(things, Phrase)
                    else self.things(things, parts_too=True)
                )
                return [
                    node for node in nodes if self.reading.within(_guests(node, guests, word), sign, count)
                ]
            case keep.Nearest(word, other):
                return self._nearest(nodes, word, self.only(other))
            case keep.NearerThan():
                return self._nearer(nodes, own)
            case keep.Compared(word, other):
                by, sign = self.reading.measure(word)
                return self._holding(nodes, other, lambda a, b: sign * by(a) > sign * by(b))
            case keep.Measured(name, low, high):
                return [node for node in nodes if low < _number(node, name) < high]
            case keep.Beyond(word, name):
                own_name, sign = LENGTHS[word]
                return [node for node in nodes if sign * (_number(node, own_name) - _number(node, name)) > 0]
            case keep.Times(name, factor, str() as own_name):
                return [
                    n for n in nodes if self._same_length(_number(n, name), factor * _number(n, own_name))
                ]
            case keep.Times(name, factor, Phrase() as other):
                return self._holding(
                    nodes, other, lambda a, b: self._same_length(_number(a, name), factor * _number(b, name))
                )
            case keep.Closest(word):
                return self._closest(nodes, word)
            case keep.Same(what, other, exactly):
                return self._holding(
                    nodes,
                    other,
                    lambda a, b: self._same(a, b, what) and (not exactly or same(a, b, what, 1.02)),
                )
            case keep.Alike(name):
                groups = self.alike(nodes, (name,))
                return nodes if len(groups) == 1 and len(groups[0]) == len(nodes) else []
            case keep.But(others):
                gone = self.referents(others)
                return [node for node in nodes if node not in gone]
            case keep.Not(inner):
                gone = self.passing(nodes, inner)
                return [node for node in nodes if node not in gone]
            case keep.Either(several, both=True) if self.reading.joint:
                colours = shared(tuple(own for inner in several for own in inner))
                return self.passing(nodes, colours)
            case keep.Either(several):
                kept = [node for inner in several for node in self.passing(nodes, inner)]
                return [node for node in nodes if node in kept]
            case _:
                return kept_by_parts(self, nodes, own)

    def _holding(self, nodes: Nodes, phrase: Phrase, test: BetweenTwo) -> Nodes:
        """The nodes for which something holds to what a phrase stands for, each node itself left out."""
        others = self.meant(phrase)
        enough = any if phrase.quantity in ("any", "bare") else all

        def fits(node: Observation) -> bool:
            rest = [other for other in others if other is not node]
            if phrase.quantity == "other" and (len(rest) == len(others) or not rest):
                raise UnrenderError(f"I do not know which are the other {phrase.things.text}; name them.")
            return bool(rest) and enough(test(node, other) for other in rest)

        return [node for node in nodes if fits(node)]

    def alike(self, nodes: Nodes, names: Sequence[str]) -> list[Nodes]:
        """Groups of objects that agree in some properties, each object with all that are like it."""
        groups: list[Nodes] = []
        for node in nodes:
            like = [own for own in nodes if all(self._same(node, own, name) for name in names)]
            if like not in groups:
                groups.append(like)
        return groups

    def _same_length(self, one: float, other: float) -> bool:
        return abs(one - other) <= self.reading.rough * max(one, other)

    def _same(self, one: Observation, other: Observation, name: str) -> bool:
        if name == "size" and self.reading.boxes:
            sides = zip(sorted(one.size), sorted(other.size), strict=True)
            return all(max(pair) <= self.reading.alike * min(pair) for pair in sides)
        return same(one, other, name, self.reading.alike) and self._same_shades(name, one, other)

    def _same_shades(self, name: str, one: Observation, other: Observation) -> bool:
        """Whether two objects have the same colours throughout, and kinds of parts, where that is wanted."""
        if name not in ("colour", "kind") or not self.reading.shades:
            return True
        if name == "kind":
            return not (one.parts and other.parts) or tally(one.parts) == tally(other.parts)
        return set(colours_of(one)) == set(colours_of(other))

    def _mutual(self, nodes: Nodes, word: str) -> Nodes:
        """All or none, by whether they stand like that to each other; of several that may be unclear."""
        true = self.reading.true
        pairs = [true(word, a, b) or true(word, b, a) for a, b in combinations(nodes, 2)]
        if any(pairs) and not all(pairs):
            raise UnrenderError(f"Some are {word} each other and some are not; say which two you mean.")
        return nodes if pairs and all(pairs) else []

    def _related(
        self, nodes: Nodes, word: str, phrases: Sequence[Phrase], loose: bool = False, direct: bool = False
    ) -> Nodes:
        true = directly if direct else partial(self.reading.true, loose=loose)
        if word != "between":
            (phrase,) = phrases
            if word not in WITHIN:
                return self._holding(nodes, phrase, lambda a, b: true(word, a, b))
            one = replace(phrase, quantity="any") if phrase.quantity == "all" else phrase
            return self._holding(nodes, one, lambda a, b: self._lies(word, a, b))
        if len(phrases) == 1:
            pairs = list(combinations(self.referents(phrases[0]), 2))
        else:
            first, second = (self.meant(phrase) for phrase in phrases)
            pairs = [(one, other) for one in first for other in second if one is not other]
        return [
            node
            for node in nodes
            if any(
                node is not one and node is not other and true(word, node, one, other) for one, other in pairs
            )
        ]

    def _lies(self, word: str, node: Observation, other: Observation) -> bool:
        """Whether a node lies in or on another: what is painted over a thing is on it, and its parts are."""
        if any(node is part for part in list(other.walk())[1:]):
            return _part(word, node, other)
        return self.reading.true(word, node, other) or (word == "on" and holds("in front of", node, other))

    def _placed(self, nodes: Nodes, sides: Sequence[str], most: bool, corner: bool) -> Nodes:
        if most:
            if len(nodes) == 1 and not self._on_side(nodes[0], sides):
                return []
            kept = ranked(nodes, lambda node: -off(node, sides, self.scene))
            if sides == ("middle",) and len(nodes) > 1 and middle(nodes) not in ([], kept):
                raise UnrenderError(
                    "The middle one of them is not the one in the middle of the picture; say which."
                )
            return kept
        return [node for node in nodes if lies(node, sides, self.scene, corner, self.reading)]

    def _on_side(self, node: Observation, sides: Sequence[str]) -> bool:
        """Whether the only one of its kind lies there, in the picture or in the whole it is a part of."""
        shares = [shares_of(node, 0.0, 0.0, self.scene.width, self.scene.height)]
        shares += [
            shares_of(node, *Outline.of(whole).box)
            for whole in self.members
            if any(node is part for part in list(whole.walk())[1:])
        ]
        ends = {"left": (0, -1), "right": (0, 1), "top": (1, -1), "bottom": (1, 1)}
        return any(
            all(side not in ends or (own[ends[side][0]] - 0.5) * ends[side][1] > -ASIDE for side in sides)
            for own in shares
        )

    def _nearest(self, nodes: Nodes, word: str, other: Observation) -> Nodes:
        rest = [node for node in nodes if node is not other]
        if word == "nearest":  # not the table that it lies on
            rest = [node for node in rest if not holds("around", node, other)] or rest
        sign = -1 if word == "nearest" else 1
        return ranked(rest, lambda node: sign * self.reading.distance(node, other))

    def _closest(self, nodes: Nodes, word: str) -> Nodes:
        """The pair with the least or the greatest distance."""
        pairs = list(combinations(nodes, 2))
        if not pairs:
            raise UnrenderError("Only two or more objects have a distance.")
        choose = min if word == "nearest" else max
        best = choose(self.reading.distance(*pair) for pair in pairs)
        tied = [pair for pair in pairs if abs(self.reading.distance(*pair) - best) < 1]
        if len(tied) > 1:
            raise UnrenderError(f"{number(len(tied))} pairs are equally far from each other.")
        return list(tied[0])

    def _nearer(self, nodes: Nodes, own: keep.NearerThan) -> Nodes:
        """ "nearer to the ship than the car": than the car is, or than to the car; both where they agree."""
        sign, here, there = -1 if own.word == "nearest" else 1, self.only(own.one), self.only(own.other)
        ways = {
            "to": [
                node
                for node in nodes
                if sign * (self.reading.distance(node, here) - self.reading.distance(node, there)) > 0
            ],
            "is": [
                node
                for node in nodes
                if sign * (self.reading.distance(node, here) - self.reading.distance(there, here)) > 0
            ],
        }
        if own.than == "" and ways["to"] != ways["is"]:
            text = own.other.things.text
            raise UnrenderError(f'Say "than to the {text}" or "than the {text} is"; the answers differ.')
        return ways[own.than or "to"]

    def note(self, did: str, kept: Nodes, of: int) -> None:
        """Remember a step for the answer."""
        shown = f" ({self.call(kept)})" if 0 < len(kept) <= 3 else ""
        self.steps.append(Step(did, f"{len(kept)} of {of}{shown}"))

    def call(self, nodes: Nodes) -> str:
        """The objects by name, from left to right; parts with the whole that they belong to."""
        if not nodes:
            return ""
        ordered = sorted(nodes, key=lambda node: node.position)
        if all(node in self.members for node in nodes):
            return self._names.one(ordered[0]) if len(ordered) == 1 else self._names.several(ordered)
        owners = [top for top in self.members if any(node in list(top.walk())[1:] for node in nodes)]
        alone = [node for node in ordered if node in self.members]
        told = [self._of(top, [node for node in ordered if node in list(top.walk())[1:]]) for top in owners]
        return listed([*([self.call(alone)] if alone else []), *told])

    def _of(self, whole: Observation, nodes: Nodes) -> str:
        """ "the white square of the house"."""
        names = Names(list(whole.walk())[1:])
        every = len(nodes) > 1 and nodes == sorted(whole.parts, key=lambda node: node.position)
        told = names.one(nodes[0]) if len(nodes) == 1 else tally(nodes) if every else names.several(nodes)
        return f"{told} of {self._names.one(whole)}"


def _split(nodes: Nodes, word: str, extreme: str) -> Nodes:
    """Those that are "small" or "large" among others: on one side of the only wide gap between them."""
    if len({called(node) for node in nodes}) > 1:
        raise UnrenderError(f"I do not know what is {word} here; ask for the {extreme} one instead.")
    by, sign = measure(extreme)
    power = 0.5 if extreme in ("largest", "smallest") else 1.0  # an area is a length times another
    order = sorted(nodes, key=lambda node: -sign * by(node))
    sizes = [by(node) ** power for node in order]
    wide = [i for i in range(1, len(order)) if max(sizes[i - 1 : i + 1]) >= GAP * min(sizes[i - 1 : i + 1])]
    if len(wide) != 1:
        raise UnrenderError(f"I do not know what is {word} here; ask for the {extreme} one instead.")
    return [node for node in nodes if node in order[: wide[0]]]


def _number(node: Observation, name: str) -> float:
    """A property in pixels."""
    found = value(node, name)
    assert isinstance(found, int | float)
    return float(found)


def _looser(own: Filter) -> Filter:
    match own:
        case keep.Looks():
            return replace(own, partly=True)
        case keep.Related():
            return replace(own, loosely=True)
    return own


def _upon(part: Observation, whole: Observation, resting: bool) -> bool:
    """Whether a part is a thing of its own, like a door, or lies in or on another part, and is not the ground
    on which all lies; resting: whether only the latter counts."""
    own = list(part.walk())
    return (len(own) > 1 and not resting) or any(
        holds(word, part, node)
        for node in whole.walk()
        if node is not whole and node not in own
        for word in ("in", "on", "in front of")
    )


def _part(word: str, node: Observation, whole: Observation) -> bool:
    """Whether a node is a part in or on a whole; on top of it is the uppermost one only."""
    if word != "on top of":
        return node in list(whole.walk())[1:]
    tops = [Outline.of(part).box[1] for part in whole.parts]
    return node in whole.parts and Outline.of(node).box[1] <= min(tops)


def _guests(host: Observation, guests: Nodes, word: str) -> int:
    """How many others stand in a relation to an object."""
    own = [_part(word, node, host) if word in WITHIN else False for node in guests]
    return sum(
        node is not host and (part or holds(word, node, host)) for node, part in zip(guests, own, strict=True)
    )


def _names(own: Filter) -> TypeGuard[keep.Kind]:
    """Whether it is the noun of a kind of objects."""
    return isinstance(own, keep.Kind) and own.symbol is not None


def _seen(things: Things) -> bool:
    """Whether a noun or a look is told that parts may have as well as the objects that they belong to."""
    return any(isinstance(own, keep.Looks) or _names(own) for own in things.filters)


def _about_parts(own: Filter) -> bool:
    inner = own.of if isinstance(own, keep.Not) else (own,)
    return any(isinstance(one, keep.PartOf) for one in inner)


def _in_order(filters: Iterable[Filter]) -> list[Filter]:
    """Superlatives last: the largest red circle is the largest of the red ones."""
    return sorted(filters, key=choosy)


def choosy(own: Filter) -> bool:
    """Whether a filter chooses among all that passed the others, and may leave several that are equal."""
    several = (
        keep.Extreme, keep.Nth, keep.Nearest, keep.MostParts, keep.Alike, keep.Mutual, keep.Closest,
        keep.Vague,
    )  # fmt: skip
    return isinstance(own, several) or (isinstance(own, keep.Place) and own.most)
