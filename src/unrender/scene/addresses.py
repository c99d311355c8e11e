"""What to call the nodes of a scene when a person writes about them: "2", "circle.3", "ship.1.circle.2".

Numbers count all nodes of the tree from the front. Names count those of one kind in the whole picture, so
that each is there once: first the objects, which are parts of nothing, then the parts, both from the front.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from unrender.errors import UnrenderError, nearest
from unrender.scene.graph import Scene
from unrender.scene.observation import Observation

ANY = "*"


@dataclass(frozen=True)
class Address:
    """One node of a scene, and how it is called."""

    number: int  # from 1
    name: str  # "circle.3": the third circle of the picture
    node: Observation
    level: int  # 0 for an object, 1 for its parts, and so on


def addresses(scene: Scene) -> list[Address]:
    """Every node in the order in which a tree is printed: the front-most first, wholes before their parts."""
    nodes = list(_walk(scene.axioms))
    counts: Counter[str] = Counter()
    names: dict[int, str] = {}
    for node, _ in sorted(nodes, key=lambda found: found[1]):  # then in the order of the tree
        counts[node.symbol] += 1
        names[id(node)] = f"{node.symbol}.{counts[node.symbol]}"
    return [Address(i, names[id(node)], node, level) for i, (node, level) in enumerate(nodes, start=1)]


def _walk(nodes: Sequence[Observation], level: int = 0) -> Iterator[tuple[Observation, int]]:
    for node in reversed(nodes):
        yield node, level
        yield from _walk(node.parts, level + 1)


def find(scene: Scene, text: str) -> list[Address]:
    """The nodes that are meant by "3", "circle.3", "ship" (if there is one only), "ship.*" or "*".

    Without a number objects are meant, or parts where there is no such object. The parts of a whole are also
    named through it, and counted there: "ship.1.circle.*", "ship.2.circle.1".
    """
    known = addresses(scene)
    words = [word.strip() for word in text.split(".")]
    if _is_number(text.strip()):
        return [_numbered(known, int(text))]
    if not all(words):
        raise UnrenderError(f'"{text}" names no object; write it like ship.1 or ship.*.')
    (symbol, which), *steps = _steps(words)
    found = _named(known, symbol, which, text)
    for symbol, which in steps:
        found = _parts(known, found, symbol, which, text)
    return found


def _is_number(word: str) -> bool:
    return word.isdecimal() and len(word) < 10


def _steps(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """ "ship", "1", "circle" as ("ship", "1"), ("circle", "")."""
    i = 0
    while i < len(words):
        which = (
            words[i + 1] if i + 1 < len(words) and (words[i + 1] == ANY or _is_number(words[i + 1])) else ""
        )
        yield words[i], which
        i += 2 if which else 1


def _numbered(known: Sequence[Address], number: int) -> Address:
    if not 1 <= number <= len(known):
        raise UnrenderError(f"There is no object {number}; the scene has {len(known)}.")
    return known[number - 1]


def _named(known: Sequence[Address], symbol: str, which: str, text: str) -> list[Address]:
    """The nodes of the whole picture that a word and its number mean."""
    if symbol != ANY and which not in ("", ANY):
        alike = _alike(known, symbol, text)
        found = [one for one in alike if one.name == f"{symbol}.{int(which)}"]
        if not found:
            raise UnrenderError(f"There is no {symbol}.{which}; the last one is {symbol}.{len(alike)}.")
        return found
    objects = [one for one in known if one.level == 0]
    alike = [one for one in objects if symbol in (ANY, one.node.symbol)] or _alike(known, symbol, text)
    return _only(alike, symbol, which)


def _parts(
    known: Sequence[Address], wholes: Sequence[Address], symbol: str, which: str, text: str
) -> list[Address]:
    """The parts of some wholes that a word and its number mean, counted in each of them."""
    own = {id(one.node): one for one in known}
    below = [[own[id(part)] for part in reversed(whole.node.parts)] for whole in wholes]
    _alike([one for parts in below for one in parts], symbol, text)
    found = []
    for parts in below:
        alike = [one for one in parts if symbol in (ANY, one.node.symbol)]
        if symbol == ANY or which in ("", ANY):
            found += _only(alike, symbol, which)
        else:
            found += alike[int(which) - 1 : int(which)] if int(which) else []
    if not found:
        raise UnrenderError(f'There is no {symbol}.{which} for "{text}".')
    return found


def _alike(here: Sequence[Address], symbol: str, text: str) -> list[Address]:
    """Those of one kind, of which there must be one at least."""
    alike = [one for one in here if symbol in (ANY, one.node.symbol)]
    if not alike:
        hint = nearest(symbol, {one.node.symbol for one in here}) or " There is nothing at all."
        raise UnrenderError(f'There is no {symbol} for "{text}".{hint}')
    return alike


def _only(alike: list[Address], symbol: str, which: str) -> list[Address]:
    """All of them with a star; without one there must not be several."""
    if ANY not in (symbol, which) and len(alike) > 1:
        raise UnrenderError(
            f"There are {len(alike)} of {symbol}; write {symbol}.1, {symbol}.2, ... or {symbol}.* for all."
        )
    return alike
