"""One parse: of rival explanations of the same observations, the consistent set that agrees the most."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from unrender.scene import Observation

NAMED = 0.05  # what a name is worth, where nothing else is won


def worth(whole: Observation) -> float:
    """How much an explanation adds: the agreement of its parts, less the one thing they become."""
    return max(whole.p * (len(whole.parts) + len(whole.hidden)) - 1.0, NAMED * whole.p)


def parse(
    wholes: Sequence[Observation],
    bits: Mapping[int, float] | None = None,
    retold: Mapping[int, Sequence[Observation]] | None = None,
) -> list[Observation]:
    """Those of `wholes` that hold together: every observation is a part of at most one of them.

    Each chosen one gets what it competed with as its `rivals`. bits: what each saves, by its id; else its
    agreement decides. retold: further observations that each takes the place of, by its id.
    """
    users: dict[int, list[int]] = {}
    for i, whole in enumerate(wholes):
        for part in (*whole.parts, *(retold or {}).get(id(whole), ())):
            users.setdefault(id(part), []).append(i)
    place = {id(whole): i for i, whole in enumerate(wholes)}
    needs = [
        (i, place[id(part)]) for i, whole in enumerate(wholes) for part in whole.parts if id(part) in place
    ]
    clashes = [own for own in users.values() if len(own) > 1]
    taken = (
        np.ones(len(wholes), bool)
        if not clashes
        else _settle([(bits or {}).get(id(whole), worth(whole)) for whole in wholes], clashes, needs)
    )
    chosen = [whole for i, whole in enumerate(wholes) if taken[i]]
    leaves = {id(whole): {id(leaf) for leaf in whole.primitives} for whole in wholes}
    for i, loser in enumerate(wholes):
        if not taken[i]:
            loser.parts = [_copied(part) for part in loser.parts]
    for whole in chosen:
        whole.rivals = [
            other for i, other in enumerate(wholes) if not taken[i] and leaves[id(whole)] & leaves[id(other)]
        ]
    return chosen


def _copied(node: Observation) -> Observation:
    """The same tree, its leaves shared: a chosen whole in it would have rivals, and these it again."""
    return replace(node, parts=[_copied(part) for part in node.parts]) if node.parts else node


def _settle(
    worths: Sequence[float], clashes: Sequence[list[int]], needs: Sequence[tuple[int, int]]
) -> NDArray[np.bool_]:
    """bool (N,): the choice with the greatest total worth, by integer programming."""
    rows, columns, values, upper = [], [], [], []
    for r, users in enumerate(clashes):
        rows += [r] * len(users)
        columns += users
        values += [1.0] * len(users)
        upper.append(1.0)
    for r, (whole, part) in enumerate(needs, len(clashes)):  # a whole needs its parts
        rows += [r, r]
        columns += [whole, part]
        values += [1.0, -1.0]
        upper.append(0.0)
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csr_matrix

    matrix = csr_matrix((values, (rows, columns)), shape=(len(upper), len(worths)))
    cost = [-own for own in worths]
    found = milp(
        cost,
        integrality=np.ones(len(worths)),
        bounds=Bounds(0, 1),
        constraints=LinearConstraint(matrix, -np.inf, upper),
    )
    return np.asarray(found.x) > 0.5
