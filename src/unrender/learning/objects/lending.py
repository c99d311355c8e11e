"""Lending: how much parts vary is learned once, and lent to new objects made of the same parts.

This is what the paper calls lifelong meta-learning: in a world whose wheels differ in size and whose arms are
raised, one example of a new object tells where its wheels and arms are, and all objects before it by how much
they may depart. Without it every new object would have to be seen again and again.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from unrender.capsules.network import Network
from unrender.capsules.poses import POSE, Floats
from unrender.capsules.route import Route

ENOUGH = 6  # further examples, of all objects that have such a part, from which something can be told
MOST = np.array([0.2, 0.2, 0.35, 0.35, 35.0])  # sides, log sides, degrees: standard deviations that are lent


def lent_spread(network: Network, symbols: Sequence[str]) -> tuple[tuple[float, ...], ...]:
    """(P, 5): the standard deviation of parts of these symbols in all objects that have been seen several
    times: place in sides of the whole, log sides, degrees. Nothing if too little is known of every one."""
    squares: dict[str, Floats] = {}
    freedom: dict[str, int] = {}
    wanted = set(symbols)
    for route in network.routes:
        if len(route.memory) < 2 or route.given is not None or not wanted & set(route.parts):
            continue
        off = _departures(route)
        for j, symbol in enumerate(route.parts):
            if symbol in wanted:
                squares[symbol] = squares.get(symbol, np.zeros(POSE)) + (off[:, j] ** 2).sum(0)
                freedom[symbol] = freedom.get(symbol, 0) + len(off) - 1
    known = {symbol for symbol, count in freedom.items() if count >= ENOUGH}
    if not known:
        return ()
    spread = {symbol: np.sqrt(squares[symbol] / freedom[symbol]).clip(max=MOST) for symbol in known}
    none = np.zeros(POSE)
    return tuple(tuple(float(value) for value in spread.get(symbol, none)) for symbol in symbols)


def _departures(route: Route) -> Floats:
    """(E, P, 5): by how much the parts of every example depart from the mean that memory expects."""
    off = route.unturned(route.rows - route.varied(route.inputs[:, route.owned])[1])[..., :POSE]
    round_ = np.array([not math.isfinite(period) or period == 0 for period in route.periods])
    off[:, round_, POSE - 1] = 0.0  # the turn of what looks the same however it is turned
    return off
