"""A film as plain values for the page: where every track is in every frame, verbs, contacts, versions."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from unrender.film.film import Film
from unrender.film.simulation.world import Contact
from unrender.film.track import Track
from unrender.scene.language.words import participle
from unrender.studio.desk.film import OpenFilm

MOST = 40  # tracks that are shown, the longest first
TOUCH = 1.0  # frames: contacts of the same two that are closer than this are told as one


def film_values(film: OpenFilm, id: str) -> dict[str, Any]:
    """All that the timeline, the plots and the trails show."""
    known = film.names
    asked = film.seen.question if film.version == 0 else None
    return {
        "id": id,
        "version": film.version,
        "changes": film.changes,
        "seen": len(film.seen) if film.version == 0 else len(film.shown),
        "filmed": len(film.seen),
        "times": [round(time, 4) for time in film.shown.times],
        "tracks": _tracks(film, film.shown),
        "was": _tracks(film, film.seen) if film.version else [],
        "verbs": _verbs(film.seen, known) if film.version == 0 else [],
        "contacts": _contacts(film, known),
        "asked": None if asked is None else [asked.start, asked.end],
    }


def shown_tracks(film: Film) -> list[Track]:
    """The tracks that are worth a line."""
    return sorted(film.tracks, key=lambda track: -len(track.observations))[:MOST]


def _tracks(open: OpenFilm, film: Film) -> list[dict[str, Any]]:
    return [
        {
            "number": track.number,
            "name": open.names.get(track.number, track.symbol),
            "hue": round(open.hues.get(track.number, 200.0)),
            "symbol": track.symbol,
            "points": [_point(track, frame) for frame in range(len(film))],
            "speed": [_speed(track, frame, film.fps) for frame in range(len(film))],
        }
        for track in shown_tracks(film)
    ]


def _point(track: Track, frame: int) -> list[float] | None:
    node = track.observations.get(frame)
    return None if node is None else [round(node.position[0], 1), round(node.position[1], 1)]


def _speed(track: Track, frame: int, fps: float) -> float | None:
    """px/s."""
    node = track.observations.get(frame)
    return None if node is None or node.velocity is None else round(math.hypot(*node.velocity) * fps, 1)


def _verbs(film: Film, known: Mapping[int, str]) -> list[dict[str, Any]]:
    return [
        {
            "track": number,
            "start": doing.first,
            "end": doing.last,
            "text": doing.verb,
            "label": f"{known.get(number, 'it')} is {participle(doing.verb)}",
        }
        for number, doings in film.doings.items()
        for doing in doings
    ]


def _contacts(film: OpenFilm, known: Mapping[int, str]) -> list[dict[str, Any]]:
    """Of the film as it was seen; instants of the same two that follow one another at once are one."""
    if not film.explained or film.version:
        return []
    merged: list[dict[str, Any]] = []
    last: dict[tuple[int, int | None], dict[str, Any]] = {}
    for contact in sorted(film.seen.world.contacts, key=lambda own: own.frame):
        key = (contact.a, contact.b)
        if key in last and contact.frame - last[key]["end"] <= TOUCH:
            last[key]["end"] = max(last[key]["end"], round(contact.last, 1))
            continue
        last[key] = {
            "track": contact.a,
            "start": round(contact.frame, 1),
            "end": round(contact.last, 1),
            "label": _touch(contact, known),
        }
        merged.append(last[key])
    return merged


def _touch(contact: Contact, known: Mapping[int, str]) -> str:
    a = known.get(contact.a, "something")
    b = "a wall" if contact.b is None else known.get(contact.b, "something")
    return f"{a} {'lies on' if contact.lasting else 'hits'} {b}"
