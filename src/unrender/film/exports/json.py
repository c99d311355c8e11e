"""A film as JSON: every scene, the tracks and how each moves. `Film.load` reads it again."""

from __future__ import annotations

import json
from typing import Any

from unrender.film.film import Film
from unrender.film.motion.motion import Channel, motion_of
from unrender.film.track import Track


def film_json(film: Film) -> str:
    """All of a film."""
    made = {
        "fps": film.fps,
        "times": film.times,
        "notes": list(film.notes),
        "tracks": [_track(film, track) for track in film.tracks],
        "scenes": [scene.to_dict() for scene in film.scenes],
    }
    return json.dumps(made, separators=(",", ":")) + "\n"


def _track(film: Film, track: Track) -> dict[str, Any]:
    motion = motion_of(film, track)
    return {
        "number": track.number,
        "symbol": track.symbol,
        "first": track.first,
        "last": track.last,
        "motion": {"kind": motion.kind} | {own.name: _channel(own) for own in motion.channels},
    }


def _channel(own: Channel) -> dict[str, Any]:
    if own.kind != "keyframes":
        return {"kind": own.kind} | {name: list(values) for name, values in own.law.numbers.items()}
    keys = [
        {
            "time": key.time,
            "value": list(key.value),
            "easing": key.easing.name,
            "handles": list(key.easing.handles),
        }
        | ({"bend": list(key.bend)} if key.bend else {})
        for key in own.keys.keys
    ]
    return {"kind": own.kind, "keyframes": keys}
