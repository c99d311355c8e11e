"""Which shape that a seer tells is which of those that are there, and pictures of what it gets wrong."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from counting import NEAR, Counts
from PIL import Image, ImageDraw
from rasterise import outline
from scatter import Colour
from seer_drawing import Painted
from seer_scenes import Case
from seer_sight import Seen

SIZE = 0.25  # by which w and h together may be off
COLOUR = 0.1  # in any channel


@dataclass(frozen=True)
class Hit:
    """Whether one true shape was found."""

    group: str
    tags: tuple[str, ...]
    found: bool


@dataclass
class Tally(Counts):
    """Counts of one picture or, added up with `+=`, of many."""

    hits: list[Hit] = field(default_factory=list)
    perfect: int = 0  # pictures with every shape found and nothing else
    pictures: int = 0
    seconds: list[float] = field(default_factory=list)
    tags: list[tuple[tuple[str, ...], bool]] = field(default_factory=list)  # of pictures, with `perfect`

    def share(self, group: str) -> float:
        """Of the shapes of a group, those that were found; NaN where there are none."""
        found = [hit.found for hit in self.hits if hit.group == group]
        return float(np.mean(found)) if found else math.nan

    def count(self, group: str) -> str:
        """The same in words."""
        found = [hit.found for hit in self.hits if hit.group == group]
        return f"{sum(found)} of {len(found)}"

    @property
    def false(self) -> float:
        """Of the shapes told, those that are not there."""
        return 1 - self.precision

    def by_tag(self, group: str) -> str:
        """Found of all, for every way in which the pictures were made."""
        return _shares([(hit.tags, hit.found) for hit in self.hits if hit.group == group])

    def pictures_by_tag(self) -> str:
        """Perfect pictures of all, likewise."""
        return _shares(self.tags)


def _shares(told: Sequence[tuple[tuple[str, ...], bool]]) -> str:
    tags = sorted({tag for tags, _ in told for tag in tags})
    texts = []
    for tag in tags:
        right = [found for tags, found in told if tag in tags]
        texts.append(f"{tag} {sum(right)}/{len(right)}")
    return ", ".join(texts)


def same(row: str, truth: Painted, told: Painted) -> bool:
    """Whether both are one shape: kind, place, size, which parts are painted, and how.

    How wide and how dark a line is that is thinner than a pixel cannot be told apart, so that the colour of
    thin outlines does not count.
    """
    if truth.symbol != told.symbol or math.dist(truth.position, told.position) > NEAR * sum(truth.size) / 2:
        return False
    if abs(sum(told.size) / sum(truth.size) - 1) > SIZE:
        return False
    if row == "outlines":
        return told.stroke is not None and (told.fill is None)
    return _alike(truth.fill, told.fill) and _alike(truth.stroke, told.stroke)


def _alike(one: Colour | None, other: Colour | None) -> bool:
    if one is None or other is None:
        return one is other
    return bool(np.abs(np.subtract(one, other)).max() <= COLOUR)


def matches(row: str, case: Case, told: Sequence[Painted]) -> list[tuple[int, int]]:
    """(index of what is there, index of what is told): one to one, as many as possible, then the closest."""
    from scipy.optimize import linear_sum_assignment

    far = 1e6
    cost = np.full((len(case.shapes), len(told)), far)
    for i, truth in enumerate(case.shapes):
        for j, guess in enumerate(told):
            if same(row, truth, guess):
                cost[i, j] = math.dist(truth.position, guess.position)
    pairs = zip(*linear_sum_assignment(cost), strict=True)
    return [(int(i), int(j)) for i, j in pairs if cost[i, j] < far]


def score(row: str, case: Case, told: Sequence[Painted], seconds: float = 0.0) -> Tally:
    """The score of one picture."""
    pairs = matches(row, case, told)
    right = {i for i, _ in pairs}
    hits = [Hit(group, case.tags, i in right) for i, group in enumerate(case.groups)]
    perfect = len(pairs) == len(case.shapes) == len(told)
    counts = len(case.shapes), len(told), len(pairs)
    return Tally(*counts, hits, int(perfect), 1, [seconds], [(case.tags, perfect)])


# What went wrong


def dump(folder: Path, name: str, row: str, case: Case, seen: Seen) -> None:
    """The picture with what was missed (red) and what is not there (yellow), beside the one drawn again and
    all that was told (green); `misses.txt` says it in words."""
    pairs = matches(row, case, seen.shapes)
    right, used = {i for i, _ in pairs}, {j for _, j in pairs}
    missed = [shape for i, shape in enumerate(case.shapes) if i not in right]
    false = [shape for j, shape in enumerate(seen.shapes) if j not in used]
    if not missed and not false:
        return
    folder.mkdir(parents=True, exist_ok=True)
    marked = _panel(case.image, [("yellow", shape) for shape in false] + [("red", shape) for shape in missed])
    panels = [_panel(case.image, []), marked, _panel(seen.redrawn, [("lime", s) for s in seen.shapes])]
    sheet = Image.new("RGB", (sum(panel.width + 8 for panel in panels), panels[0].height), "white")
    for k, panel in enumerate(panels):
        sheet.paste(panel, (k * (panel.width + 8), 0))
    sheet.save(folder / f"{name}.png")
    words = [f"missed {describe(shape)}" for shape in missed] + [
        f"false {describe(shape)}" for shape in false
    ]
    with (folder / "misses.txt").open("a", encoding="utf-8") as file:
        file.write(f"{name} ({', '.join(case.tags)}):\n" + "".join(f"    {text}\n" for text in words))


def _panel(image: np.ndarray, marks: Sequence[tuple[str, Painted]]) -> Image.Image:
    scale = 4 if max(image.shape) <= 200 else 3
    size = (image.shape[1] * scale, image.shape[0] * scale)
    panel = Image.fromarray(image).resize(size, Image.Resampling.NEAREST)
    pen = ImageDraw.Draw(panel)
    for colour, shape in marks:
        points = outline(shape) * scale
        pen.line([tuple(p) for p in [*points.tolist(), points[0].tolist()]], fill=colour, width=2)
    return panel


def describe(shape: Painted) -> str:
    """One shape in words."""
    (x, y), (w, h) = shape.position, shape.size
    paints = []
    for label, colour in (("inside", shape.fill), (f"border {shape.width:.2f} px", shape.stroke)):
        if colour is not None:
            paints.append(f"{label} {','.join(f'{c:.2f}' for c in colour)}")
    return (
        f"{shape.symbol} at ({x:.1f}, {y:.1f}) size {w:.1f}x{h:.1f} turn {shape.rotation:.0f}, "
        + ", ".join(paints)
    )
