"""Painting a tree in document order, as SVG does, although its shapes may interleave in depth.

Order matters only where shapes overlap. So siblings are put into an order in which as few overlapping shapes
as possible come out wrong: none, unless two objects reach in front of each other. The shapes that are left
are lifted: they are painted after the whole tree, back to front, and so is all that lies in front of them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from unrender.scene import Observation, Scene


class PaintingOrder:
    """In which order the nodes of a scene are written, and which primitives are lifted.

    covers: bool (L, L), see `layers.covers`.
    """

    def __init__(self, scene: Scene, covers: NDArray[np.bool_]) -> None:
        self._rank = {id(leaf): i for i, leaf in enumerate(scene.primitives)}
        self._covers = covers
        self._pairs = np.argwhere(covers)
        self.axioms = self.siblings(scene.axioms)
        self.lifted: list[Observation] = self._lifted(scene)  # back to front

    def siblings(self, nodes: Sequence[Observation]) -> list[Observation]:
        """Parts of one whole, back to front as far as there is such an order."""
        owner = {self._rank[id(leaf)]: k for k, node in enumerate(nodes) for leaf in node.primitives}
        behind: list[set[int]] = [set() for _ in nodes]
        for i, j in self._pairs:
            low, high = owner.get(i), owner.get(j)
            if low is not None and high is not None and low != high:
                behind[high].add(low)
        backmost = [min(self._rank[id(leaf)] for leaf in node.primitives) for node in nodes]
        left = dict.fromkeys(sorted(range(len(nodes)), key=backmost.__getitem__))
        order: list[Observation] = []
        while left:
            free = next((k for k in left if behind[k].isdisjoint(left)), next(iter(left)))
            del left[free]
            order.append(nodes[free])
        return order

    def _lifted(self, scene: Scene) -> list[Observation]:
        written = [self._rank[id(leaf)] for axiom in self.axioms for leaf in self._leaves(axiom)]
        place = np.empty(len(written), int)
        place[written] = np.arange(len(written))
        lifted = np.zeros(len(written), bool)
        for j in range(len(written)):
            under = np.flatnonzero(self._covers[:, j])
            lifted[j] = bool((lifted[under] | (place[under] > place[j])).any())
        return [leaf for leaf, up in zip(scene.primitives, lifted, strict=True) if up]

    def _leaves(self, node: Observation) -> list[Observation]:
        """The primitives of a tree in the order in which they are written."""
        if not node.parts:
            return [node]
        return [leaf for part in self.siblings(node.parts) for leaf in self._leaves(part)]
