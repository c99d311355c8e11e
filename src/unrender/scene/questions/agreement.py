"""An answer counts only where all the ways in which its question may be meant give it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from unrender.errors import UnrenderError
from unrender.scene.graph import Scene
from unrender.scene.language.relations import SIDES, loosely, mainly, unless_upright
from unrender.scene.questions.answer import Answer, Value
from unrender.scene.questions.execute import AS_PARTS, Run
from unrender.scene.questions.filters import Kind, Looks, Phrase, Place, Related, Things, named
from unrender.scene.questions.program import Check, Count, CountIs, Program, Which
from unrender.scene.questions.readings import ASLANT, OTHERS, STRAIGHT, Reading

MOST_TOLD = 2  # readings beside the first one of which the objects are told
SAME = 0.01  # of a number: what passes for the same


def agreed(scene: Scene, asked: Program, otherwise: Iterable[Program] = ()) -> Answer:
    """The answer to a question; otherwise: what else its words may mean.

    Where a noun means objects of the scene and parts of others as well, the answer is about objects and says
    what it would be with the parts; and so where a "square" is wider than tall.
    """
    found, reading = _aside(scene, asked)
    beside = [] if reading.sides is loosely else [(_given(scene, asked, ASLANT), ASLANT.so)]
    for other_reading in OTHERS:
        reading = replace(other_reading, sides=reading.sides)
        if reading.partly and not _of_kinds(asked):
            continue
        other = _given(scene, asked, reading)
        if reading.joint and isinstance(asked, Count) and other is not None and not other.value:
            continue  # red and blue cars are counted together where none is both
        if not reading.beyond:  # that is for yes or no, and numbers
            beside.append((other, reading.so))
        strict = (reading.half or reading.core) and _placed(asked)
        if other is None or not (_differ(found, other) or (strict and found.value != other.value)):
            continue
        if not (reading.parts or reading.exact) or _only_looks(asked):
            raise UnrenderError(f'That can be meant in two ways: "{other}" {reading.so}, else "{found}".')
        said = reading.parts and AS_PARTS in found.text
        text = found.text if said else f"{found} ({other} {reading.so})"
        found = replace(found, text=text, otherwise=(*found.otherwise, other.value))
    found = _beside(found, beside)
    for program in otherwise:
        other = _given(scene, program, Reading())
        if other is not None and _differ(found, other):
            raise UnrenderError(f'That can be read in two ways: "{found}" or "{other}"; say it otherwise.')
    return found


def _beside(found: Answer, others: Iterable[tuple[Answer | None, str]]) -> Answer:
    """The objects that were found, and which they would be in other readings that name some of them too."""
    told: list[str] = []
    named_: list[Value] = [found.value, *found.otherwise]
    for other, so in others:
        if other is None or not isinstance(other.value, list) or len(told) == MOST_TOLD:
            continue
        if other.value and not any(_alike(other.value, own) for own in named_):
            told.append(f"{other} {so}")
            named_.append(other.value)
    if not told:
        return found
    return replace(found, text=f"{found} ({'; '.join(told)})", otherwise=tuple(named_[1:]))


def _alike(one: Value, other: Value) -> bool:
    """Whether two values are the same, objects in any order."""
    if isinstance(one, list) and isinstance(other, list):
        return set(map(id, one)) == set(map(id, other))
    return one == other


def _only_looks(asked: Program) -> bool:
    """Whether things are told by how they look and by no noun for a kind of them: what is red."""
    filters = [own for things in _mentioned(asked) for own in things.filters]
    kinds = any(isinstance(own, Kind) and own.symbol for own in filters)
    return not kinds and any(isinstance(own, Looks) for own in filters)


def _of_kinds(asked: Program) -> bool:
    """Whether it is asked of objects of a kind how they look, or which of them look so."""
    match asked:
        case Check(Phrase(things)) | Which(things):
            return things.joined != () or any(isinstance(own, Kind) and own.symbol for own in things.filters)
    return False


def _placed(asked: Program) -> bool:
    """Whether a question is for all objects that lie somewhere in the picture."""
    return isinstance(asked, Which) and any(
        isinstance(own, Place) and not own.most for own in asked.things.filters
    )


def _mentioned(asked: Program) -> list[Things]:
    """The sets of objects that a question is about."""
    match asked:
        case Count(several):
            return list(several)
        case CountIs(things) | Which(things):
            return [things]
    return []


def _given(scene: Scene, asked: Program, reading: Reading) -> Answer | None:
    """The answer if a question is meant like that; None if it has no answer then and so is not meant so."""
    try:
        return Run(scene, reading).answer(asked)
    except UnrenderError:
        return None


def _differ(one: Answer, other: Answer) -> bool:
    """Whether two answers contradict each other; lists of objects do so if they have none in common."""
    if isinstance(one.value, list) and isinstance(other.value, list):
        return bool(other.value) and not any(node in other.value for node in one.value)
    if isinstance(one.value, int | float) and isinstance(other.value, float):
        return abs(one.value - other.value) > SAME * max(1.0, abs(one.value))
    return one.value != other.value


def _aside(scene: Scene, asked: Program) -> tuple[Answer, Reading]:
    """The answer, and how it was read, if it does not depend on how far aside something "left of" may lie.

    "What is left of it" is answered with what lies straight to the left, "which things are" with all that
    lies mainly there. Where there is no such, and for two sides, yes or no and numbers, two answers are none.
    """
    narrow = (
        unless_upright if isinstance(asked, Check) else mainly
    )  # "is it above?": also if far to the right
    wide, strict = (Run(scene, Reading(sides)).answer(asked) for sides in (loosely, narrow))
    if isinstance(asked, Which) and strict.value and _sides(asked) < 2:
        straight = Run(scene, STRAIGHT).answer(asked)
        if straight.value and not named(asked.things):
            return straight, STRAIGHT
        return strict, Reading(narrow)
    if wide.value == strict.value:
        return wide, Reading()
    raise UnrenderError(
        f'Something lies aslant: the answer is "{strict}" if only what is mainly to that side counts, and'
        f' "{wide}" if all that is further to it does.'
    )


def _sides(asked: Which) -> int:
    """To how many objects something lies on a side."""
    return sum(isinstance(own, Related) and own.word in SIDES for own in asked.things.filters)
