"""Which primitives of a scene overlap."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from unrender.render.paint import paint
from unrender.scene import Scene
from unrender.scene.pixels import layer


def covers(scene: Scene) -> NDArray[np.bool_]:
    """bool (L, L): [i, j] says that primitive j lies in front of i and paints a pixel that i paints too.

    In the order of `scene.primitives`, which is the painting order.
    """
    painting = paint([layer(leaf) for leaf in scene.primitives], scene.background)
    edges = [(rows.start, rows.stop, columns.start, columns.stop) for rows, columns in painting.windows]
    top, bottom, left, right = np.array(edges, int).reshape(-1, 4).T
    meet = (np.maximum.outer(top, top) < np.minimum.outer(bottom, bottom)) & (
        np.maximum.outer(left, left) < np.minimum.outer(right, right)
    )
    found = np.zeros(meet.shape, bool)
    for i, j in np.argwhere(np.triu(meet, 1)):
        y0, y1 = max(top[i], top[j]), min(bottom[i], bottom[j])
        x0, x1 = max(left[i], left[j]), min(right[i], right[j])
        behind, before = (
            painting.full[k][y0 - top[k] : y1 - top[k], x0 - left[k] : x1 - left[k]] > 0 for k in (i, j)
        )
        found[i, j] = bool((behind & before).any())
    return found
