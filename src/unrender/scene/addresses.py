"""What to call the nodes of a scene when a person writes about them: "2", "ship.1", "ship.1.circle.2".

Numbers count all nodes of the tree, and names those of one kind below the same whole; both from the front.
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
    name: str  # "circle.2": the second circle of its whole
    path: str  # "ship.1.circle.2": the same from the top of the tree
    node: Observation
    level: int  # 0 for an axiom


def addresses(scene: Scene) -> list[Address]:
    """Every node in the order in which a tree is printed: the front-most first, wholes before their parts."""
    return [
        Address(number, name, path, node, level)
        for number, (name, path, node, level) in enumerate(_walk(scene.axioms), start=1)
    ]


def _walk(nodes: Sequence[Observation], above: str = "", level: int = 0) -> Iterator[_Named]:
    counts: Counter[str] = Counter()
    for node in reversed(nodes):
        counts[node.symbol] += 1
        name = f"{node.symbol}.{counts[node.symbol]}"
        path = f"{above}.{name}" if above else name
        yield name, path, node, level
        yield from _walk(node.parts, path, level + 1)


_Named = tuple[str, str, Observation, int]


def find(scene: Scene, text: str) -> list[Address]:
    """The nodes that are meant by "3", "ship.1", "ship" (if there is one only), "ship.*" or "*".

    Parts are named through their whole: "ship.1.circle.*".
    """
    known = addresses(scene)
    words = [word.strip() for word in text.split(".")]
    if _is_number(text.strip()):
        return [_numbered(known, int(text))]
    if not all(words):
        raise UnrenderError(f'"{text}" names no object; write it like ship.1 or ship.*.')
    found: list[Address] = []
    for level, (symbol, which) in enumerate(_steps(words)):
        wholes = tuple(f"{one.path}." for one in found)
        here = [one for one in known if one.level == level and (level == 0 or one.path.startswith(wholes))]
        found = _chosen(here, symbol, which, text)
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


def _chosen(here: Sequence[Address], symbol: str, which: str, text: str) -> list[Address]:
    """The nodes of one level that a word and its number choose."""
    alike = [one for one in here if symbol in (ANY, one.node.symbol)]
    if not alike:
        hint = nearest(symbol, {one.node.symbol for one in here}) or " There is nothing at all."
        raise UnrenderError(f'There is no {symbol} for "{text}".{hint}')
    if which == ANY or symbol == ANY:
        return alike
    if not which and any(one.name != f"{symbol}.1" for one in alike):
        raise UnrenderError(
            f"There are {len(alike)} of {symbol}; write {symbol}.1, {symbol}.2, ... or {symbol}.* for all."
        )
    found = [one for one in alike if one.name == f"{symbol}.{int(which or 1)}"]
    if not found:
        raise UnrenderError(f'There is no {symbol}.{which} for "{text}"; the last one is {alike[-1].name}.')
    return found
