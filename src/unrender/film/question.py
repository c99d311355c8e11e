"""What the agent asks about a film: motion that no verb covers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from unrender.capsules.network import Network
from unrender.film.film import Film
from unrender.film.track import Track
from unrender.film.verbs.cycle import cycle_of
from unrender.film.verbs.naming import moves_of
from unrender.film.verbs.verb import MOVES, SHARE
from unrender.scene.language.words import listed, noun, plural

FEWEST = 8  # frames of a motion that is asked about
LIVELY = 2.0  # times what rests: how much a part must move to be asked about


@dataclass(frozen=True, eq=False)
class FilmQuestion:
    """A motion that wants a word: `brain.answer(question, "wave")` teaches it."""

    film: Film
    track: Track
    start: int
    end: int
    text: str

    def __str__(self) -> str:
        return self.text


def question_about(film: Film, network: Network) -> FilmQuestion | None:
    """The question about the liveliest motion of a known object that no verb covers, if there is any."""
    best, most = None, LIVELY * MOVES
    for track in film.tracks:
        if track.symbol not in network.capsules:
            continue
        found = moves_of(film, track, network)
        told = {part for doing in film.doings.get(track.number, []) for part in doing.parts}
        free = [j for j in range(found.moves.shape[1]) if j not in told]
        if len(found.frames) < FEWEST or not free:
            continue
        own = np.nan_to_num(found.moves[:, free])
        spread = np.sqrt(((own - own.mean(0)) ** 2).sum(2).mean(0))
        if spread.max() > most:
            most = float(spread.max())
            moving = [free[k] for k in np.flatnonzero(spread > max(MOVES, SHARE * most))]
            again = cycle_of(found.frames.astype(float), own.reshape(len(own), -1)) is not None
            parts = [network.capsules[track.symbol].routes[0].parts[j] for j in moving]
            best = FilmQuestion(
                film, track, int(found.frames[0]), int(found.frames[-1]), _text(track.symbol, parts, again)
            )
    return best


def _text(symbol: str, parts: list[str], again: bool) -> str:
    """ "The robot moves its arm again and again. What verb describes this?" """
    kinds = {part: parts.count(part) for part in parts}
    told = listed([noun(kind) if count == 1 else plural(noun(kind)) for kind, count in kinds.items()])
    how = " again and again" if again else ""
    return f"The {noun(symbol)} moves its {told}{how}. What verb describes this?"
