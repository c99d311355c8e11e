"""Who is who, decided over the whole film: tracks are cut, exchanged and joined where that takes fewer bits.

Following from frame to frame is quick but short-sighted. Here both sides of a crossing or of an absence are
known: whether the later piece goes on as the earlier one did is told by one motion through both.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

import numpy as np
from scipy.optimize import linear_sum_assignment
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from unrender.film.film import Film
from unrender.film.occlusion import Occlusion
from unrender.film.piece import Piece, as_whole, looks_apart, pieces_of, surprise
from unrender.scene import Observation, Scene

START = 14.0  # bits of an object that appears or vanishes in the midst of the picture
EDGE = 4.0  # the same at its border
HIDDEN = 10.0  # the same where something hides it
UNSEEN = 4.0  # bits of every frame in which what should show was not seen
MOST_UNSEEN = 40.0  # bits, at most
PARTLY = 0.12  # of its side: how far off the place is of what something hides a part of
MARGIN = 3.0  # bits that an exchange must save
NEAR = 1.5  # of their sides: how near two objects come that may be taken for one another
FLEETING = 4  # frames of a piece that is too short to be sure of what it is
LONGEST_ABSENCE = 250  # frames after which nobody is expected to come back
LONGEST = 30  # frames between a glimpse and the track that it belongs to


def identified(film: Film) -> None:
    """Number the nodes of all scenes anew: the same number for the same object in all frames."""
    pieces = [piece for piece in pieces_of(film.scenes) if not piece.part]
    pieces = _exchanged([piece for whole in pieces for piece in whole.cut_at_gaps()])
    joined = _absorbed(_joined(pieces, film))
    _number(film.scenes, joined)
    film.__dict__.pop("tracks", None)


def _exchanged(pieces: list[Piece]) -> list[Piece]:
    """Pieces whose later parts have changed places, where both then go on more smoothly."""
    changed = True
    while changed:
        changed = False
        for a, b in combinations(range(len(pieces)), 2):
            for frame in _meetings(pieces[a], pieces[b]):
                (a1, a2), (b1, b2) = pieces[a].split(frame), pieces[b].split(frame)
                kept = surprise(a1, a2) + surprise(b1, b2)
                if kept > MARGIN and surprise(a1, b2) + surprise(b1, a2) < kept - MARGIN:
                    pieces[a], pieces[b] = a1.joined(b2), b1.joined(a2)
                    changed = True
                    break
    return pieces


def _meetings(a: Piece, b: Piece) -> list[int]:
    """Frames before which two pieces that look alike are so near that they may have been exchanged."""
    if a.first > b.last or b.first > a.last or not a.like(b):
        return []
    shared, ia, ib = np.intersect1d(a.frames, b.frames, return_indices=True)
    if len(shared) < 2:
        return []
    apart = np.hypot(*(a.places[ia] - b.places[ib]).T)
    step = np.maximum(
        np.abs(np.diff(a.places[ia], axis=0)).sum(1), np.abs(np.diff(b.places[ib], axis=0)).sum(1)
    )
    near = apart[1:] < NEAR * (a.side + b.side) / 2 + step
    return [int(frame) for frame in shared[1:][near]]


def _joined(pieces: list[Piece], film: Film) -> list[Piece]:
    """Pieces put together through absences: the assignment of ends to beginnings with the fewest bits."""
    if not pieces:
        return []
    follower = _followers(pieces, Occlusion(film.scenes))
    made = []
    for i in sorted(set(range(len(pieces))) - set(follower.values())):
        whole, at = pieces[i], i
        while at in follower:
            at = follower[at]
            whole, twice = whole.split(pieces[at].first)
            whole = whole.joined(pieces[at])
            made += [twice] if len(twice) else []
        made.append(whole)
    return made


def _followers(pieces: Sequence[Piece], occlusion: Occlusion) -> dict[int, int]:
    """Which piece goes on as which later one. Only pieces that may be joined compete with one another, so a
    long film takes many small assignments and no large one."""
    ends = [_border(piece, occlusion, last=True) for piece in pieces]
    starts = [_border(piece, occlusion, last=False) for piece in pieces]
    saved: dict[tuple[int, int], float] = {}  # bits that a join saves
    order = sorted(range(len(pieces)), key=lambda k: pieces[k].first)
    firsts = [pieces[k].first for k in order]
    for i, one in enumerate(pieces):
        low = bisect_left(firsts, one.last - FLEETING)
        high = bisect_right(firsts, one.last + LONGEST_ABSENCE)
        for j in order[low:high]:
            early = (
                one if one.last < pieces[j].first else one.split(pieces[j].first)[0]
            )  # what shows on both sides of a post is told twice
            both = len(one) - len(early)
            if len(early) and both <= min(FLEETING, len(early), len(pieces[j]) - 1):
                limit = ends[i] + starts[j] - UNSEEN * both
                if (bits := _bits(early, pieces[j], occlusion, limit)) < limit:
                    saved[i, j] = limit - bits
    follower: dict[int, int] = {}
    for rows, columns in _competing(saved, len(pieces)):
        gain = np.array([[saved.get((i, j), 0.0) for j in columns] for i in rows])
        for r, c in zip(*linear_sum_assignment(gain, maximize=True), strict=True):
            if gain[r, c] > 0:
                follower[rows[r]] = columns[c]
    return follower


def _competing(joins: Iterable[tuple[int, int]], count: int) -> Iterator[tuple[list[int], list[int]]]:
    """Groups of ends and of beginnings that no join leads out of."""
    pairs = np.array(list(joins), int).reshape(-1, 2)
    if len(pairs) == 0:
        return
    ones = np.ones(len(pairs), bool)
    graph = coo_array((ones, (pairs[:, 0], count + pairs[:, 1])), shape=(2 * count, 2 * count))
    group = connected_components(graph, directed=False)[1]
    found: dict[int, tuple[set[int], set[int]]] = {}
    for i, j in pairs.tolist():
        rows, columns = found.setdefault(int(group[i]), (set(), set()))
        rows.add(i)
        columns.add(j)
    yield from ((sorted(rows), sorted(columns)) for rows, columns in found.values())


def _absorbed(tracks: list[Piece]) -> list[Piece]:
    """Tracks with the glimpses that belong to them: what shows for a moment where a longer track is just out
    of sight is a piece of that object, whatever it looked like."""
    glimpses = [track for track in tracks if len(track) <= FLEETING]
    longer = [track for track in tracks if len(track) > FLEETING]
    left = []
    for glimpse in glimpses:
        apart = [_beside(glimpse, track) for track in longer]
        if apart and min(apart) < 1.0:
            at = int(np.argmin(apart))
            longer[at] = longer[at].with_glimpse(glimpse)
        else:
            left.append(glimpse)
    return [*longer, *left]


def _beside(glimpse: Piece, track: Piece) -> float:
    """How far a glimpse is from where a track must be, in sides of it; infinite if it is in sight then, or
    far from then."""
    if np.isin(glimpse.frames, track.frames).any():
        return math.inf
    before, behind = track.split(glimpse.first)
    if (
        max(
            glimpse.first - before.last if len(before) else 0,
            behind.first - glimpse.last if len(behind) else 0,
        )
        > LONGEST
    ):
        return math.inf
    guesses = []
    if len(before):
        guesses.append(before.without_end.ending.at(glimpse.first))
    if len(behind):
        guesses.append(behind.without_start.beginning.at(glimpse.last))
    return min(math.dist(guess, glimpse.places[0]) for guess in guesses) / track.side


def _border(piece: Piece, occlusion: Occlusion, last: bool) -> float:
    """Bits of a track that ends, or begins, here: fewer where something explains it."""
    frame = piece.last if last else piece.first
    if frame in (0, occlusion.frames - 1):
        return EDGE
    place, side = piece.places[-1 if last else 0], piece.side
    velocity = (piece.ending if last else piece.beginning).velocity
    ahead = place + (velocity if last else -velocity) * 2
    beside = frame + 1 if last else frame - 1  # where it is not itself in the way
    if occlusion.gone(ahead, side):
        return EDGE
    if occlusion.hides(beside, ahead, side):
        return HIDDEN
    return START if len(piece) > FLEETING else (START + EDGE) / 2


def _bits(one: Piece, other: Piece, occlusion: Occlusion, limit: float) -> float:
    """Bits of the later piece being the same object as the earlier one; any number beyond the limit if they
    are more."""
    pairs = ((one.nodes[-1], other.nodes[0]), (one.usual, other.usual))
    if min(looks_apart(a, b) for a, b in pairs) > limit:
        return math.inf
    beside = max(_border(one, occlusion, last=True), _border(other, occlusion, last=False)) == HIDDEN
    bits = surprise(one, other, PARTLY * min(one.side, other.side) if beside else 0.0)
    if bits >= limit:
        return bits
    missing = 0.0
    ahead, back = one.without_end.ending, other.without_start.beginning
    for frame in range(one.last + 1, other.first):
        share = (frame - one.last) / (other.first - one.last)
        place = (1 - share) * ahead.at(frame) + share * back.at(frame)
        if not occlusion.outside(place, one.side) and not occlusion.hides(frame, place, one.side):
            missing += UNSEEN
            if bits + missing > limit:
                break
    return bits + min(missing, MOST_UNSEEN)


def _number(scenes: Sequence[Scene], tracks: list[Piece]) -> None:
    """Number tracks by their first frame, the largest first; what is inside them behind them."""
    for scene in scenes:
        for node in scene.observations:
            node.track = None
    order = sorted(tracks, key=lambda piece: (piece.first, -math.prod(piece.nodes[0].size)))
    number = 0
    for piece in order:
        for node in piece.nodes:
            node.track = number
        number += 1
    for piece in order:
        number = _number_parts(piece, number)


def _number_parts(whole: Piece, number: int) -> int:
    """Number the parts of an object in all frames, each like the part that stood in the same place of it; the
    next free number."""
    known: list[tuple[int, Observation]] = []  # numbers, with the part in the frame of the whole
    for node in whole.nodes:
        if not node.parts:
            continue
        parts = [as_whole(part, node) for part in node.parts]
        cost = np.array([[_strange(part, old) for _, old in known] for part in parts]).reshape(len(parts), -1)
        taken = dict(zip(*linear_sum_assignment(cost), strict=True)) if known else {}
        for k, part in enumerate(parts):
            if k in taken and cost[k, taken[k]] < START:
                node.parts[k].track = known[taken[k]][0]
                known[taken[k]] = (known[taken[k]][0], part)
            else:
                node.parts[k].track = number
                known.append((number, part))
                number += 1
    inner: dict[int, list[tuple[int, Observation]]] = {}
    for frame, node in zip(whole.frames.tolist(), whole.nodes, strict=True):
        for part in node.parts:
            if part.parts and part.track is not None:
                inner.setdefault(part.track, []).append((frame, part))
    for seen in inner.values():
        number = _number_parts(Piece.of([frame for frame, _ in seen], [part for _, part in seen]), number)
    return number


def _strange(part: Observation, old: Observation) -> float:
    """Bits of a part being one that was seen before, both in the frame of their whole."""
    if part.symbol != old.symbol:
        return 2 * START
    off = math.dist(part.position, old.position) / 0.15
    shared = part.attributes.keys() & old.attributes.keys()
    looks = sum(abs(part.attributes[name] - old.attributes[name]) for name in shared) / 0.3
    sides = (
        sum(
            abs(math.log(max(a, 1e-6) / max(b, 1e-6)))
            for a, b in zip(sorted(part.size), sorted(old.size), strict=True)
        )
        / 0.3
    )
    return min(off**2 + looks**2 + sides**2, 2 * START)
