"""A world of line drawings and icons: houses, keys, stick figures and more of nothing but strokes, joined by
lines that may be dashed, with the true graph.

picture = Drawings(width=256, height=256).sample(np.random.default_rng(0))
picture.image    # uint8 HxWx3
picture.scene    # the Scene it was drawn from
icon = Drawings(128, 128, cells=1).icon(np.random.default_rng(0), "key")
"""

from __future__ import annotations

import colorsys
import math
from dataclasses import dataclass, replace

import numpy as np

from unrender.capsules.gamma import whole
from unrender.errors import UnrenderError, nearest
from unrender.scene import Observation, Scene
from unrender.worlds.asteroids import Picture
from unrender.worlds.sketches import SKETCHES
from unrender.worlds.truth import placed

SMALLEST, LARGEST = 48, 8192  # px: sides of a picture in which strokes can be told apart
ROOM = 0.92  # of half a cell that a drawing may fill, whichever way it is turned
DASH = (0.45, 0.65)  # the painted share of a dashed line's period
FEWEST = 3.2  # periods of a line, so that its dashes can be counted
PERIODS = (2.5, 3.5)  # a period in widths of the stroke


@dataclass(frozen=True)
class Drawings:
    """A distribution of pictures. Ranges are (low, high). Drawings stand in the cells of a grid, so that none
    covers another; lines lead from some of them to the next one."""

    width: int = 256
    height: int = 256
    cells: int = 3  # along the longer side
    filled: float = 0.75  # the share of the cells that hold a drawing
    stroke: tuple[float, float] = (2.0, 4.0)  # px
    size: tuple[float, float] = (0.55, 0.95)  # of what a cell has room for
    turned: bool = True  # by any angle, or upright
    joined: float = 0.4  # the share of neighbours with a line between them
    dashed: float = 0.5  # the share of these lines that are dashed
    dark: float = 0.3  # the share of pictures with light strokes on a dark ground

    def __post_init__(self) -> None:
        if not all(SMALLEST <= side <= LARGEST for side in (self.width, self.height)):
            raise UnrenderError(
                f"A picture of line drawings must have sides of {SMALLEST} to {LARGEST} pixels, "
                f"not {self.width}x{self.height}."
            )
        if not 1 <= self.cells <= max(self.width, self.height) // SMALLEST:
            raise UnrenderError(f"There is no room for {self.cells} drawings of {SMALLEST} px in a row.")

    def sample(self, rng: np.random.Generator) -> Picture:
        """One picture."""
        side = max(self.width, self.height) / self.cells
        rows, columns = max(int(self.height / side), 1), max(int(self.width / side), 1)
        ground, inks = self._colours(rng)
        margin = np.array([self.width - columns * side, self.height - rows * side]) / 2
        found: dict[tuple[int, int], Observation] = {}
        reach: dict[tuple[int, int], float] = {}
        for row in range(rows):
            for column in range(columns):
                if rng.random() >= self.filled:
                    continue
                name = str(rng.choice(sorted(SKETCHES)))
                middle = margin + (np.array([column, row]) + 0.5) * side
                half = ROOM * side / 2 * rng.uniform(*self.size)
                turn = float(rng.uniform(-180, 180)) if self.turned else 0.0
                found[row, column] = self._drawn(rng, name, middle, half, turn, inks)
                reach[row, column] = math.hypot(*found[row, column].size) / 2 + self.stroke[1]
        lines = list(self._lines(rng, found, reach, inks))
        axioms = _in_depth([*lines, *found.values()])
        return Picture(Scene(self.width, self.height, axioms, ground))

    def icon(self, rng: np.random.Generator, name: str) -> Picture:
        """One drawing that fills the picture, upright."""
        if name not in SKETCHES:
            raise UnrenderError(f'There is no drawing called "{name}".{nearest(name, SKETCHES)}')
        ground, inks = self._colours(rng)
        half = ROOM * min(self.width, self.height) / 2
        middle = np.array([self.width, self.height]) / 2
        one = self._drawn(rng, name, middle, half, 0.0, inks)
        return Picture(Scene(self.width, self.height, _in_depth([one]), ground))

    def _drawn(
        self,
        rng: np.random.Generator,
        name: str,
        middle: np.ndarray,
        half: float,
        turn: float,
        inks: list[dict[str, float]],
    ) -> Observation:
        """A drawing within `half` px of its middle."""
        width, looks = float(rng.uniform(*self.stroke)), inks[int(rng.integers(len(inks)))]
        scale = (half - width / 2) / math.sqrt(2)  # whichever way its box is turned
        made = whole(name, [stroke.told(width / scale, looks) for stroke in SKETCHES[name]])
        place = (float(middle[0]), float(middle[1]))
        return placed(made, place, turn, scale)

    def _lines(
        self,
        rng: np.random.Generator,
        found: dict[tuple[int, int], Observation],
        reach: dict[tuple[int, int], float],
        inks: list[dict[str, float]],
    ) -> list[Observation]:
        """Straight lines between drawings that are neighbours."""
        lines = []
        for (row, column), one in found.items():
            for beside in ((row, column + 1), (row + 1, column)):
                other = found.get(beside)
                drawn, broken, width = rng.random() < self.joined, rng.random() < self.dashed, self.stroke[0]
                ink, share, step = int(rng.integers(len(inks))), rng.uniform(*DASH), rng.uniform(*PERIODS)
                if other is None or not drawn:
                    continue
                (x1, y1), (x2, y2) = one.position, other.position
                away = math.dist(one.position, other.position)
                first, last = reach[row, column] + width, away - reach[beside] - width
                length = last - first
                if length < FEWEST * step * width:
                    continue
                at = (first + last) / 2 / away
                looks = inks[ink] | {"filled": 1.0, "thickness": 0.0, "cap": 0.0}
                if broken:
                    looks |= {"dash": float(share), "period": float(step * width / length)}
                turn = math.degrees(math.atan2(y2 - y1, x2 - x1))
                place = (x1 + at * (x2 - x1), y1 + at * (y2 - y1))
                lines.append(Observation("edge", place, (length, width), turn, looks))
        return lines

    def _colours(self, rng: np.random.Generator) -> tuple[tuple[int, int, int], list[dict[str, float]]]:
        """The ground (0 to 255), and three colours that stand out from it."""
        dark = rng.random() < self.dark
        shade, hue = rng.integers(0, 40) if dark else rng.integers(225, 256), rng.random()
        inks = []
        for k in range(3):
            value = rng.uniform(0.75, 1.0) if dark else rng.uniform(0.1, 0.5)
            colour = colorsys.hsv_to_rgb((hue + k / 3) % 1, rng.uniform(0.3, 0.9), value)
            channels = zip(("red", "green", "blue"), colour, strict=True)
            inks.append({f"{stroke}{name}": own for name, own in channels for stroke in ("", "stroke_")})
        return (int(shade), int(shade), int(shade)), inks


def _in_depth(axioms: list[Observation]) -> list[Observation]:
    """The same with the depth ranks of their primitives, back to front."""
    told, depth = [], 0
    for axiom in axioms:
        if axiom.parts:
            parts = [replace(part, depth=depth + k) for k, part in enumerate(axiom.parts)]
            told.append(replace(axiom, parts=parts))
        else:
            told.append(replace(axiom, depth=depth))
        depth += max(len(axiom.parts), 1)
    return told
