"""The outline of a primitive as polygons, for programs that know no curves."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from unrender.primitives.vector import regions
from unrender.render.layer import Layer

Ring = NDArray[np.float64]  # (N, 2) px in the shape's own frame: x right, y down, before rotation
Region = list[Ring]  # a closed line, then the holes in what it encloses


def outline(layer: Layer) -> list[Region]:
    """The boundary of a closed shape: exact for what has corners, else as fine as a picture can show. Of an
    open one each piece of its centre line."""
    rings = layer.rings()
    return regions(rings) if layer.primitive.closed else [[ring] for ring in rings]
