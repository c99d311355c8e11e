"""A track: one object through the frames of a film."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from unrender.scene import Observation, Scene


@dataclass(frozen=True, eq=False)
class Track:
    """One object through the frames. Frames in which it was out of sight are missing in `observations`."""

    number: int  # that of its observations: `obs.track`
    symbol: str
    observations: Mapping[int, Observation] = field(repr=False)  # by frame, in their order; at least one

    @property
    def first(self) -> int:
        """The first frame in which it was seen."""
        return next(iter(self.observations))

    @property
    def last(self) -> int:
        """The last frame in which it was seen."""
        return next(reversed(list(self.observations)))

    @property
    def area(self) -> float:
        """px², of its box when it was first seen."""
        width, height = self.observations[self.first].size
        return width * height


def tracks_of(scenes: Sequence[Scene], of: Track | None = None) -> list[Track]:
    """The tracks of the axioms of scenes, or of the parts of one of them, by their first frame, then the
    largest first. Of an object that was told as several symbols the most frequent counts."""
    found: dict[int, dict[int, Observation]] = {}
    for frame, scene in enumerate(scenes):
        nodes = scene.axioms
        if of is not None:
            nodes = of.observations[frame].parts if frame in of.observations else []
        for node in nodes:
            if node.track is not None:
                found.setdefault(node.track, {})[frame] = node
    tracks = [Track(number, _symbol(seen), seen) for number, seen in found.items()]
    return sorted(tracks, key=lambda track: (track.first, -track.area))


def _symbol(seen: Mapping[int, Observation]) -> str:
    names = [node.symbol for node in seen.values()]
    return max(dict.fromkeys(names), key=names.count)
