"""Prepositions: how objects stand to each other, from position, rotation, size and depth alone.

In the paper's lexical reading these attributes are the prepositions of the grammar. All tolerances are
shares of the objects' own sizes, so that a scene reads the same at every scale.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from unrender.errors import UnrenderError, nearest
from unrender.scene.graph import Scene
from unrender.scene.observation import Observation
from unrender.scene.outline import NORMALS, Outline, gap, gaps, leaf_gaps

TOUCH = 0.15  # of the smaller side: a gap or an overlap that does not count
INSIDE = 0.05  # of its own side: as much as what is inside may stick out
CLEAR = 0.5  # of the smaller side: a gap this wide puts an object clearly on one side of another
FAR = 5.0  # times the mean side: a gap this wide is far
NEIGHBOURS = 4  # objects that are looked at to place one

Statement = tuple[int, str, tuple[int, ...]]  # subject, word, objects, by their indices


@dataclass(frozen=True)
class Relation:
    """One statement: the subject is "left of" the object, or "between" two."""

    subject: Observation
    word: str
    objects: tuple[Observation, ...]


def holds(word: str, subject: Observation, *objects: Observation) -> bool:
    """Whether "subject is word objects" is true, as in holds("left of", ship, asteroid)."""
    count = 2 if word == "between" else 1
    if word not in _HOLDS and word != "between":
        raise UnrenderError(f'"{word}" is not a known relation.{nearest(word, WORDS)}')
    if len(objects) != count:
        raise UnrenderError(f'"{word}" relates a thing to {count} others, not to {len(objects)}.')
    a, *others = map(Outline.of, (subject, *objects))
    return _between(a, others[0], others[1]) if word == "between" else _HOLDS[word](a, others[0])


def directly(word: str, subject: Observation, *objects: Observation) -> bool:
    """Whether it holds and, where it names a side, an object lies straight to it: the middle of one of them
    is level with some of the other."""
    if word not in SIDES:
        return holds(word, subject, *objects)
    one, other = (Outline.of(node) for node in (subject, *objects))
    axis = int(word in ("left of", "right of"))
    level = [a.box[axis] <= b.centre[axis] <= a.box[axis + 2] for a, b in ((one, other), (other, one))]
    return holds(word, subject, *objects) and any(level)


def loosely(word: str, subject: Observation, *objects: Observation) -> bool:
    """The same, taken as widely as a person may: clearly on one side of another is enough, however far to the
    next side, and between two is what reaches into the strip that they span."""
    if word == "between":
        a, b, c = map(Outline.of, (subject, *objects))
        return _between(a, b, c, reaching=True)
    if word in UPRIGHT:
        return holds(UPRIGHT[word], subject, *objects)
    if word not in SIDES:
        return holds(word, subject, *objects)
    (other,) = objects
    (left, top, right, bottom), (its_left, its_top, its_right, its_bottom) = (
        Outline.of(node).box for node in (subject, other)
    )
    gaps = {
        "left of": its_left - right,
        "right of": left - its_right,
        "above": its_top - bottom,
        "below": top - its_bottom,
    }
    across = int(word in ("above", "below"))
    clear = CLEAR * min(Outline.of(node).extent[across] for node in (subject, other))
    return gaps[word] >= clear or holds(word, subject, other)


def mainly(word: str, subject: Observation, *objects: Observation) -> bool:
    """The same, but a side is only what lies mainly to it."""
    return (holds if word in (*SIDES, *UPRIGHT) else loosely)(word, subject, *objects)


def unless_upright(word: str, subject: Observation, *objects: Observation) -> bool:
    """The same, but for words that want both in one column."""
    return (holds if word in UPRIGHT else loosely)(word, subject, *objects)


def relation(subject: Observation, other: Observation) -> str:
    """The one preposition that says best how `subject` stands to `other`."""
    return _best(Outline.of(subject), Outline.of(other))


def relations(scene: Scene | Sequence[Observation]) -> list[Relation]:
    """The telling relations among objects, the most telling ones first.

    Each object is placed by its nearest or most telling neighbours; no pair is told twice.
    """
    nodes = scene.axioms if isinstance(scene, Scene) else scene
    outlines = [Outline.of(node) for node in nodes]
    placed = [_place(i, outlines) for i in range(len(nodes))] if len(nodes) > 1 else []
    told: set[frozenset[int]] = set()
    found = []
    for subject, word, others in sorted(placed, key=lambda statement: (_rank(statement[1]), statement[0])):
        pairs = {frozenset((subject, j)) for j in others}
        if not pairs & told:
            told |= pairs
            found.append(Relation(nodes[subject], word, tuple(nodes[j] for j in others)))
    return found


def together(nodes: Sequence[Observation]) -> bool:
    """Whether a step from near to near leads from each of the objects to every other."""
    outlines = [Outline.of(node) for node in nodes]
    sides = np.sqrt([outline.side for outline in outlines])
    reached, edge = {0}, [0]
    while edge:
        i = edge.pop()
        near = np.flatnonzero(gaps(outlines[i], outlines) <= sides[i] * sides)
        edge += [int(j) for j in near if j not in reached]
        reached.update(int(j) for j in near)
    return len(reached) == len(nodes)


def _place(i: int, outlines: list[Outline]) -> Statement:
    """The most telling statement about object i and one of its neighbours, or two that it is between."""
    others = [j for j in range(len(outlines)) if j != i]
    order = np.argsort(gaps(outlines[i], [outlines[j] for j in others]), kind="stable")
    near = [others[k] for k in order[:NEIGHBOURS]]
    statements = [_statement(i, j, outlines) for j in near]
    best = min(statements, key=lambda statement: _rank(statement[1]))
    if _rank(best[1]) == len(_TELLING):
        best = _between_two(i, near, outlines) or best
    return best


def _statement(i: int, j: int, outlines: list[Outline]) -> Statement:
    """How i stands to j, or j to i where that says more."""
    a, b = outlines[i], outlines[j]
    if _in(b, a):
        return j, "in", (i,)
    if _on(b, a) and not _in(a, b):
        return j, "on", (i,)
    return i, _best(a, b), (j,)


def _rank(word: str) -> int:
    return _TELLING.index(word) if word in _TELLING else len(_TELLING)


def _between_two(i: int, near: list[int], outlines: list[Outline]) -> Statement | None:
    """The two nearest neighbours that it stands between."""
    a = outlines[i]
    for j, k in combinations(near, 2):
        b, c = outlines[j], outlines[k]
        if not (_far(a, b) or _far(a, c)) and _between(a, b, c):
            return i, "between", (j, k)
    return None


def _best(a: Outline, b: Outline) -> str:
    for word in ("in", "around", "on"):
        if _HOLDS[word](a, b):
            return word
    if _on(b, a):
        return "below"
    for word in ("in front of", "behind", "touching", "far from"):
        if _HOLDS[word](a, b):
            return word
    sides = sorted(_away(a, b).items(), key=lambda side: -side[1])
    (word, most), (_, second) = sides[:2]
    if most <= 0 or (second > 0.75 * most and _near(a, b)):
        return "near"
    return word


def _mean_side(a: Outline, b: Outline) -> float:
    return math.sqrt(a.side * b.side)


def _slack(a: Outline, b: Outline) -> float:
    return TOUCH * min(a.side, b.side)


def _in(a: Outline, b: Outline) -> bool:
    return a.side < b.side and bool((a.hull <= b.hull + INSIDE * a.side).all())


def _on(a: Outline, b: Outline) -> bool:
    """Resting on top of it: edge on edge, and not over its end."""
    (left, _, right, bottom), (b_left, b_top, b_right, _) = a.box, b.box
    shared = min(right, b_right) - max(left, b_left)
    rests = shared >= min(a.extent[0], b.extent[0]) / 2 and b_left <= a.centre[0] <= b_right
    return rests and abs(bottom - b_top) <= _slack(a, b) and a.centre[1] < b.centre[1]


def _in_front(a: Outline, b: Outline) -> bool:
    """Where their leaves cover each other, those of a lie nearer."""
    overlap = leaf_gaps(a.reaches, b.reaches) < -_slack(a, b)
    votes = 0
    for i, j in np.argwhere(overlap):
        mine, its = a.leaves[i].depth, b.leaves[j].depth
        votes += 0 if mine is None or its is None else (mine > its) - (mine < its)
    return votes > 0


def _touching(a: Outline, b: Outline) -> bool:
    return gap(a, b) <= _slack(a, b)


def _near(a: Outline, b: Outline) -> bool:
    return gap(a, b) <= _mean_side(a, b)


def _far(a: Outline, b: Outline) -> bool:
    return gap(a, b) > FAR * _mean_side(a, b)


def _away(a: Outline, b: Outline) -> dict[str, float]:
    """How far (px) a lies to each side of b, from edge to edge; half of the smaller one may overlap."""
    (left, top, right, bottom), (b_left, b_top, b_right, b_bottom) = a.box, b.box
    across, down = (min(sides) / 2 for sides in zip(a.extent, b.extent, strict=True))
    return {
        "left of": b_left - right + across,
        "right of": left - b_right + across,
        "above": b_top - bottom + down,
        "below": top - b_bottom + down,
    }


def _beside(word: str) -> Callable[[Outline, Outline], bool]:
    """Whether a lies to that side of b, within about 60 degrees of it."""

    def test(a: Outline, b: Outline) -> bool:
        away = _away(a, b)
        return away[word] > 0 and away[word] >= max(away.values()) / 2

    return test


def _upright(word: str) -> Callable[[Outline, Outline], bool]:
    """Whether a lies to that side of b, and one could fall onto the other."""

    def test(a: Outline, b: Outline) -> bool:
        (left, _, right, _), (its_left, _, its_right, _) = a.box, b.box
        return _HOLDS[word](a, b) and min(right, its_right) > max(left, its_left)

    return test


def _between(a: Outline, b: Outline, c: Outline, *, reaching: bool = False) -> bool:
    """Close to the line from b to c, and not at its ends; reaching: whether it is enough that some of it lies
    in the strip from b to c. What both of them lie on is not between them."""
    start, end, here = (np.asarray(outline.centre) for outline in (b, c, a))
    line = end - start
    length = float(np.hypot(*line))
    if gap(b, c) <= 0 or length == 0 or all(a.side > end.side and gap(a, end) < 0 for end in (b, c)):
        return False
    along, off = float((here - start) @ line) / length**2, here - start
    across = abs(float(line[0] * off[1] - line[1] * off[0])) / length
    reach = _reach(b, line) + (_reach(c, line) - _reach(b, line)) * along  # of the strip from b to c
    own = _reach(a, line) if reaching else 0.0
    return 0.2 <= along <= 0.8 and across <= max(a.side / 2, 0.15 * length, reach + own)


def _reach(outline: Outline, line: NDArray[np.float64]) -> float:
    """How far (px) an object reaches to both sides of a line through its middle."""
    sideways = np.array([-line[1], line[0]]) / np.hypot(*line)
    apart = NORMALS @ sideways
    return float(outline.hull[np.argmax(apart)] + outline.hull[np.argmin(apart)]) / 2


_HOLDS: dict[str, Callable[[Outline, Outline], bool]] = {
    "in": _in,
    "around": lambda a, b: _in(b, a),
    "on": _on,
    "in front of": _in_front,
    "behind": lambda a, b: _in_front(b, a),
    "on top of": lambda a, b: _on(a, b) or _in_front(a, b),
    "touching": _touching,
    "overlapping": lambda a, b: gap(a, b) < -_slack(a, b),
    "left of": _beside("left of"),
    "right of": _beside("right of"),
    "above": _beside("above"),
    "below": _beside("below"),
    "over": _upright("above"),
    "under": _upright("below"),
    "near": _near,
    "far from": _far,
}
UPRIGHT = {"over": "above", "under": "below"}  # words for one side that want both in one column
SIDES = ("left of", "right of", "above", "below")
WORDS = (*_HOLDS, "between")
"""Every preposition that `holds` knows."""
_TELLING = ("in", "on", "in front of", "behind", "touching", "between")  # what says more than a direction
