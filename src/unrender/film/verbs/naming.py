"""Naming what is done in a film: every observation of an object that does something says so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from unrender.capsules.network import Network
from unrender.errors import UnrenderError
from unrender.film.film import Film
from unrender.film.track import Track
from unrender.film.velocity import everyone
from unrender.film.verbs.body import Limbs, Skeleton, limbs
from unrender.film.verbs.recognise import Doing, recognised
from unrender.film.verbs.verb import Verb, learned


def name_verbs(film: Film, network: Network, verbs: Sequence[Verb]) -> None:
    """Give the observations of all objects their verbs, and with each its phase as an attribute."""
    names = frozenset(verb.name for verb in verbs)
    film.doings = {}
    for track in everyone(film):
        known = [verb for verb in verbs if verb.symbol == track.symbol]
        for node in track.observations.values():
            node.attributes = {key: value for key, value in node.attributes.items() if key not in node.verbs}
            node.verbs = ()
        if known and track.symbol in network.capsules:
            found = recognised(moves_of(film, track, network), known)
            film.doings[track.number] = found
            for doing in found:
                _tell(track, doing)
    for scene in film.scenes:
        scene.verbs |= names
        scene.take_as_seen()


def _tell(track: Track, doing: Doing) -> None:
    for frame, phase in doing.phases.items():
        node = track.observations[frame]
        node.verbs = (*node.verbs, doing.verb)
        node.attributes = {**node.attributes, doing.verb: phase}


def moves_of(film: Film, track: Track, network: Network) -> Limbs:
    """How the parts of a track move against its body; computed once."""
    key = (track.number, id(network.capsules[track.symbol]))
    if key not in film.limbs:
        routes = Counter(node.route for node in track.observations.values() if node.symbol == track.symbol)
        node = next(node for node in track.observations.values() if node.route == routes.most_common(1)[0][0])
        film.limbs[key] = limbs(Skeleton(network.route_of(node)), track)
    return film.limbs[key]


def verb_of_clip(
    film: Film, track: Track, name: str, network: Network, start: int | None, end: int | None
) -> Verb:
    """What a track does from frame `start` to frame `end`, as a verb."""
    if track.symbol not in network.capsules:
        raise UnrenderError(
            f"A verb is how the parts of a known object move, and [{track.symbol}] is none; "
            "teach the object first."
        )
    first = track.first if start is None else start
    last = track.last if end is None else end
    if not (isinstance(first, int) and isinstance(last, int) and first < last):
        raise UnrenderError(f"A verb is shown from one frame to a later one, not from {first!r} to {last!r}.")
    found = moves_of(film, track, network)
    inside = (found.frames >= first) & (found.frames <= last)
    if inside.sum() < 4:
        raise UnrenderError(
            f"The {track.symbol} is in sight in {int(inside.sum())} frames from {first} to {last}; "
            "a verb needs at least 4."
        )
    times = np.array(film.times)[found.frames[inside]] * film.fps
    return learned(track.symbol, name, times, found.moves[inside], film.fps)
