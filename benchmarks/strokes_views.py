"""Icons turned and scaled: whether they are told by the same kinds of primitives, and found once taught."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
from counting import Counts, paired
from numpy.random import Generator
from report import Goal, Line
from strokes_icons import DARK, SVG, Icon, Pixels, by_resvg, icons
from strokes_paths import laid, subpaths
from strokes_svg import INHERITED

from unrender.errors import UnrenderError

Point = tuple[float, float]

TURNS = tuple(45.0 * k for k in range(8))  # degrees, at the middle size
SIZES = (48, 72, 96, 144, 192)  # px, unturned
UNIT = 24.0  # the side of an icon in its file
TAUGHT = 20  # icons
SCENE, CELLS = 360, 3  # px, and icons along a side
PRESENT, STRANGE = 4, 2  # icons in a scene that were taught, and that were not


def placed(icon: Icon, colour: str, centre: Point, side: float, degrees: float) -> str:
    """An icon as a group of SVG, its middle at `centre` (px), turned, its side so many px."""
    root = ET.fromstring(icon.text.replace("currentColor", colour))
    looks = {key: root.attrib[key] for key in INHERITED if key in root.attrib}
    turn = f"translate({centre[0]:.4f} {centre[1]:.4f}) rotate({degrees:.4f}) scale({side / UNIT:.6f})"
    group = ET.Element(f"{{{SVG}}}g", looks | {"transform": f"{turn} translate({-UNIT / 2} {-UNIT / 2})"})
    group.extend(root)
    return ET.tostring(group, encoding="unicode")


def picture(groups: Sequence[str], side: int) -> Pixels:
    """By resvg, on white."""
    ET.register_namespace("", SVG)
    head = f'<svg xmlns="{SVG}" width="{side}" height="{side}">'
    return by_resvg(f"{head}{''.join(groups)}</svg>", side)


def dark(rng: Generator) -> str:
    return "#{:02x}{:02x}{:02x}".format(*rng.integers(0, DARK, 3))


# The same kinds of primitives


@dataclass(frozen=True)
class Stable:
    """For every icon how many of its views are told by the most common kinds, and of how many."""

    shares: tuple[tuple[int, int], ...]

    @property
    def icons(self) -> float:
        """The share of icons told by the same kinds in every view."""
        return float(np.mean([same == views for same, views in self.shares]))

    @property
    def views(self) -> float:
        return float(np.mean([same / views for same, views in self.shares]))


def stable_lines(brain: Any, folder: Path, rng: Generator, count: int) -> list[Line]:
    """Icons with lines and with paths, each turned eight times at one size, and at four other sizes."""
    found = icons(folder, rng, {"lines": (count + 1) // 2, "paths": count // 2})
    shares = []
    for icon in (one for several in found.values() for one in several):
        views = [(SIZES[2], turn) for turn in TURNS] + [(s, 0.0) for s in SIZES if s != SIZES[2]]
        kinds = Counter(kinds_of(brain, icon, dark(rng), side, turn) for side, turn in views)
        shares.append((kinds.most_common(1)[0][1], len(views)))
    goal = Goal[Stable](
        "icons told by the same kinds",
        0.98,
        lambda s: s.icons,
        note=lambda s: f"{s.views:.2f} of the views of an icon are told alike",
    )
    return [goal.line(f"8 turns, 5 sizes ({len(shares)} icons)", Stable(tuple(shares)))]


def kinds_of(brain: Any, icon: Icon, colour: str, side: float, turn: float) -> tuple[str, ...]:
    """The symbols of all primitives seen in a view of an icon."""
    canvas = math.ceil(1.5 * side)
    scene = brain.see(picture([placed(icon, colour, (canvas / 2, canvas / 2), side, turn)], canvas))
    return tuple(sorted(leaf.symbol for leaf in scene.primitives))


# Objects


def object_lines(brain: Any, folder: Path, rng: Generator, count: int, taught: int = TAUGHT) -> list[Line]:
    """Teach icons from one example each, then find them turned and scaled among others."""
    known, strange = distinct(icons(folder, rng, {"lines": 4 * taught, "paths": 8 * taught}), rng, taught)
    names = {icon.name: f"icon{chr(97 + k)}" for k, icon in enumerate(known)}
    learned = 0
    for icon in known:
        example = picture([placed(icon, dark(rng), (64, 64), 84, 0.0)], 128)
        try:
            brain.teach(brain.see(example), names[icon.name])
            learned += 1
        except UnrenderError:
            pass  # nothing was seen of it: it will not be found either
    total = Counts()
    for _ in range(count):
        total += found_in(brain, known, strange, names, rng)
    note = f"{learned} of {len(known)} learned, {total.true} to find"
    precision = Goal[Counts]("precision", 0.98, told_right, note=lambda c: f"{c.found} told")
    recall = Goal[Counts]("recall", 0.95, lambda c: c.recall, note=lambda c: note)
    return [precision.line(f"objects of strokes ({count})", total), recall.line("", total)]


def told_right(counts: Counts) -> float:
    """The share of what was told that is there; none where nothing was told."""
    return counts.precision if counts.found else math.nan


def distinct(several: dict[str, list[Icon]], rng: Generator, count: int) -> tuple[list[Icon], list[Icon]]:
    """Icons of at least two lines and with different first words, so that none is another turned."""
    found: dict[str, Icon] = {}
    for icon in (one for some in several.values() for one in some):
        word = icon.name.rpartition("/")[2].split("-")[0]
        if len(icon.drawing.kinds) > 1 and word not in ("arrow", "arrows", "chevron", "caret"):
            found.setdefault(word, icon)
    order = [list(found.values())[k] for k in rng.permutation(len(found))]
    return order[:count], order[count:]


def found_in(
    brain: Any, known: Sequence[Icon], strange: Sequence[Icon], names: dict[str, str], rng: Generator
) -> Counts:
    """One picture of icons in the cells of a square."""
    cell = SCENE / CELLS
    places = rng.permutation(CELLS * CELLS)[: PRESENT + STRANGE]
    chosen = [known[k] for k in rng.integers(0, len(known), PRESENT)]
    chosen += [strange[k] for k in rng.integers(0, max(1, len(strange)), STRANGE if strange else 0)]
    groups, there, sides = [], [], []
    for icon, place in zip(chosen, places, strict=False):
        side, turn = rng.uniform(0.4, 0.66) * cell, rng.uniform(0, 360)
        centre = cell * (place % CELLS + 0.5), cell * (place // CELLS + 0.5)
        groups.append(placed(icon, dark(rng), centre, side, turn))
        if icon.name in names:
            there.append((names[icon.name], middle(icon, centre, side, turn)))
            sides.append(side)
    scene = brain.see(picture(groups, SCENE))
    told = [(node.symbol, node.position) for node in scene.axioms if node.symbol in names.values()]
    return Counts(len(there), len(told), len(paired(there, told, sides)))


def middle(icon: Icon, centre: Point, side: float, degrees: float) -> tuple[float, float]:
    """The middle of the box around the lines of an icon, before it was turned, in the picture."""
    paths = [node.get("d", "") for node in ET.fromstring(icon.text).iter() if node.get("stroke") != "none"]
    points = np.concatenate([laid(one).points for data in paths for one in subpaths(data)])
    away = ((points.min(0) + points.max(0)) / 2 - UNIT / 2) * side / UNIT
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return centre[0] + cos * away[0] - sin * away[1], centre[1] + sin * away[0] + cos * away[1]
