"""Telling objects of one kind apart: "the largest asteroid", "the red circle", "the left ship"."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from unrender.scene.language.appearance import colour_of
from unrender.scene.language.kinds import called
from unrender.scene.language.words import all_of, counted, listed, number, plural, with_article
from unrender.scene.observation import Observation
from unrender.scene.outline import Outline

LARGER = 1.25  # times as large: a difference in size that is seen at once
KINDS = 6  # the most that are counted by name
SUBJECTS = 4  # kinds that are named in one subject
FEW = 12  # of a kind: among more, a single one is hard to point at


def kinds(nodes: Iterable[Observation]) -> dict[str, list[Observation]]:
    """Objects by their nouns: composed ones first, then single ones before many."""
    groups: dict[str, list[Observation]] = {}
    for node in nodes:
        groups.setdefault(called(node), []).append(node)
    return dict(sorted(groups.items(), key=lambda item: (not item[1][0].parts, len(item[1]))))


def tally(nodes: Sequence[Observation]) -> str:
    """ "a ship and three asteroids"."""
    groups = kinds(nodes)
    main = list(groups.items())[: KINDS if len(groups) <= KINDS else KINDS - 1]
    items = [with_article(kind) if len(group) == 1 else counted(len(group), kind) for kind, group in main]
    rest = len(nodes) - sum(len(group) for _, group in main)
    return listed(items + ([counted(rest, "other thing")] if rest else []))


class Names:
    """What to call each of several objects, the same all through a text; one may be known as "it"."""

    def __init__(self, members: Sequence[Observation], it: Observation | None = None) -> None:
        self.groups = kinds(members)
        self._total = len(members)
        self._it = it
        self._names: dict[str, dict[int, str]] = {}  # by kind, of those that somebody has asked for

    def clear(self, member: Observation) -> bool:
        """Whether there is a name for this one alone."""
        return not self.one(member).startswith("one of ")

    def one(self, member: Observation) -> str:
        """ "the red circle", or "one of the circles" if nothing sets it apart."""
        if member is self._it:
            return "it"
        kind = called(member)
        if kind not in self._names:
            group = self.groups.get(kind, [])
            told = _told_apart(group, kind) if group else []
            self._names[kind] = {id(own): name for own, name in zip(group, told, strict=True)}
        return self._names[kind].get(id(member)) or f"the {kind}"

    def several(self, members: Sequence[Observation]) -> str:
        """Objects as one subject: "both ships and the red circle", "two of the ships", "all of them"."""
        if self._total == len(members) > 1:
            return "both of them" if self._total == 2 else "all of them"
        groups = kinds(members)
        named = [self._some(group, kind) for kind, group in list(groups.items())[:SUBJECTS]]
        rest = sum(len(group) for group in list(groups.values())[SUBJECTS:])
        return listed(named + ([f"{number(rest)} other{'s' if rest > 1 else ''}"] if rest else []))

    def _some(self, group: Sequence[Observation], kind: str) -> str:
        """Objects of one kind."""
        if len(group) == len(self.groups.get(kind, group)) > 1:
            return all_of(len(group), kind)
        if len(group) == 1 or (len(group) == 2 and all(self.clear(member) for member in group)):
            return listed([self.one(member) for member in group])
        return f"{number(len(group))} of the {plural(kind)}"


def _told_apart(group: Sequence[Observation], kind: str) -> list[str]:
    """A name for each of a group: by size, by colour, or by place."""
    if len(group) == 1:
        return [f"the {kind}"]
    shades = [colour_of(member) for member in group]
    outlines = [Outline.of(member) for member in group]
    names: dict[int, str] = {}
    if len(group) > 2 or len(set(shades)) == 1:
        names = {i: f"the {word} {kind}" for word, i in SIZE.ends(outlines)}
    if len(set(shades)) > 1 and len(group) <= FEW:
        for shade in set(shades):
            alike = [i for i, other in enumerate(shades) if other == shade]
            apart = _told_apart([group[i] for i in alike], f"{shade} {kind}".lstrip())
            names = dict(zip(alike, apart, strict=True)) | names
    else:
        for measure in PLACES:
            names = {i: f"the {word} {kind}" for word, i in measure.ends(outlines)} | names
    return [names.get(i, f"one of the {plural(kind)}") for i in range(len(group))]


@dataclass(frozen=True)
class Measure:
    """Something by which the first and the last of several objects are known."""

    of_two: tuple[str, str]  # the words for the lower and the higher one of two
    of_many: tuple[str, str]
    value: Callable[[Outline], float]
    margin: Callable[[Outline], float]  # how far it must be ahead of the next

    def ends(self, outlines: Sequence[Outline]) -> Iterator[tuple[str, int]]:
        """The words, and the indices of the objects that clearly deserve them."""
        values = [self.value(outline) for outline in outlines]
        order = sorted(range(len(values)), key=values.__getitem__)
        words = self.of_two if len(values) == 2 else self.of_many
        for word, first, second in ((words[0], order[0], order[1]), (words[1], order[-1], order[-2])):
            if abs(values[first] - values[second]) > self.margin(outlines[first]):
                yield word, first


SIZE = Measure(
    *(("smaller", "larger"), ("smallest", "largest")),
    lambda outline: math.log(outline.side),
    lambda _: math.log(LARGER),
)
PLACES = (
    Measure(
        *(("left", "right"), ("leftmost", "rightmost")),
        lambda outline: outline.centre[0],
        lambda outline: outline.side / 2,
    ),
    Measure(
        *(("upper", "lower"), ("topmost", "lowest")),
        lambda outline: outline.centre[1],
        lambda outline: outline.side / 2,
    ),
)
