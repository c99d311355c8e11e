"""What is remembered of a video from frame to frame: where every object was, and how it moves."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any

from unrender.scene import reading

REMEMBERED = 6  # sightings that are kept
BENT = 5  # of them, from which on a motion may be told as accelerated
SEEN = (0.03, 0.03, 0.2)  # px, px and degrees: about how exactly a sighting is known at best
CURVED = 4.0  # by how much more than that each sighting must be off a straight line: squares, on average
LOST = 2  # frames for which an object may be out of sight and still come back with its number


@dataclass(frozen=True)
class Sighting:
    """Where an object was in one frame. `heading` is its rotation in degrees, counted on past 360."""

    frame: int
    x: float
    y: float
    heading: float


@dataclass(frozen=True)
class Track:
    """One object through the frames, as it was at its last sighting."""

    number: int
    symbol: str
    seen: int  # in how many frames
    size: tuple[float, float]
    rotation: float
    attributes: dict[str, float]
    sightings: tuple[Sighting, ...]  # the last few, the oldest first; at least one
    whole: tuple[int, str] | None = None  # track and symbol of the whole it was last a part of
    place: tuple[float, float] | None = None  # where in that whole, in its frame and in units of its size
    since: int = 0  # the frame in which its present motion began, after a bounce
    form: tuple[float, ...] | None = None  # of what has one

    @property
    def last(self) -> Sighting:
        """The last sighting."""
        return self.sightings[-1]

    @cached_property
    def motion(self) -> tuple[float, float, float] | None:
        """px and degrees per frame at the last sighting, by the straight line nearest to the last sightings,
        or the parabola where they do not lie on a line; None from only one."""
        recent = [sighting for sighting in self.sightings if sighting.frame >= self.since]
        if len(recent) < 2:
            return None
        times = [float(sighting.frame - recent[-1].frame) for sighting in recent]
        rows = ([s.x for s in recent], [s.y for s in recent], [s.heading for s in recent])
        x, y, heading = (_slope(times, row, sigma) for row, sigma in zip(rows, SEEN, strict=True))
        return x, y, heading

    @cached_property
    def pace(self) -> float:
        """px per frame: the fastest of its last steps."""
        steps = pairwise(self.sightings)
        return max((math.dist((a.x, a.y), (b.x, b.y)) / (b.frame - a.frame) for a, b in steps), default=0.0)

    @property
    def velocity(self) -> tuple[float, float] | None:
        """px per frame; None before the second sighting."""
        return None if self.motion is None else self.motion[:2]

    @property
    def spin(self) -> float | None:
        """Degrees per frame; None before the second sighting."""
        return None if self.motion is None else self.motion[2]

    def at(self, frame: int) -> Sighting | None:
        """The sighting of one of the last frames."""
        return next((sighting for sighting in self.sightings if sighting.frame == frame), None)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Track:
        """The track that `asdict` wrote."""
        whole, place = data["whole"], data["place"]
        track = cls(
            number=reading.whole(data["number"]),
            symbol=reading.text(data["symbol"]),
            seen=reading.whole(data["seen"]),
            size=reading.pair(data["size"]),
            rotation=reading.number(data["rotation"]),
            attributes=reading.numbers(data["attributes"]),
            sightings=tuple(
                Sighting(reading.whole(s["frame"]), *(reading.number(s[k]) for k in ("x", "y", "heading")))
                for s in data["sightings"]
            ),
            whole=None if whole is None else (reading.whole(whole[0]), reading.text(whole[1])),
            place=None if place is None else reading.pair(place),
            since=reading.whole(data.get("since", 0)),
            form=None if data.get("form") is None else tuple(map(reading.number, data["form"])),
        )
        frames = [sighting.frame for sighting in track.sightings]
        if not frames or sorted(set(frames)) != frames:
            raise ValueError(f"track {track.number} needs sightings in the order of their frames")
        return track


def _slope(times: Sequence[float], values: Sequence[float], sigma: float) -> float:
    """The slope at time 0 of the line through values, or of the parabola if they are not on a line."""
    n = len(times)
    middle, mean = sum(times) / n, sum(values) / n
    t = [time - middle for time in times]
    s2, s3, s4 = (sum(each**k for each in t) for k in (2, 3, 4))
    y1 = sum(a * (b - mean) for a, b in zip(t, values, strict=True))
    line = y1 / s2
    off = [b - mean - line * a for a, b in zip(t, values, strict=True)]
    if n < BENT or sum(each * each for each in off) < CURVED * n * sigma**2:
        return line
    # what is left of t² beside a constant and a line
    bow = [a * a - s2 / n - s3 / s2 * a for a in t]
    norm = s4 - s2 * s2 / n - s3 * s3 / s2
    if norm <= 0:
        return line
    bend = sum(a * b for a, b in zip(bow, off, strict=True)) / norm
    left = sum((b - bend * a) ** 2 for a, b in zip(bow, off, strict=True))
    if left > sum(each * each for each in off) / 4:
        return line  # no parabola either
    return line + bend * (-2 * middle - s3 / s2)


@dataclass(frozen=True)
class Tracks:
    """All objects of a video that are in sight, or were until two frames ago."""

    frame: int = 0  # the number of this frame
    free: int = 0  # the first number that no object has had
    known: Mapping[int, Track] = field(default_factory=dict)  # by their numbers

    def frames(self, track: int) -> int:
        """In how many frames before this one an object was seen."""
        found = self.known.get(track)
        return 0 if found is None else found.seen - (found.last.frame == self.frame)

    def whole_of(self, track: int) -> tuple[int, str] | None:
        """Track and symbol of the whole that an object was last seen as a part of."""
        found = self.known.get(track)
        return None if found is None else found.whole

    def next(self, seen: Iterable[Track], free: int) -> Tracks:
        """After one more frame, in which these were seen; who has been away for too long is forgotten."""
        now = {track.number: track for track in seen}
        frame = self.frame + 1
        lost = {n: t for n, t in self.known.items() if n not in now and frame - t.last.frame <= LOST}
        return Tracks(frame, free, now | lost)

    def to_dict(self) -> dict[str, Any]:
        """Plain JSON values; `from_dict` gives the same tracks back."""
        known = [asdict(track) for track in self.known.values()]
        for track in known:
            track["sightings"] = list(track["sightings"])
            for name in ("size", "whole", "place", "form"):
                track[name] = None if track[name] is None else list(track[name])
        return {"frame": self.frame, "free": self.free, "known": known}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Tracks:
        """The tracks that `to_dict` wrote."""
        with reading.reading("These are not the tracks of a scene"):
            tracks = [Track.from_dict(track) for track in data["known"]]
            known = {track.number: track for track in tracks}
            return cls(reading.whole(data["frame"]), reading.whole(data["free"]), known)
