"""How objects look, alone and several of a kind together."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence

import numpy as np

from unrender.scene.language.colours import colour, distance, lab
from unrender.scene.language.kinds import is_stroke, stroke_share
from unrender.scene.language.words import (
    BASIC,
    RGB,
    adjective,
    border,
    bordered,
    dashed,
    has_colour,
    listed,
    looks,
    number,
    participle,
    plural,
    shown,
)
from unrender.scene.observation import Observation
from unrender.scene.outline import TINY, Outline

ALIKE, CLOSE = 30.0, 15.0  # ΔE*: shades of one colour that still pass for one; colours of other names
SECOND = 1 / 3  # of an object: the share of a second colour that is told
STRETCH, NOTICED = "stretch", 0.08  # how many times as long as its first example; logs that are worth a word
SHARES = 4  # the most looks that are told of one kind


def colour_of(node: Observation) -> str:
    """The colour of an object: that of most of it, and a second one that has a share: "red with white"; "" if
    it has none."""
    shades = _shades(node)
    if not shades:
        return _colour(node.attributes)
    names = [name for name, share in shades.items() if share >= SECOND]
    return " with ".join(names[:2]) or next(iter(shades))


def colours_of(node: Observation) -> list[str]:
    """All colours of an object by name, that of most of it first."""
    return list(_shades(node)) or [shade for shade in [_colour(node.attributes)] if shade]


def _shades(node: Observation) -> dict[str, float]:
    """The colours of the parts of an object, each with its share, the largest first; alike ones are one."""
    leaves = [leaf for leaf in node.primitives if has_colour(leaf.attributes)] if node.parts else []
    if not leaves:
        return {}
    shades = np.array([shown(leaf.attributes) for leaf in leaves])
    mean = np.average(shades, axis=0, weights=[math.prod(leaf.size) for leaf in leaves])
    names = [colour(*shade) for shade in shades]
    alike = ALIKE if len({name.split()[-1] for name in names}) == 1 else CLOSE
    if all(distance(lab(*shade), lab(*mean)) < alike for shade in shades):
        return {colour(*mean): 1.0}
    areas = [max(TINY, Outline.of(leaf).area) for leaf in leaves]
    shares: dict[str, float] = {}
    for name, area in zip(names, areas, strict=True):
        shares[name] = shares.get(name, 0.0) + area / sum(areas)
    return dict(sorted(shares.items(), key=lambda item: -item[1]))


def _colour(attributes: Mapping[str, float]) -> str:
    return colour(*shown(attributes)) if has_colour(attributes) else ""


def border_of(node: Observation) -> str:
    """The colour of the border of an object: of the stroke around an inside of another colour, two names for
    what has two, "colourful"; "" if it has none."""
    names = list(dict.fromkeys(edge for leaf in node.primitives if (edge := border(leaf.attributes))))
    return listed(names) if len(names) <= 2 else "colourful"


def look(node: Observation, verbs: Collection[str] = ()) -> list[str]:
    """What may follow "is". The colour is that of its parts; the outline is told of primitives only."""
    shade = colour_of(node)
    return [shade, *own_look(node, verbs)] if shade else own_look(node, verbs)


def own_look(node: Observation, verbs: Collection[str] = ()) -> list[str]:
    """The same without the colour."""
    unsaid = BASIC if node.parts else frozenset((*RGB, *BASIC)) if is_stroke(node) else frozenset(RGB)
    unsaid |= frozenset((*node.verbs, STRETCH))  # whose values are phases, or times
    said = looks({name: value for name, value in node.attributes.items() if name not in unsaid}, verbs)
    said += [participle(verb) for verb in node.verbs]
    times = node.attributes.get(STRETCH, 1.0)
    if node.parts and abs(math.log(max(times, 1e-3))) > NOTICED:
        said.append(f"{times:.1f} times as long as usual")
    if not node.parts and (broken := dashed(node.attributes)):
        said.insert(0, broken)
    if is_stroke(node):
        width = adjective("thickness", stroke_share(node))
        return [*said, width] if width else said
    if not node.parts and (corner := adjective("rounded", node.attributes.get("corner", 0.0))):
        said.insert(0, corner)
    if not node.parts and (edge := border(node.attributes)):
        said[-1] = bordered(node.attributes["thickness"], edge)
    return said


def shared_look(kind: str, group: Sequence[Observation], they: str, verbs: Collection[str] = ()) -> str:
    """How several of a kind look that differ: what they have in common, and how many have what else.

    they: how the group is called as a subject.
    """
    each = [look(node, verbs) for node in group]
    common = [word for word in each[0] if all(word in one for one in each)]
    shares = Counter(listed([word for word in one if word not in common]) for one in each)
    rest = "different"
    if len(shares) > SHARES and any(shade not in common for shade in map(colour_of, group)):
        shares, rest = Counter(map(colour_of, group)), "in other colours"
    del shares[""]
    if common:
        told = f", {_told(shares, len(each), 'of them', rest)}" if shares else ""
        return f"{they} are {listed(common)}{told}"
    of = "of them" if they == "they" else f"of the {plural(kind)}"
    return _told(shares, len(each), of, rest, is_="is ", are="are ")


def _told(shares: Counter[str], total: int, of: str, rest: str, is_: str = "", are: str = "") -> str:
    """ "two of them white and one grey"; with verbs, "two of the ships are white and one is grey"."""
    shown = shares.most_common(SHARES if len(shares) <= SHARES else SHARES - 1)
    items: list[str] = []
    for words, count in shown:
        who = f"{number(count)} {of}" if not items else "the other" if total == 2 else number(count)
        items.append(f"{who} {is_ if count == 1 else are}{words}")
    if len(shares) > SHARES:
        items.append(f"the rest {are}{rest}")
    return listed(items)
