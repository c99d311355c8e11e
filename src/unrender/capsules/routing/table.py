"""The observation table Λ: all occurrences of every symbol in one image."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from unrender.capsules.equivalents import otherwise, retold
from unrender.capsules.poses import POSE, Floats, X, Y, pose_of
from unrender.scene import Observation
from unrender.scene.nearby import Nearby

ANOTHER = 5.0  # bits that are left over between two forms: then one is not the other


class ObservationTable:
    """Observations by symbol, with their poses as arrays and their places to be looked up.

    A new table is made for every pass. forms: parts that have a form, by their key (`retell.key`); under
    it stands every observation that may be one, in the pose at which that form draws it.
    """

    def __init__(
        self, nodes: Iterable[Observation] = (), forms: Mapping[str, Observation] | None = None
    ) -> None:
        self._forms = forms or {}
        self._nodes: dict[str, list[Observation]] = {}
        self._told: dict[str, list[Observation]] = {}  # the same, as they are compared
        self._poses: dict[str, Floats] = {}
        self._nearby: dict[str, Nearby] = {}
        self._shared: dict[tuple[str, str], NDArray[np.bool_]] = {}
        self._instead: dict[
            int, tuple[Observation, ...]
        ] = {}  # what a node told otherwise stands for, by its id
        for node in nodes:
            self.add(node)

    def add(self, node: Observation) -> None:
        """One more observation; what has no extent cannot be compared and is left out."""
        if min(node.size) <= 0:
            return
        self._put(node.symbol, node, node)
        other = otherwise(node) if not node.parts else None
        if other is not None:
            self.add_instead(other, (node,))
        self._put_forms(node)

    def add_instead(self, node: Observation, originals: tuple[Observation, ...]) -> None:
        """The same thing told otherwise: it stands for these observations."""
        self._instead[id(node)] = originals
        self._put(node.symbol, node, node)
        self._put_forms(node)
        other = otherwise(node)
        if other is not None and other.symbol not in {own.symbol for own in originals}:
            self._instead[id(other)] = originals
            self._put(other.symbol, other, other)

    def _put_forms(self, node: Observation) -> None:
        for key, known in self._forms.items():
            if known.symbol == node.symbol and node.form is not None:
                told, bits = retold(node, known)
                if bits < ANOTHER:
                    self._put(key, node, told)

    def _put(self, symbol: str, node: Observation, told: Observation) -> None:
        self._nodes.setdefault(symbol, []).append(node)
        self._told.setdefault(symbol, []).append(told)
        self._poses.pop(symbol, None)
        self._nearby.pop(symbol, None)
        self._shared = {pair: kept for pair, kept in self._shared.items() if symbol not in pair}

    def originals(self, node: Observation) -> tuple[Observation, ...]:
        """The observations that a node of this table stands for: itself, unless it was told otherwise."""
        return self._instead.get(id(node), (node,))

    def __contains__(self, symbol: str) -> bool:
        return symbol in self._nodes

    @property
    def symbols(self) -> set[str]:
        """What has been observed."""
        return set(self._nodes)

    def nodes(self, symbol: str) -> list[Observation]:
        """All observations of a symbol."""
        return self._nodes.get(symbol, [])

    def poses(self, symbol: str) -> Floats:
        """(N, 5): their poses."""
        if symbol not in self._poses:
            rows = [pose_of(node) for node in self._told.get(symbol, [])]
            self._poses[symbol] = np.stack(rows) if rows else np.zeros((0, POSE))
        return self._poses[symbol]

    def shared(self, one: str, other: str) -> NDArray[np.bool_] | None:
        """(N, M): whether observations of two symbols have a primitive in common, and so cannot stand beside
        one another; None if none have, unless they are the same one."""
        nodes = [*self.nodes(one), *self.nodes(other)]
        if not any(node.parts or id(node) in self._instead for node in nodes):
            return None
        if (one, other) not in self._shared:
            first, second = (self._leaves(symbol) for symbol in (one, other))
            common = [[not mine.isdisjoint(its) for its in second] for mine in first]
            self._shared[one, other] = np.array(common, dtype=bool).reshape(len(first), len(second))
        return self._shared[one, other]

    def _leaves(self, symbol: str) -> list[set[int]]:
        """The primitives that each observation consists of."""
        return [
            {id(own) for leaf in node.primitives for own in self.originals(leaf)}
            for node in self.nodes(symbol)
        ]

    def nearest(self, symbol: str, places: Floats, count: int) -> tuple[Floats, NDArray[np.int64]]:
        """The observations of a symbol nearest to each place (M, 2): distances and indices (M, count).

        Where there are fewer, the distance is infinite and the index 0.
        """
        if symbol not in self._nearby:
            self._nearby[symbol] = Nearby(self.poses(symbol)[:, [X, Y]])
        distance, index = self._nearby[symbol].nearest(places, count)
        return distance, np.where(np.isfinite(distance), index, 0)
