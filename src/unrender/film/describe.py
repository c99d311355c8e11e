"""A whole film in a few English sentences: who moves how, and what each does."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from unrender.film.film import Film
from unrender.film.motion.motion import Motion, motion_of
from unrender.film.track import Track
from unrender.film.verbs.recognise import Doing
from unrender.scene.language.motion import heading
from unrender.scene.language.naming import Names, tally
from unrender.scene.language.words import listed, number, participle, sentence

BRIEF = 0.1  # of the film: what is in sight for less is not told
MOST = 12  # objects that are told one by one
ABSENT = 0.15  # seconds out of sight that are told
STEADY = 1.0  # degrees a frame: what turns less does not turn


def describe(film: Film) -> str:
    """What is there, what each does and how it moves, and what could not be read."""
    shown = [track for track in film.tracks if len(track.observations) > max(2.0, BRIEF * len(film))]
    shown = sorted(shown[:MOST], key=lambda track: track.first)
    nodes = [track.observations[track.first] for track in shown]
    names = Names(nodes)
    said = (
        [sentence(f"in {_seconds(film.seconds)} there {_are(nodes)}")]
        if nodes
        else ["Nothing is to be seen."]
    )
    resting = []
    for track, node in zip(shown, nodes, strict=True):
        doings, moves = _doings(film, track), _moves(film, track)
        said += [sentence(f"{names.one(node)} {doing}") for doing in doings]
        if moves:
            said.append(sentence(f"{'it' if doings else names.one(node)} {listed(moves)}"))
        elif not doings:
            resting.append(names.one(node))
    if resting:
        said.append(sentence(f"{listed(resting)} {'rests' if len(resting) == 1 else 'rest'}"))
    left = len(film.tracks) - len(shown)
    if left:
        things = "one more thing is" if left == 1 else f"{number(left)} more things are"
        said.append(sentence(f"{things} not told"))
    return " ".join([*said, *film.notes])


def _are(nodes: Sequence[object]) -> str:
    counted = tally(list(nodes))  # type: ignore[arg-type]
    return f"{'is' if len(nodes) == 1 else 'are'} {counted}"


def _doings(film: Film, track: Track) -> list[str]:
    """ "is waving, twice a second": what an object does, as what follows its name."""
    doings = film.doings.get(track.number, [])
    return list(dict.fromkeys(f"is {participle(doing.verb)}{_how_often(film, doing)}" for doing in doings))


def _moves(film: Film, track: Track) -> list[str]:
    """How it moves, comes and goes."""
    return [*_movement(film, motion_of(film, track)), *_sight(film, track)]


def _how_often(film: Film, doing: Doing) -> str:
    cycles = doing.rate * (doing.last - doing.first)
    return f", {often(doing.rate * film.fps)}" if cycles > 1 else ""


def _movement(film: Film, motion: Motion) -> list[str]:
    said = []
    law, kind = motion.position.law, motion.position.kind
    if kind in ("uniform", "accelerated", "ballistic"):
        first, last = motion.position.values[0], motion.position.values[-1]
        pace = math.hypot(*law.numbers["velocity"]) * film.fps
        if kind == "uniform":
            said.append(f"moves {heading(*(last - first))} by {pace:.0f} px a second")
        elif kind == "ballistic":
            said.append("falls" if last[1] > first[1] else "is thrown up")
        else:
            said.append(f"moves {heading(*(last - first))}, faster and slower")
    elif kind in ("oscillating", "circling"):
        how = "swings to and fro" if kind == "oscillating" else "goes round in a circle"
        said.append(f"{how}, {often(film.fps / law.numbers['period'][0])}")
    elif kind == "keyframes":
        said.append(_by_keys(motion))
    turning = motion.rotation
    if turning.kind != "resting" and not motion.track.observations[motion.track.first].parts:
        turned = float(turning.values[-1, 0] - turning.values[0, 0])
        span = float(turning.times[-1] - turning.times[0])
        if abs(turned) / max(span, 1) > STEADY:
            way = "clockwise" if turned > 0 else "anticlockwise"
            said.append(f"turns {way}, {often(abs(turned) / 360 / span * film.fps)}")
        elif turning.kind == "oscillating":
            said.append("turns to and fro")
    if motion.size.kind != "resting":
        grown = float(motion.size.values[-1].prod() / motion.size.values[0].prod())
        if grown > 1.2 or grown < 1 / 1.2:
            said.append("grows" if grown > 1 else "shrinks")
    return said


def _by_keys(motion: Motion) -> str:
    """Between keyframes: thrown and caught again and again, or step by step."""
    keys = motion.position.keys.keys
    throws = sum(bool(key.bend) for key in keys)
    if throws > 1:
        times = throws - 1
        return "falls and bounces" if times == 1 else f"falls and bounces {number(times)} times"
    eased = {key.easing.name for key in keys[:-1] if key.easing.name not in ("linear", "hold")}
    first, last = motion.position.values[0], motion.position.values[-1]
    how = f" ({listed(sorted(eased))})" if eased else ""
    if math.dist(first, last) < motion.position.sigma * 10:
        return f"moves away and back{how}"
    return f"moves {heading(*(last - first))}{how}"


def _sight(film: Film, track: Track) -> list[str]:
    """When it comes, goes and is hidden."""
    said = []
    if track.first > 0:
        said.append(f"comes after {_seconds(film.times[track.first])}")
    frames = list(track.observations)
    gaps = [film.times[b] - film.times[a] for a, b in pairwise(frames) if b - a > 1]
    long = [gap for gap in gaps if gap > ABSENT]
    if long:
        said.append(f"is hidden for {_seconds(sum(long))}")
    if track.last < len(film) - 1:
        said.append(f"is gone after {_seconds(film.times[track.last])}")
    return said


def often(rate: float) -> str:
    """ "twice a second", "every two seconds": how often, of so many times a second."""
    if rate >= 0.75:
        count = round(rate)
        if abs(rate - count) > 0.12:
            return f"{rate:.1f} times a second"
        words = {1: "once", 2: "twice"}
        return f"{words.get(count) or number(count) + ' times'} a second"
    return f"every {_seconds(1 / max(rate, 1e-9))}"


def _seconds(value: float) -> str:
    if abs(value - round(value)) < 0.05 and round(value) >= 1:
        return "a second" if round(value) == 1 else f"{number(round(value))} seconds"
    return f"{value:.1f} seconds" if value >= 0.1 else f"{value:.2f} seconds"
