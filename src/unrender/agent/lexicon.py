"""The agent's questions as English sentences: what a thing resembles, what differs, what is wanted.

The paper's "Lexical Interpretation": "This object looks similar to a modern chair, but is very wooden
instead. What adjective best describes this style?"
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from unrender.agent.causes import Cause
from unrender.agent.difference import POSE, Change, Difference, changes
from unrender.grammar.attribute import STROKE_NAMES
from unrender.scene.language.kinds import called
from unrender.scene.language.naming import kinds, tally
from unrender.scene.language.relations import together
from unrender.scene.language.words import (
    RGB,
    counted,
    described,
    is_verb,
    listed,
    noun,
    plural,
    sentence,
    with_article,
)
from unrender.scene.observation import Observation

__all__ = ["Difference", "ask"]

TOLD = 3  # the most differences, and the most looks, that one question tells


def ask(
    cause: str,
    parts: Sequence[Observation],
    resembles: str | None,
    looks: Mapping[str, float],
    differences: Sequence[Difference],
    verbs: Collection[str] = (),
) -> str:
    """The question for a cause ("A.1", "A.2", "B.1", "B.2") about these parts of a scene.

    resembles: the known symbol that is most alike; looks: what is known of how that looks;
    verbs: the names of attributes that change over time and do not end in -ing.
    """
    cause = Cause.of(cause)
    wanted = _wanted(cause, parts, differences, verbs, resembles)
    if resembles is None:
        return sentence(f"I see {_sight(parts)} {_UNKNOWN[cause]}") + f" {wanted}"
    who, single = _these(parts) if cause.about_parts else ("this object", True)
    verb, how = _ALIKE[cause]
    like = with_article(described(noun(resembles), _strongest(looks), verbs))
    told = _told(changes(differences, verbs), single) or f"{'does' if single else 'do'} not quite match it"
    statement = f"{who} {verb}{'s' if single else ''} {how}{like}, but {told}"
    return sentence(statement) + f" {wanted}"


_ALIKE = {
    Cause.LACKING_ROUTE: ("resemble", ""),
    Cause.MISSING_CAPSULE: ("look", "a little like "),
    Cause.LACKING_DATA: ("look", "similar to "),
    Cause.MISSING_ATTRIBUTE: ("look", "similar to "),
}
_UNKNOWN = {
    Cause.LACKING_ROUTE: "that I do not recognise",
    Cause.MISSING_CAPSULE: "that I have no name for",
    Cause.LACKING_DATA: "with looks that I do not know",
    Cause.MISSING_ATTRIBUTE: "with looks that I have no word for",
}


def _wanted(
    cause: Cause,
    parts: Sequence[Observation],
    differences: Sequence[Difference],
    verbs: Collection[str],
    resembles: str | None,
) -> str:
    """What the answer should be."""
    if cause is Cause.LACKING_ROUTE:
        also = f"Is this also {with_article(noun(resembles))}?" if resembles else ""
        return also or "Which known object is this?"
    if cause is Cause.MISSING_CAPSULE:
        return f"What new noun best describes {'them' if len(parts) > 1 else 'it'}?"
    what = "Which known" if cause.known_word else "What"
    posed = {difference.attribute in POSE for difference in differences}
    if posed == {True}:
        return f"{what} word best describes this pose?"
    if posed != {False}:
        return f"{what} word best describes this style or pose?"
    if all(is_verb(difference.attribute, verbs) for difference in differences):
        return f"{what} verb best describes what it does?"
    return f"{what} adjective best describes this style?"


def _sight(parts: Sequence[Observation]) -> str:
    """ "three circles close together"."""
    if not parts:
        return "something"
    return tally(parts) + (" close together" if len(parts) > 1 and together(parts) else "")


def _these(parts: Sequence[Observation]) -> tuple[str, bool]:
    """The parts as a subject, and whether it is a singular: "these three circles"."""
    groups = kinds(parts)
    if not parts:
        return "this object", True
    if len(parts) == 1:
        return f"this {called(parts[0])}", True
    if len(groups) == 1:
        return f"these {counted(len(parts), next(iter(groups)))}", False
    return f"this group of {tally(parts)}", True


def _strongest(looks: Mapping[str, float]) -> dict[str, float]:
    """The looks that are worth saying: the colour, and the strongest of the others."""
    others = sorted(
        (name for name in looks if name not in (*RGB, *STROKE_NAMES)), key=lambda name: -looks[name]
    )
    return {name: looks[name] for name in (*RGB, *others[:TOLD]) if name in looks}


def _told(found: Sequence[Change], single: bool) -> str:
    """The most telling changes as predicates: "is very wooden instead", "its second leg is shorter"."""
    parts: dict[tuple[tuple[str, str], ...], list[str | None]] = {}  # by what is said of them
    for part in dict.fromkeys(change.part for change in found[:TOLD]):
        said = tuple((change.verb, change.text) for change in found[:TOLD] if change.part == part)
        parts.setdefault(said, []).append(part)
    clauses = [_clause(who, said, single) for said, who in parts.items()]
    instead = " instead" if found and all(change.instead for change in found) else ""
    return listed(clauses) + (", among other things" if len(found) > TOLD else instead)


def _clause(parts: Sequence[str | None], said: Sequence[tuple[str, str]], single: bool) -> str:
    """ "its first and second circles sit elsewhere"; a single whole needs no subject, it was just named."""
    sits, is_ = ("sits", "is") if len(parts) == 1 else ("sit", "are")
    predicates = [
        f"{form} {listed([text for verb, text in said if verb == kind])}"
        for kind, form in (("sits", sits), ("is", is_))
        if any(verb == kind for verb, _ in said)
    ]
    subject = "" if single and list(parts) == [None] else f"{_owned(parts)} "
    return subject + listed(predicates)


def _owned(parts: Sequence[str | None]) -> str:
    """ "its first and second circles", "the whole and its left wing"."""
    names = [noun(part) for part in parts if part is not None]
    marks, heads = [name.rpartition(" ")[0] for name in names], {name.rpartition(" ")[2] for name in names}
    if len(parts) == len(names) > 1 and len(heads) == 1 and all(marks):
        return f"its {listed(marks)} {plural(heads.pop())}"
    return listed([*["the whole" for part in parts if part is None], *[f"its {name}" for name in names]])
