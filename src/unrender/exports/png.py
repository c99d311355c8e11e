""".png: the picture, drawn again from the graph."""

from __future__ import annotations

import io

from unrender.exports.registry import exporter
from unrender.scene import Scene


@exporter(".png")
def png(scene: Scene, name: str) -> bytes:
    """`scene.image`."""
    from PIL import Image

    buffer = io.BytesIO()
    Image.fromarray(scene.image).save(buffer, "PNG")
    return buffer.getvalue()
