"""The budget of a picture: work is counted, not timed, so that the same picture is always seen the same way.

A unit is about a microsecond on one core. Whatever the picture, the work grows at most linearly with its
pixels; what is not read when the budget is spent stays residual.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

from unrender.errors import UnrenderError

LEAST = 400_000.0  # units for any picture, however small
PER_PIXEL = 2.0  # further units for each pixel
SEEN = 0.5  # units of a pixel before anything is proposed: noise, background, regions
DRAWN, PIXEL = 25.0, 0.03  # units of a drawing, and of a pixel of it
REFINED, STEP, EDGE = 200.0, 140.0, 0.06  # of a refinement, a step of it, and a pixel near the edge in it
TOLD = 10.0  # of a refinement, for each number of a form, the distances to which tell where its edge is
SOLVED = 0.005  # of a step, for each two numbers of a form: of long outlines this is most of it
FITTED, POINT = 40.0, 0.025  # of a step of a fit, and of a point of an edge in it
LOOK, LOOKED = 5500.0, 0.17  # of a look at a region from all sides, and of a pixel of it
CLUE, TRACED = 150.0, 0.03  # of a look at an outline or a line, and of a pixel of what is searched for them
CUT = 2.5  # of a point of an outline that is cut into pieces
THINNED = 0.15  # of a pixel of lines, until their middle is found
ENCODED = 4.0  # of a pixel that γ looks at
PATIENCE = 0.25  # of all units, after which it is given up if hardly anything was saved with them and nothing
# is explained yet; more in so far as the picture is explained
SIMPLER = 0.06  # of all units, for telling the same with less when all is explained
PER_BIT = 60.0  # units that are worth spending on one bit that nothing explains
LITTLE = 0.05  # of the bits that nothing explains: what saves less is hardly anything
HALF = 0.5  # of the bits of a picture: if more are unexplained when it is given up, it is no drawing


@dataclass(eq=False)
class Budget:
    """Units that may be spent on a picture, and those that were."""

    limit: float
    scale: float = math.inf  # units that shares are told of, whatever the limit is
    end: float = math.inf  # of the clock `time.monotonic`, if somebody does not want to wait any longer
    used: float = 0.0
    left: float = math.inf  # bits that nothing explains
    whole: float = 1.0  # that was so before anything was explained
    saved: float = 0.0  # bits, since the last time that much was saved
    since: float = 0.0  # units that were used by then
    given_up: bool = False
    late: bool = False  # whether something was left undone because of the clock

    @classmethod
    def of(cls, pixels: int, seconds: float | None = None) -> Budget:
        """That of a picture of so many pixels; seconds: from now, after which nothing new is begun."""
        if seconds is not None and not seconds > 0:
            raise UnrenderError(f"The seconds for a picture must be more than 0, not {seconds:g}.")
        end = math.inf if seconds is None else time.monotonic() + seconds
        limit = LEAST + PER_PIXEL * pixels
        return cls(limit, limit, end, SEEN * pixels)

    @property
    def spent(self) -> bool:
        """Whether nothing is left; ask only before something that is then left undone."""
        self.late = self.late or time.monotonic() >= self.end
        return self.late or self.used >= self.limit

    @property
    def hopeless(self) -> bool:
        """Whether hardly anything was saved for so long that it is given up, for good."""
        patience = max(PATIENCE, 1 - min(self.left / self.whole, 1.0)) * self.scale
        self.given_up = self.given_up or self.used - self.since > min(
            patience, SIMPLER * self.scale + PER_BIT * self.left
        )
        return self.given_up

    @property
    def over(self) -> bool:
        """Whether no proposal is to be asked any more."""
        return self.spent or self.hopeless

    def encourage(self) -> bool:
        """Be patient anew with means that were not tried yet, unless the picture was given up with most of it
        unexplained; whether there is any use in going on."""
        if self.given_up and self.left > HALF * self.whole:
            return False
        self.since, self.given_up = self.used, False
        return True

    def reopen(self, share: float) -> None:
        """Allow this share of all units from now on, whatever was used before, and given up or not."""
        self.limit = self.used + share * self.scale
        self.since, self.given_up = self.used, False

    def save(self, bits: float, left: float) -> None:
        """Count bits that were saved of those that nothing explained, of which so many are left."""
        self.saved, self.left, self.whole = self.saved + bits, left, max(self.whole, left + bits)
        if self.saved > LITTLE * left:
            self.saved, self.since = 0.0, self.used

    def draw(self, pixels: int) -> None:
        """Count one drawing of a window."""
        self.used += DRAWN + PIXEL * pixels

    def refine(self, pixels: int, numbers: int) -> None:
        """Count one refinement of a shape (numbers: of its form) against the pixels of a window, its
        colours told before and after; the steps are counted one by one."""
        self.used += REFINED + 3 * PIXEL * pixels + TOLD * numbers

    def step(self, points: int, numbers: int) -> bool:
        """Count one step of a refinement that looks at so many pixels and moves so many numbers of a form, if
        that is left; whether it is."""
        units = STEP + EDGE * points + SOLVED * numbers**2
        if self.spent or self.used + units > self.limit:
            return False
        self.used += units
        return True

    def encode(self, pixels: int) -> None:
        """Count a look of γ at so many pixels that nothing explains."""
        self.used += ENCODED * pixels

    def fit(self, starts: int, points: int, steps: int) -> None:
        """Count fits of many starts to the points of an edge."""
        self.used += steps * (FITTED + POINT * starts * points)

    def look(self, pixels: float) -> None:
        """Count a look at a region from all sides: its edges, its polygon, the rectangles in it."""
        self.used += LOOK + LOOKED * pixels

    def trace(self, pixels: float, lines: int = 1, painted: float = 0.0) -> None:
        """Count a look at the outlines of one region, or at lines, which were found by their painted
        pixels."""
        self.used += CLUE * lines + TRACED * pixels + THINNED * painted

    def outline(self, points: int) -> None:
        """Count an outline that is cut into pieces."""
        self.used += CLUE + CUT * points

    def points(self, share: float) -> float:
        """How many points of outlines may be cut for a share of all units."""
        return share * self.scale / CUT

    def has(self, pixels: float, share: float, painted: float = 0.0) -> bool:
        """Whether so many pixels may be traced before the share of all units is spent."""
        return self.used + TRACED * pixels + THINNED * painted <= share * self.scale
