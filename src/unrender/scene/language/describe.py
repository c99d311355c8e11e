"""A whole scene in a few English sentences."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence

from unrender.scene.graph import Scene
from unrender.scene.language.appearance import look, own_look, shared_look
from unrender.scene.language.kinds import called
from unrender.scene.language.motion import movement
from unrender.scene.language.naming import Names, tally
from unrender.scene.language.relations import Relation, relations
from unrender.scene.language.words import counted, listed, number, plural, sentence, with_article
from unrender.scene.observation import Observation
from unrender.scene.outline import Outline

NOTHING = "There is nothing here that I know."
CLAUSES = 4  # the most that one sentence says

_PLACES = (
    ("in the upper left corner", "at the top", "in the upper right corner"),
    ("on the left side", "in the middle", "on the right side"),
    ("in the lower left corner", "at the bottom", "in the lower right corner"),
)


def describe(scene: Scene, verbs: Collection[str] = ()) -> str:
    """What is there, how it looks, how it stands, what is hidden and what moves, in one to six sentences.

    verbs: the names of attributes that change over time and do not end in -ing.
    """
    return " ".join([*_told(scene, verbs), *caveats(scene)])


def caveats(scene: Scene) -> list[str]:
    """What to bear in mind about how a picture was read, a sentence each."""
    said = []
    if scene.scale < 1:
        sides = f"{scene.width}x{scene.height}"
        said.append(f"The picture was seen at 1/{1 / scene.scale:.0f} of its size, {sides} pixels.")
    if rest := scene.residual.describe():
        said.append(rest)
    if not scene.complete:
        said.append("Time was up before all of it was read.")
    return said


def _told(scene: Scene, verbs: Collection[str]) -> list[str]:
    """What is in the picture, a sentence each."""
    if not scene.axioms:
        return [NOTHING]
    alone = scene.axioms[0] if len(scene.axioms) == 1 else None
    within = alone is not None and any(part.parts for part in alone.parts)
    members = alone.parts if alone is not None and within else scene.axioms
    names = Names(members, it=None if within else alone)
    said = [f"there are {tally(members)}"] if alone is None else _about(alone, scene, verbs)
    if alone is None or within:
        said += [_together(_looking(names, verbs)), _together(_standing(members, names))]
        said.append(_together(_counting(members, names)))
    said += [_together(_hidden(scene, names)), _together(_moving(members, names))]
    return [sentence(text) for text in said if text]


def _together(clauses: Iterable[str]) -> str:
    """The first few clauses as one sentence."""
    some = list(clauses)[:CLAUSES]
    return "; ".join(some) if any("," in clause for clause in some) else listed(some)


def _about(node: Observation, scene: Scene, verbs: Collection[str]) -> list[str]:
    """The only thing there is: where, how it looks, and what it consists of."""
    words = own_look(node, verbs) if any(part.parts for part in node.parts) else look(node, verbs)
    more = [f"is {listed(words)}"] if words else []
    if node.parts:
        more.append(f"consists of {tally(node.parts)}")
    comma = "," if " and " in listed(words) else ""
    return [f"there is {_placed(node, scene)}", f"it {f'{comma} and '.join(more)}" if more else ""]


def _placed(node: Observation, scene: Scene) -> str:
    """ "a ship in the upper left corner of the picture"; only the name of what fills the picture."""
    outline = Outline.of(node)
    name = with_article(called(node)) + (f" with {_copies(node)}" if node.count is not None else "")
    if outline.side > 0.6 * math.sqrt(scene.width * scene.height):
        return name
    (x, y), (width, height) = outline.centre, (scene.width, scene.height)
    column, row = (min(2, max(0, int(3 * at / side))) for at, side in ((x, width), (y, height)))
    return f"{name} {_PLACES[row][column]} of the picture"


def _looking(names: Names, verbs: Collection[str]) -> Iterator[str]:
    """How everything looks; kinds that look the same are told together."""
    said: dict[str, list[Observation]] = {}  # by look, or whole clauses without subjects
    for kind, group in names.groups.items():
        each = {listed(look(node, verbs)) for node in group}
        if len(each) == 1:
            said.setdefault(each.pop(), []).extend(group)
        else:
            they = "they" if len(names.groups) == 1 else f"the {counted(len(group), kind)}"
            said[shared_look(kind, group, they, verbs)] = []
    said.pop("", None)
    for words, nodes in said.items():
        yield _clause(names, nodes, "is", "are", words) if nodes else words


def _counting(members: Sequence[Observation], names: Names) -> Iterator[str]:
    """How many copies there are of what some repeat."""
    for node in members:
        if node.count is not None and names.clear(node):
            yield f"{names.one(node)} has {_copies(node)}"


def _copies(node: Observation) -> str:
    """ "seven petals"; where no kind of part is there so often, "a count of seven"."""
    assert node.count is not None
    often = Counter(called(part) for part in (*node.parts, *node.hidden))
    kind = next((kind for kind, count in often.items() if count == node.count), None)
    return f"a count of {number(node.count)}" if kind is None else counted(node.count, kind)


def _clause(names: Names, subjects: Sequence[Observation], singular: str, plural: str, text: str) -> str:
    return f"{names.several(subjects)} {singular if len(subjects) == 1 else plural} {text}"


def _standing(members: Sequence[Observation], names: Names) -> Iterator[str]:
    """How the members stand to each other, the clearest statements first."""
    placed: dict[int, list[Relation]] = {}
    for told in sorted(relations(members), key=lambda told: _vagueness(told, names)):
        known = names.clear(told.subject) or all(names.clear(node) for node in told.objects)
        if known and (told.word != "far from" or not placed):
            placed.setdefault(id(told.subject), []).append(told)
    alike: dict[tuple[str, ...], list[Observation]] = {}
    for mine in placed.values():
        text = listed([f"{told.word} {_objects(told, names)}" for told in mine[:2]])
        same = tuple(str(id(node)) for told in mine[:2] for node in told.objects)
        alike.setdefault((text, *same), []).append(mine[0].subject)
    for (text, *_), subjects in alike.items():
        yield _clause(names, subjects, "is", "are", text)


def _vagueness(told: Relation, names: Names) -> tuple[bool, int, bool]:
    """How little a statement helps: known by name is better, composed is better."""
    unclear = sum(not names.clear(node) for node in (told.subject, *told.objects))
    return told.word == "far from", unclear, not told.subject.parts


def _objects(told: Relation, names: Names) -> str:
    """ "the ship", "the two houses", "two of the circles"."""
    objects = list(dict.fromkeys(names.one(node) for node in told.objects))
    kind = called(told.objects[0])
    if len(told.objects) == 2 and set(told.objects) == set(names.groups[kind]):
        return f"the two {plural(kind)}"
    return listed(objects) if len(objects) == len(told.objects) else f"two of the {plural(kind)}"


def _hidden(scene: Scene, names: Names) -> Iterator[str]:
    """The parts that should be there but were not seen."""
    owners = [node for node in scene.observations if node.hidden]
    if len(owners) > 2:
        yield f"parts of {number(len(owners))} things are hidden"
        return
    for owner in owners:
        missing = Counter(map(called, owner.hidden))
        seen = Counter(map(called, owner.parts))
        items = [
            _missing(kind, count, count + seen[kind], names.one(owner)) for kind, count in missing.items()
        ]
        yield f"{listed(items)} {'is' if len(owner.hidden) == 1 else 'are'} hidden"


def _missing(kind: str, count: int, total: int, owner: str) -> str:
    """ "one of its triangles", "the circle of the ship"."""
    if count < total:
        some = f"{number(count)} of"
        return f"{some} its {plural(kind)}" if owner == "it" else f"{some} the {plural(kind)} of {owner}"
    all_of_them = kind if count == 1 else counted(count, kind)
    return f"its {all_of_them}" if owner == "it" else f"the {all_of_them} of {owner}"


def _moving(members: Sequence[Observation], names: Names) -> Iterator[str]:
    """What moves and turns, those known by name first."""
    alike: dict[str, list[Observation]] = {}
    for node in sorted(members, key=lambda node: not names.clear(node)):
        alike.setdefault(movement(node), []).append(node)
    alike.pop("", None)
    for nodes in alike.values():
        yield f"{names.several(nodes)} {movement(nodes[0], 's' if len(nodes) == 1 else '')}"
