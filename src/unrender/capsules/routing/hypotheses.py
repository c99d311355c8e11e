"""Hypotheses: where the wholes of known routes may be, from pairs of observations that lie to each other as
two of their parts do."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unrender.capsules.poses import HEIGHT, POSE, ROTATION, WIDTH, Floats, X, Y, options
from unrender.capsules.route import Route
from unrender.capsules.routing.index import NEAR, Ints, Pairs, Pattern, features, similarity
from unrender.capsules.routing.occlusion import CROSS, Occlusion
from unrender.capsules.routing.table import ObservationTable
from unrender.capsules.routing.verification import EVEN, LIKE, Verifier
from unrender.primitives.symmetry import Symmetry

NEIGHBOURS = 12  # of each symbol around an observation, with which it may form a pair
HOPE = 0.05  # agreement of every attribute of a pose, while only two parts say where the whole is
FARTHEST = math.sqrt(-math.log(HOPE))  # widths of a window within which there is hope
NEEDED = 0.6  # share of the parts that must be seen


@dataclass(frozen=True)
class Hypotheses:
    """Where one route's whole may be: its centre, the scale of its frame and its turn, each (H,)."""

    x: Floats
    y: Floats
    scale: Floats
    turn: Floats

    def expected(self, poses: Floats) -> Floats:
        """(H, P, 5): where the parts of a pattern (P, 5) would be."""
        return self[:, None].placed(poses)

    def placed(self, poses: Floats) -> Floats:
        """(..., 5): where one part of each would be, from its place in the pattern (..., 5)."""
        cos, sin = np.cos(np.radians(self.turn)), np.sin(np.radians(self.turn))
        x, y, width, height, rotation = np.moveaxis(poses, -1, 0)
        out = np.empty((*np.broadcast_shapes(self.x.shape, x.shape), POSE))
        out[..., X] = self.x + self.scale * (cos * x - sin * y)
        out[..., Y] = self.y + self.scale * (sin * x + cos * y)
        out[..., WIDTH], out[..., HEIGHT] = self.scale * width, self.scale * height
        out[..., ROTATION] = rotation + self.turn
        return out

    @classmethod
    def join(cls, parts: Sequence[Hypotheses]) -> Hypotheses:
        return cls(*(np.concatenate([getattr(h, n) for h in parts]) for n in ("x", "y", "scale", "turn")))

    def __getitem__(self, index: Any) -> Hypotheses:
        return Hypotheses(self.x[index], self.y[index], self.scale[index], self.turn[index])


def seen_pairs(table: ObservationTable, one: str, other: str) -> tuple[Ints, Ints]:
    """Indices of neighbouring observations of two symbols; each pair of the same symbol once."""
    a = table.poses(one)
    same = one == other
    distance, index = table.nearest(other, a[:, [X, Y]], NEIGHBOURS + same)
    rows = np.repeat(np.arange(len(a)), index.shape[1])
    columns, near = index.ravel(), np.isfinite(distance.ravel())
    keep = near & (rows != columns) if same else near
    rows, columns = rows[keep], columns[keep]
    if same:
        pairs = np.unique(np.sort(np.stack([rows, columns], 1), 1), axis=0)
        rows, columns = pairs[:, 0], pairs[:, 1]
    return rows, columns


def by_pairs(
    table: ObservationTable,
    index: dict[tuple[str, str], Pairs],
    patterns: Sequence[Pattern],
    turnings: dict[str, Symmetry],
    fresh: set[str],
) -> dict[int, Hypotheses]:
    """Hypotheses for all rigid routes, by the number of their pattern."""
    found: dict[int, list[Hypotheses]] = {}
    for (one, other), pairs in index.items():
        if one not in table or other not in table or not fresh & {one, other}:
            continue
        rows, columns = seen_pairs(table, one, other)
        a, b = table.poses(one)[rows], table.poses(other)[columns]
        which, known = pairs.matches(features(a, b, turnings[one], turnings[other]))
        order = np.argsort(pairs.route[known], kind="stable")
        which, known = which[order], known[order]
        bounds = np.flatnonzero(np.diff(pairs.route[known], prepend=-1, append=-1))
        for start, stop in pairwise(bounds):
            r = int(pairs.route[known[start]])
            some = slice(start, stop)
            poses = patterns[r].poses
            p, q = poses[pairs.first[known[some]]], poses[pairs.second[known[some]]]
            made = carried(a[which[some]], b[which[some]], p, q, turnings[one])
            found.setdefault(r, []).append(made)
    return {r: Hypotheses.join(parts) for r, parts in found.items()}


def carried(a: Floats, b: Floats, p: Floats, q: Floats, turning: Symmetry) -> Hypotheses:
    """The wholes whose parts p and q (N, 5) would be at a and b.

    Parts whose centres meet have no direction to each other: then each equivalent turn of the first one is
    a hypothesis of its own. Observations whose centres meet are no two parts that lie apart.
    """
    size = np.sqrt(p[:, WIDTH] * p[:, HEIGHT])
    clear = np.hypot(*(q - p)[:, [X, Y]].T) > NEAR * size
    scale, turn = similarity(a[:, [X, Y]], b[:, [X, Y]], p[:, [X, Y]], q[:, [X, Y]])
    made = [_placed(a, p, scale, turn)[clear & (scale > 0)]]
    if not clear.all():
        scale = np.sqrt(a[:, WIDTH] * a[:, HEIGHT]) / size
        for option, period in options(a, turning):
            step = np.where(period > 0, period, 360.0)
            for k in range(4):
                turn = option[:, ROTATION] - p[:, ROTATION] + k * step
                made.append(_placed(a, p, scale, turn)[~clear & (k * step < 360)])
    return Hypotheses.join(made)


def _placed(a: Floats, p: Floats, scale: Floats, turn: Floats) -> Hypotheses:
    """The frame in which part p lies at a."""
    cos, sin = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    x = a[:, X] - scale * (cos * p[:, X] - sin * p[:, Y])
    y = a[:, Y] - scale * (sin * p[:, X] + cos * p[:, Y])
    return Hypotheses(x, y, scale, turn)


def by_parts(table: ObservationTable, pattern: Pattern, turnings: dict[str, Symmetry]) -> Hypotheses:
    """Hypotheses for a loose route: every part with its pose is one, and so is every pair of neighbours."""
    made = []
    for i, symbol in enumerate(pattern.symbols):
        a = table.poses(symbol)
        if len(a):
            p = np.broadcast_to(pattern.poses[i], a.shape)
            made.append(carried(a, a, p, p, turnings[symbol]))
        for j in range(i):
            other = pattern.symbols[j]
            if len(a) and other in table:
                rows, columns = seen_pairs(table, symbol, other)
                for swap in (False, True) if symbol == other else (False,):
                    m, n = (columns, rows) if swap else (rows, columns)
                    b = table.poses(other)[n]
                    p = np.broadcast_to(pattern.poses[i], b.shape)
                    q = np.broadcast_to(pattern.poses[j], b.shape)
                    made.append(carried(a[m], b, p, q, turnings[symbol]))
    return Hypotheses.join(made)


def promising(
    table: ObservationTable,
    views: Sequence[tuple[Route, Pattern]],
    guesses: Mapping[int, Hypotheses],
    screen: Occlusion,
    verifier: Verifier | None = None,
) -> dict[int, Hypotheses]:
    """Those hypotheses for which something lies near where enough of the parts should be, and the others may
    be missed: of many known objects that share two parts with what is there, hardly any has the rest.

    guesses: by the number of their view. All are asked at once, for there may be a thousand routes with a few
    hypotheses each.
    """
    several = [r for r, guess in guesses.items() if len(guess.x)]
    if not several:
        return {}
    guess = Hypotheses.join([guesses[r] for r in several])
    count = np.array([len(views[r][0].parts) for r in several])
    owner = np.repeat(np.arange(len(several)), [len(guesses[r].x) for r in several])
    # a row for every part of every hypothesis
    row = np.repeat(np.arange(len(owner)), count[owner])
    first = np.repeat(np.cumsum(count[owner]) - count[owner], count[owner])
    part = (np.cumsum(count) - count)[owner[row]] + np.arange(len(row)) - first
    rows = guess[row]
    expected = rows.placed(np.concatenate([views[r][1].poses for r in several])[part])
    widths = np.concatenate([views[r][0].widths[:, [X, Y]] for r in several])
    reach = rows.scale * FARTHEST * np.hypot(*widths.T)[part]
    symbols = np.array([symbol for r in several for symbol in views[r][1].symbols])[part]
    near = np.zeros(len(row), bool)
    for symbol in table.symbols:
        at = np.flatnonzero(symbols == symbol)
        near[at] = table.nearest(symbol, expected[at][:, [X, Y]], 1)[0][:, 0] < reach[at]
    least = np.array([needed(n) for n in count])[owner]
    good = np.bincount(row, near) >= (least if verifier is None else np.minimum(least, 2))
    if verifier is not None:  # a part counts where the picture has one colour, whatever was told there
        colours = np.concatenate([views[r][1].colours for r in several])
        missed = np.flatnonzero(~near & good[row])
        near[missed] = _coloured(expected[missed], colours[part[missed]], verifier)
        good &= np.bincount(row, near) >= least
    missed = np.flatnonzero(~near & good[row])
    plainly = missed[~screen.may_hide(expected[missed])]
    good &= np.bincount(row[plainly], minlength=len(good)) <= count[owner] // 5
    kept, own = guess[good], owner[good]
    bounds = np.flatnonzero(np.diff(own, prepend=-1, append=-1))
    return {several[own[start]]: kept[start:stop] for start, stop in pairwise(bounds)}


def _coloured(poses: Floats, colours: Floats, verifier: Verifier) -> NDArray[np.bool_]:
    """bool (N,): whether the picture has these colours (N, 3) where parts in these poses (N, 5) would be, or
    one other that is not the background's."""
    turn = np.exp(1j * np.radians(poses[:, ROTATION]))[:, None]
    corner = (poses[:, [WIDTH]] * CROSS.real + 1j * poses[:, [HEIGHT]] * CROSS.imag) * turn
    at = poses[:, [X]] + 1j * poses[:, [Y]] + 0.6 * corner
    points = np.stack([at.real, at.imag], -1).reshape(-1, 2)
    seen, inside = verifier.colours(points)
    seen, inside = seen.reshape(len(poses), len(CROSS), 3), inside.reshape(len(poses), len(CROSS))
    behind = verifier.ground(points).reshape(seen.shape)
    near, even = LIKE + 3 * verifier.noise, EVEN + 3 * verifier.noise
    alike = np.linalg.norm(seen - colours[:, None], axis=-1) < near
    middle = np.median(seen, axis=1, keepdims=True)
    other = (np.linalg.norm(seen - middle, axis=-1) < even) & (np.linalg.norm(seen - behind, axis=-1) > even)
    found: NDArray[np.bool_] = np.maximum((alike & inside).mean(1), (other & inside).mean(1)) > 0.5
    return found


def needed(parts: int) -> int:
    """How many of the parts of a whole must be seen."""
    return min(parts, max(2, math.ceil(NEEDED * parts)))
