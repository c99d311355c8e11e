"""Brain: see and draw. Thin: it only connects the rooms below."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from numpy.typing import NDArray

from unrender.errors import UnrenderError
from unrender.scene import Scene

MEMORY = ":memory:"


class Brain:
    """Everything that is known. Open one with `unrender.open`."""

    def see(self, image: Any) -> Scene:
        """The scene that `image` was drawn from.

        image: a path, a PIL image, or a numpy array HxW, HxWx3 or HxWx4 (uint8, or float in 0..1).
        """
        from unrender.capsules.library import shipped
        from unrender.capsules.observe import observe
        from unrender.scene.picture import read_picture

        return observe(read_picture(image), shipped())

    def draw(
        self,
        symbol: str,
        *,
        canvas: tuple[int, int] | NDArray[np.uint8] = (84, 84),
        **attributes: Any,
    ) -> NDArray[np.uint8]:
        """uint8 HxWx3: `symbol` with these attributes on a canvas (width, height), or on a picture.

        position=(x, y), size=(w, h), rotation=degrees, red=1.0 and so on; what is missing has its default.
        """
        from unrender.grammar import Grammar

        return Grammar.parse("").draw(symbol, attributes, canvas)


def open(path: str | os.PathLike[str] = MEMORY) -> Brain:
    """A brain that lives as long as the program (":memory:")."""
    if os.fspath(path) != MEMORY:
        raise UnrenderError('A brain cannot be kept in a file yet; open ":memory:".')
    return Brain()
