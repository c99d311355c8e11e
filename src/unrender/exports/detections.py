"""A scene as `supervision.Detections`, for filters, annotators, trackers and metrics of that library."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from unrender.errors import UnrenderError
from unrender.exports.masks import box
from unrender.exports.rows import rows
from unrender.scene import Scene

if TYPE_CHECKING:
    from supervision import Detections


def detections(scene: Scene) -> Detections:
    """One detection per observation, wholes and parts alike; `data` has the columns of `scene.rows()`.

    The box and the mask are those of the pixels that show; `class_id` counts the symbols in alphabetical
    order, `data["class_name"]` names them; `data["parent"]` is the index of the whole, -1 for an axiom.
    """
    try:
        from supervision import Detections
    except ImportError:
        raise UnrenderError(
            'This needs the package "supervision": install it with pip install "unrender[supervision]".'
        ) from None
    nodes, table = scene.observations, rows(scene)
    if not nodes:
        return Detections.empty()
    masks = np.stack([node.mask for node in nodes])
    corners = np.array([(x, y, x + w, y + h) for x, y, w, h in map(box, masks)], np.float32)
    symbols = sorted({node.symbol for node in nodes})
    tracks = [node.track for node in nodes]
    data: dict[str, Any] = {name: _column([row[name] for row in table]) for name in table[0]}
    data["class_name"] = data.pop("symbol")
    data["parent"] = np.nan_to_num(data["parent"], nan=-1).astype(int)
    return Detections(
        xyxy=corners,
        mask=masks,
        confidence=np.array([node.p for node in nodes], np.float32),
        class_id=np.array([symbols.index(node.symbol) for node in nodes]),
        tracker_id=None if None in tracks else np.array(tracks),
        data=data,
    )


def _column(values: list[Any]) -> NDArray[Any]:
    """Words as they are, numbers as numbers with NaN for what is missing."""
    if any(isinstance(value, str) for value in values):
        return np.array(values, object)
    return np.array([np.nan if value is None else value for value in values])
