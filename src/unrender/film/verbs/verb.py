"""A verb: how the parts of an object move over one cycle, or one run, as an attribute with its phase."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unrender.errors import UnrenderError
from unrender.film.verbs.cycle import cycle_of
from unrender.scene import reading

Array = NDArray[np.float64]

PHASES = 64  # at which a verb is kept
MOVES = 0.015  # of the object's size: what moves less, rests
SHARE = 0.2  # of what moves most: what moves less is not what the verb is about


@dataclass(frozen=True, eq=False)
class Verb:
    """What was learned from one clip. Phase 0 is the first frame of it."""

    symbol: str
    name: str
    cyclic: bool
    seconds: float  # of one cycle, or of the run, in the clip
    moves: Array  # (PHASES, P, 4): see `Limbs.moves`; of a run the last one is its end

    @property
    def key(self) -> str:
        """That of its record."""
        return f"{self.symbol}/{self.name}"

    @property
    def parts(self) -> list[int]:
        """The parts that it moves."""
        spread = _spread(self.moves)
        return [j for j in range(len(spread)) if spread[j] > max(MOVES, SHARE * float(spread.max()))]

    @property
    def energy(self) -> float:
        """The mean square by which its parts, all together, are from their mean places."""
        own = self.moves[:, self.parts]
        return float(((own - own.mean(0)) ** 2).sum((1, 2)).mean())

    def at(self, phase: float) -> Array:
        """(P, 4): where its parts are at a phase in [0, 1]."""
        count = len(self.moves)
        place = (phase % 1.0) * count if self.cyclic else min(max(phase, 0.0), 1.0) * (count - 1)
        low = int(place)
        high = (low + 1) % count if self.cyclic else min(low + 1, count - 1)
        found: Array = self.moves[low] * (low + 1 - place) + self.moves[high] * (place - low)
        return found

    @property
    def body(self) -> dict[str, Any]:
        """Plain JSON values, for the brain file."""
        return {
            "symbol": self.symbol,
            "name": self.name,
            "cyclic": self.cyclic,
            "seconds": self.seconds,
            "moves": self.moves.round(6).tolist(),
        }

    @classmethod
    def of(cls, body: dict[str, Any]) -> Verb:
        """From the JSON of `body`."""
        with reading.reading("A verb in the brain file is damaged"):
            moves = np.array(body["moves"], float)
            if (
                moves.ndim != 3
                or moves.shape[0] != PHASES
                or moves.shape[2] != 4
                or not np.isfinite(moves).all()
            ):
                raise ValueError("its moves are of another kind")
            seconds = reading.number(body["seconds"])
            return cls(
                reading.text(body["symbol"]), reading.text(body["name"]), bool(body["cyclic"]), seconds, moves
            )


def _spread(moves: Array) -> Array:
    """(P,): root mean square of how far each part is from its mean place."""
    found: Array = np.sqrt(((moves - moves.mean(0)) ** 2).sum(2).mean(0))
    return found


def learned(symbol: str, name: str, times: Array, moves: Array, fps: float) -> Verb:
    """The verb of one clip: moves (N, P, 4) at times (N,) in frames."""
    filled = _filled(times, moves)
    spread = _spread(filled)
    if len(times) < 4 or float(spread.max()) < MOVES:
        raise UnrenderError(
            f"No part of the {symbol} moves against the others in these frames, "
            f'so there is nothing to call "{name}".'
        )
    moving = spread > max(MOVES, SHARE * float(spread.max()))
    period = cycle_of(times, filled[:, moving].reshape(len(times), -1))
    if period is None:
        phases = times[0] + np.linspace(0, 1, PHASES) * (times[-1] - times[0])
        shown = _interpolated(times, filled, phases)
        length = float(times[-1] - times[0])
    else:
        shown, length = _folded(times - times[0], filled, period), period
    shown[:, ~moving] = filled[:, ~moving].mean(0)
    return Verb(symbol, name, period is not None, length / fps, shown)


def _filled(times: Array, moves: Array) -> Array:
    """Moves without gaps: where a part was hidden, between what was seen before and behind."""
    found = moves.copy()
    for j in range(moves.shape[1]):
        known = np.isfinite(moves[:, j, 0])
        for k in range(4):
            found[:, j, k] = np.interp(times, times[known], moves[known, j, k]) if known.any() else 0.0
    return found


def _interpolated(times: Array, moves: Array, at: Array) -> Array:
    flat = moves.reshape(len(times), -1)
    return np.stack([np.interp(at, times, column) for column in flat.T], 1).reshape(len(at), *moves.shape[1:])


def _folded(times: Array, moves: Array, period: float) -> Array:
    """One cycle (PHASES, P, 4) by the waves that fit all cycles best."""
    count = max(1, min(6, int(period / 2.5), (len(times) - 1) // 3))
    waves = _waves(times / period, count)
    flat = moves.reshape(len(times), -1)
    damped = waves.T @ waves + 1e-6 * len(times) * np.eye(waves.shape[1])
    rows = np.linalg.solve(damped, waves.T @ flat)
    found: Array = (_waves(np.arange(PHASES) / PHASES, count) @ rows).reshape(PHASES, *moves.shape[1:])
    return found


def _waves(turns: Array, count: int) -> Array:
    angle = 2 * math.pi * turns[:, None] * np.arange(1, count + 1)
    return np.concatenate([np.ones((len(turns), 1)), np.cos(angle), np.sin(angle)], 1)
