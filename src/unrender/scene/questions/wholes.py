"""Objects chosen by the parts that they have, or by the wholes that they are parts of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from unrender.errors import UnrenderError
from unrender.scene.language.relations import holds
from unrender.scene.language.words import number
from unrender.scene.observation import Observation
from unrender.scene.questions import filters as keep
from unrender.scene.questions.filters import Filter, Phrase, Things, said
from unrender.scene.questions.measures import measure, ranked, within

if TYPE_CHECKING:
    from unrender.scene.questions.choosing import Choosing

Nodes = list[Observation]
_SIGNS = {"more": "more than", "fewer": "fewer than", "as many": "exactly"}


def parts(node: Observation, things: Things) -> Nodes:
    """What a whole has of some things: parts at any depth where a kind is told, else those it is made of."""
    kinds = [own for own in things.filters if isinstance(own, keep.Kind) and own.symbol]
    return list(node.walk())[1:] if kinds else list(node.parts)


def _inside(choosing: Choosing, shape: Observation) -> Nodes:
    """What lies in a shape, which has no parts but may contain others, as a ring does; not the seat of a
    swing that stands in it."""
    alone = [
        *choosing.members,
        *(part for top in choosing.members if shape in top.walk() for part in top.walk()),
    ]
    return [node for node in dict.fromkeys(alone) if node is not shape and holds("in", node, shape)]


def kept_by_parts(choosing: Choosing, nodes: Nodes, own: Filter) -> Nodes:
    """What passes a filter that is about parts and wholes."""

    def fitting(node: Observation, things: Things) -> Nodes:
        own = choosing.held(node, things) if node.parts else _inside(choosing, node)
        return choosing.passing(own, things.filters)

    def count(node: Observation, things: Things) -> int:
        return len(fitting(node, things))

    match own:
        case keep.PartOf(owner):
            inside = [node for whole in choosing.meant(owner) for node in list(whole.walk())[1:]]
            return [node for node in nodes if node in inside]
        case keep.Has(things, sign, wanted):
            return [node for node in nodes if choosing.reading.within(count(node, things), sign, wanted)]
        case keep.HasMore(things, sign, Things() as other):
            return [node for node in nodes if within(count(node, things), _SIGNS[sign], count(node, other))]
        case keep.HasMore(things, sign, Phrase() as owner):
            theirs = count(choosing.only(owner), things)
            return [node for node in nodes if within(count(node, things), _SIGNS[sign], theirs)]
        case keep.AsManyParts(things):
            return nodes if len({count(node, things) for node in nodes}) <= 1 else []
        case keep.MostParts("most", things):
            return ranked(nodes, lambda node: count(node, things))
        case keep.MostParts("fewest", things):
            return ranked(nodes, lambda node: -count(node, things))
        case keep.MostParts(word, things):
            by, sense = measure(word)
            owners = [node for node in nodes if fitting(node, things)]
            return ranked(owners, lambda node: max(sense * by(part) for part in fitting(node, things)))
        case keep.Consists(kinds, only):
            return [node for node in nodes if _consists(choosing, node, kinds, only or len(nodes) > 1)]
    raise UnrenderError(f"I do not know what {said(own)} means.")


def _consists(choosing: Choosing, node: Observation, kinds: Sequence[Things], only: bool) -> bool:
    own = node.parts
    fitting = {part for things in kinds for part in choosing.passing(own, things.filters)}
    if not only and 0 < len(fitting) < len(own):
        raise UnrenderError(
            f"Only {number(len(fitting))} of the {number(len(own))} parts of it are like that."
        )
    return bool(own) and len(fitting) == len(own)
