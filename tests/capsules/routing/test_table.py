"""The observation table."""

import numpy as np

from unrender.capsules.routing.table import ObservationTable
from unrender.scene import Observation


def test_wholes_with_a_primitive_in_common_are_told() -> None:
    leaves = [Observation("circle", (10.0 * n, 5.0), (4.0, 4.0)) for n in range(4)]
    pairs = [
        Observation("pair", (10.0 * n + 5, 5.0), (14.0, 4.0), parts=[leaves[n], leaves[n + 1]])
        for n in range(3)
    ]
    table = ObservationTable([*leaves, *pairs])
    shared = table.shared("pair", "pair")
    assert shared is not None
    assert (shared == (abs(np.subtract.outer(range(3), range(3))) < 2)).all()
    part_of = table.shared("circle", "pair")
    assert part_of is not None
    assert part_of.tolist() == [
        [True, False, False],
        [True, True, False],
        [False, True, True],
        [False, False, True],
    ]
    assert table.shared("circle", "circle") is None
    table.add(Observation("pair", (35.0, 5.0), (14.0, 4.0), parts=[leaves[3], leaves[0]]))
    again = table.shared("pair", "pair")
    assert again is not None
    assert again.sum() == 12
