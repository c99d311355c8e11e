"""Running a program on a scene graph, step by step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

from unrender.errors import UnrenderError
from unrender.scene.language.appearance import colour_of, colours_of
from unrender.scene.language.naming import tally
from unrender.scene.language.words import listed, number
from unrender.scene.observation import Observation
from unrender.scene.outline import Outline
from unrender.scene.questions import program as ask
from unrender.scene.questions.amounts import measured
from unrender.scene.questions.answer import Answer, Step, Value
from unrender.scene.questions.choosing import WITHIN, Choosing, Nodes, choosy
from unrender.scene.questions.filters import (
    Alike,
    Either,
    Extreme,
    Filter,
    Kind,
    Looks,
    MostParts,
    Nearest,
    Not,
    Phrase,
    Related,
    Things,
    named,
    said,
)
from unrender.scene.questions.measures import compares, same, told, value, within
from unrender.scene.questions.program import Program
from unrender.scene.questions.vocabulary import UnknownWordError
from unrender.scene.questions.wholes import parts

AS_PARTS = "as part"  # of answers that say what is there only like that


class Run(Choosing):
    """One execution."""

    def answer(self, program: Program) -> Answer:
        """What the program says about the scene."""
        found, text = self._result(program)
        return Answer(found, text, tuple(dict.fromkeys(self.steps)))  # none is told twice

    def _result(self, program: Program) -> tuple[Value, str]:
        match program:
            case ask.Count(several, parts_too=True):
                every = [own.filters for own in several if own.parts_of is None and not own.joined]
                if len(every) == len(several):
                    alone = {n for filters in every for n in self.filtered(self.scene.observations, filters)}
                    return len(alone), str(len(alone))
                return self._result(ask.Count(several))
            case ask.Count((things,)) if any(isinstance(own, Alike) for own in things.filters):
                nodes = self._alike(things)
                return len(nodes), str(len(nodes))
            case ask.Count((things,)) if things.parts_of is None and not things.joined:
                nodes = self.things(_loosely(things))
                if not nodes and (nodes := self._as_parts(things)):
                    return len(nodes), f"{len(nodes)}, as parts of {self.call(self._wholes(nodes))}"
                return len(nodes), f"{len(nodes)}{self._more_as_parts(things, nodes)}"
            case ask.Count() | ask.Sum():
                count = self._number(program)
                return count, str(count)
            case ask.Copies(owner, word):
                whole = self.only(owner)
                if whole.count is None:
                    raise UnknownWordError(word, "")
                self.note(f"copies in {owner.things.text}", [whole], 1)
                return whole.count, str(whole.count)
            case ask.CountIs(things, sign, wanted):
                return self._exists(things, sign, wanted)
            case ask.CountsCompare(things, sign, others):
                signs = {"more": "more than", "fewer": "fewer than", "as many": "exactly"}
                one, other = (len(self.things(own)) for own in (things, others))
                return _yes(within(one, signs[sign], other))
            case ask.MoreOf(things, others):
                counts = [(len(self.things(own)), own.text) for own in (things, others)]
                (most, more), (least, _) = sorted(counts, reverse=True)
                said_ = f"as many: {most} each" if most == least else f"more {more}: {most} to {least}"
                return said_, said_
            case ask.Check(Phrase(quantity="one") as subject, (Either(ways),)):
                fitting = [way for way in ways if self._test(subject, way)]
                if not fitting and all(isinstance(own, Related) for way in ways for own in way):
                    raise UnrenderError(
                        f"Neither: it is not {' and not '.join(said(way[0]) for way in ways)}."
                    )
                texts = [" and ".join(map(said, way)) for way in fitting]
                return bool(fitting), f"yes, {listed(texts)}" if fitting else "no"
            case ask.Check(Phrase(quantity="all" | "each") as subject, filters, denied=True):
                some = self._test(replace(subject, quantity="any"), filters)
                if some != self._test(subject, filters):
                    raise UnrenderError("Some of them are like that, and some are not.")
                return _yes(some)
            case ask.Check(subject, filters):
                return _yes(self._test(subject, filters))
            case ask.OnlyThese(subject, filters):
                only = {node for own in self.meant(subject) for node in own.walk()}
                looks = Things((Kind(None, "things"), *filters))
                like = self.things(looks) if only <= set(self.members) else self._as_parts(looks)
                return _yes(bool(like) and set(like) <= only)
            case ask.AnyAlike(things, names):
                groups = combinations(self.things(things), program.number)
                alike = (
                    all(same(*two, name) for two in combinations(own, 2) for name in names) for own in groups
                )
                return _yes(any(alike))
            case ask.Which(things) if any(isinstance(own, Alike) for own in things.filters):
                nodes = self._alike(things)
                return nodes, self.call(nodes) or "nothing"
            case ask.Which(things, there, wanted):
                nodes = self.things(_loosely(things), parts_too=True)
                if not named(things):  # nothing lies under the eggs that is one of them
                    sets = [
                        phrase
                        for own in things.filters
                        if isinstance(own, Related)
                        for phrase in own.others
                        if phrase.quantity == "all"
                    ]
                    gone = [node for phrase in sets for node in self.meant(phrase)]
                    nodes = [node for node in nodes if node not in gone]
                words = [
                    own.word for own in things.filters if isinstance(own, Extreme) and compares(own.word)
                ]
                if len(nodes) > 1 and words:
                    raise UnrenderError(f"None of them is {words[0]} than the others: {self.call(nodes)}.")
                if there and len(nodes) > 1 and not things.many and not any(map(choosy, things.filters)):
                    raise UnrenderError(f"There are {number(len(nodes))} of {things.text}; say which one.")
                if there and not nodes:
                    raise UnrenderError(f"There is no {things.text} here.")
                if wanted not in (None, len(nodes)):
                    raise UnrenderError(
                        f"They are not {wanted}, but {len(nodes)}: {self.call(nodes) or 'none'}."
                    )
                everything = bool(nodes) and nodes == self.members and not _narrow(things)
                return nodes, tally(nodes) if everything else self.call(nodes) or "nothing"
            case ask.MadeOf(subject):
                wholes = self.referents(subject)
                made = dict.fromkeys(tally(node.parts) if node.parts else "nothing else" for node in wholes)
                return [part for node in wholes for part in node.parts], " or ".join(made)
            case ask.Property(subject, name):
                return self._property(subject, name)
            case ask.Values(subject, name, wanted):
                return self._values(
                    self.members if not subject.things.filters else self.referents(subject), name, wanted
                )
            case ask.Mean() | ask.HowMuch() | ask.Share() | ask.Background() | ask.HowTo() | ask.Distance():
                return measured(self, program)

    def _alike(self, things: Things) -> Nodes:
        """Those of several that are the same in something, if there is but one such group."""
        rest = tuple(own for own in things.filters if not isinstance(own, Alike))
        nodes = self.things(_loosely(replace(things, filters=rest)), parts_too=True)
        names = [own.name for own in things.filters if isinstance(own, Alike)]
        groups = [own for own in self.alike(nodes, names) if len(own) > 1]
        if len(groups) > 1:
            told = "; ".join(map(self.call, groups))
            raise UnrenderError(f"There are {number(len(groups))} groups that are alike: {told}.")
        return groups[0] if groups else []

    def _number(self, program: ask.Count | ask.Sum | int) -> int:
        match program:
            case ask.Count((Things(parts_of=Phrase(quantity="any" | "each")) as things,)):
                return self._of_each(things)
            case ask.Count(several):
                return len({node for things in several for node in self.things(things)})
            case ask.Sum(first, more):
                total = self._number(first)
                for sign, term in more:
                    own = self._number(term)
                    signs = {"plus": total + own, "minus": total - own, "times": total * own}
                    total = signs.get(sign, abs(total - own))
                return total
        return program

    def _of_each(self, things: Things) -> int:
        """How many parts of a kind each of some wholes has."""
        assert things.parts_of is not None
        wholes = self.referents(things.parts_of)
        counts = sorted({len(self.filtered(parts(node, things), things.filters)) for node in wholes})
        if len(counts) > 1:
            raise UnrenderError(
                f"They do not all have as many {things.text}: {listed(list(map(str, counts)))}."
            )
        return counts[0]

    def _as_parts(self, things: Things) -> Nodes:
        """What is there only as parts of objects, where a kind and its looks are told, or only looks."""
        if not any(isinstance(own, Kind) and own.symbol for own in things.filters):
            return type(self)(self.scene, replace(self.reading, parts=True)).things(things)
        return self.things(things, parts_too=True) if _described(things) else []

    def _more_as_parts(self, things: Things, counted: Nodes) -> str:
        """What is to be said of a kind that is there as parts of other objects, too."""
        if not any(isinstance(own, Kind) and own.symbol for own in things.filters) or _narrow(things):
            return ""
        more = [node for node in self.passing(self.scene.observations, things.filters) if node not in counted]
        return f", and {len(more)} as parts of others" if more else ""

    def _exists(self, things: Things, sign: str, wanted: int) -> tuple[Value, str]:
        """Whether there are so many; of what is there only as a part of others, that is said."""
        nodes = self.things(_loosely(things))
        so, text = _yes(self.reading.within(len(nodes), sign, wanted))
        if not nodes and not so and (parts := self.things(_loosely(things), parts_too=True)):
            told = self.call(self._wholes(parts))
            inside = [own for own in things.filters if isinstance(own, Related) and own.word in WITHIN]
            if inside or any(isinstance(own, Looks) for own in things.filters):
                so, text = _yes(
                    self.reading.within(len(parts), sign, wanted)
                )  # a green eye is a green circle
            text = f"yes, {AS_PARTS} of {told}" if so else f"no, only {AS_PARTS} of {told}"
        return so, text

    def _wholes(self, nodes: Nodes) -> Nodes:
        """The objects that some nodes belong to."""
        return [top for top in self.members if any(node in nodes for node in top.walk())]

    def _property(self, subject: Phrase, name: str) -> tuple[Value, str]:
        nodes = self._tied(subject, name) or self.referents(subject)
        values = [self._value(node, name) for node in nodes]
        self.steps.append(Step(f"{name} of {self.call(nodes)}", listed([told(own, name) for own in values])))
        if len(nodes) == 1 or (subject.quantity == "one" and len(set(values)) == 1):
            return values[0], told(values[0], name)
        said = listed(list(dict.fromkeys(told(own, name) for own in values)))
        return said, said

    def _value(self, node: Observation, name: str) -> str | float | tuple[float, float]:
        """A property; width and height as it stands where they are taken like that."""
        if self.reading.upright and name in ("width", "height"):
            return Outline.of(node).extent[name == "height"]
        return value(node, name)

    def _tied(self, subject: Phrase, name: str) -> Nodes:
        """Several "largest" that have the same colour, where one was asked for; else none."""
        filters = subject.things.filters
        if subject.quantity != "one" or not any(isinstance(own, Extreme) for own in filters):
            return []
        nodes = self.things(subject.things, parts_too=True)
        return nodes if len({value(node, name) for node in nodes}) == 1 else []

    def _values(self, nodes: Nodes, name: str, wanted: str) -> tuple[Value, str]:
        """The values of a property that there are: how many, which, or the most or least common one."""
        if self.reading.parts:
            nodes = [leaf for node in nodes for leaf in node.primitives]
        coloured = name in ("colour", "colours")
        if coloured and wanted in ("count", "all"):
            found = Counter(shade for node in nodes for shade in colours_of(node))
        else:
            found = Counter(colour_of(node) if coloured else told(value(node, name), name) for node in nodes)
        self.steps.append(
            Step(f"each {name}", listed([f"{own} ({often})" for own, often in found.most_common()]))
        )
        if wanted == "count":
            return len(found), str(len(found))
        if wanted != "all" and found:
            often = (max if wanted == "most" else min)(found.values())
            found = Counter({own: count for own, count in found.items() if count == often})
        said = listed(list(found)) or "nothing"
        return said, said

    def _test(self, subject: Phrase, filters: Sequence[Filter]) -> bool:
        nodes = self.meant(subject)
        rivals = any(isinstance(own, (Extreme, Nearest, MostParts)) for own in filters)
        kept = self.filtered(self._rivals(nodes) if rivals else nodes, filters)
        fitting = [node for node in nodes if node in kept]
        colours = [own for own in filters if isinstance(own, Looks) and own.partly]
        if len(nodes) > 1 and len(colours) > 1 and len(fitting) < len(nodes):
            each = {node for own in colours for node in self.passing(nodes, (own,))}
            if len(each) == len(nodes):
                raise UnrenderError("Some are like the one and some like the other; ask for each.")
        denied = len(filters) == 1 and isinstance(filters[0], Not)
        if denied and subject.quantity == "all" and 0 < len(fitting) < len(nodes):
            raise UnrenderError(f"{len(fitting)} of the {len(nodes)} are not like that, and the others are.")
        return bool(fitting) if subject.quantity in ("any", "bare") else len(fitting) == len(nodes)

    def _rivals(self, nodes: Nodes) -> Nodes:
        """What objects are compared with: the other objects, or of parts all that their wholes consist of."""
        if all(node in self.members for node in nodes):
            return self.members
        return [node for top in self._wholes(nodes) for node in top.walk()]


def _loosely(things: Things) -> Things:
    """The same with sides that reach as far as a person may mean."""
    filters = (replace(own, loosely=True) if isinstance(own, Related) else own for own in things.filters)
    return replace(things, filters=tuple(filters))


def _described(things: Things) -> bool:
    """Whether a kind and its looks are told, so that a part of something else may be meant."""
    return all(any(isinstance(own, what) for own in things.filters) for what in (Kind, Looks)) and any(
        isinstance(own, Kind) and own.symbol for own in things.filters
    )


def _narrow(things: Things) -> bool:
    """Whether more is said of things than their kind and looks."""
    return not all(isinstance(own, Looks | Kind) for own in things.filters)


def _yes(so: bool) -> tuple[bool, str]:
    return so, "yes" if so else "no"
