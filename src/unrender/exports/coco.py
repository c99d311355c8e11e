""".coco.json: every whole and every part as an annotation of COCO, with the mask of what shows of it."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unrender.exports.masks import box, packed, run_lengths
from unrender.exports.polygons import painted
from unrender.exports.registry import exporter
from unrender.exports.rows import rows
from unrender.primitives.trace import simplified
from unrender.scene import Observation, Scene
from unrender.scene.pixels import layer

FINE = 0.05  # px by which a polygon may miss the edge of a stroke


@exporter(".coco.json")
def coco(scene: Scene, name: str) -> str:
    """One image, `<name>.png`, a category per symbol, and an annotation per observation.

    Besides the fields of COCO an annotation has `parent_id` (0 for an axiom), `score` (p) and the pose and
    attributes. What is wholly hidden has the area 0. A stroke or a path of which everything shows is told by
    polygons, as people draw them; all else by run lengths, which know holes and what is hidden.
    """
    nodes = scene.observations
    symbols = {node.symbol: "object" if node.parts else "primitive" for node in nodes}
    categories = {symbol: i for i, symbol in enumerate(symbols, 1)}
    annotations = [
        _annotation(node, row, categories[node.symbol]) for node, row in zip(nodes, rows(scene), strict=True)
    ]
    data = {
        "info": {"description": name, "version": "1.0"},
        "licenses": [],
        "images": [{"id": 1, "file_name": f"{name}.png", "width": scene.width, "height": scene.height}],
        "categories": [
            {"id": i, "name": symbol, "supercategory": symbols[symbol]} for symbol, i in categories.items()
        ],
        "annotations": annotations,
    }
    return json.dumps(data, default=float) + "\n"


def _annotation(node: Observation, row: dict[str, Any], category: int) -> dict[str, Any]:
    mask = node.mask
    return {
        "id": row["id"] + 1,  # pycocotools takes 0 for none
        "image_id": 1,
        "category_id": category,
        "parent_id": 0 if row["parent"] is None else row["parent"] + 1,
        "iscrowd": 0,
        "area": int(mask.sum()),
        "bbox": box(mask),
        "segmentation": _polygons(node, mask)
        or {"size": list(mask.shape), "counts": packed(run_lengths(mask))},
        "score": node.p,
        "position": list(node.position),
        "size": list(node.size),
        "rotation": node.rotation,
        "route": node.route,
        "track_id": node.track,
        "attributes": node.attributes,
    }


def _polygons(node: Observation, mask: NDArray[np.bool_]) -> list[list[float]]:
    """x, y, x, y, ... (px) around each region that a stroke or a path paints; none if something hides or cuts
    it, or where it has holes, of which polygons of COCO know nothing."""
    if node.parts or not (mask == node.full_mask).all():
        return []
    own = layer(node)
    if own.primitive.closed and not own.primitive.formed and not own.primitive.strokelike:
        return []
    found, (tall, wide) = painted(own), mask.shape
    if any(len(region) > 1 or (region[0] < 0).any() or (region[0] > (wide, tall)).any() for region in found):
        return []
    return [simplified(ring, True, FINE).round(2).ravel().tolist() for (ring,) in found]
