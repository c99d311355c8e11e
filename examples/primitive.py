"""Adds a primitive of your own and draws it in a grammar: python primitive.py"""

import numpy as np
from PIL import Image

from unrender import Grammar
from unrender.primitives import Primitive, Symmetry, register


def field(x, y, a, b, own, signed, nx, ny):  # type: ignore[no-untyped-def]
    """Signed distance (px) of points to the diamond with half sides a, b, and the direction it grows in."""
    for i, j in np.ndindex(x.shape):
        p, q, far = np.copysign(b[i], x[i, j]), np.copysign(a[i], y[i, j]), np.hypot(a[i], b[i])
        nx[i, j], ny[i, j], signed[i, j] = p / far, q / far, (p * x[i, j] + q * y[i, j] - a[i] * b[i]) / far


register(Primitive("diamond", field, Symmetry(turns=2, even=4, swaps=True)))  # a quarter turn: the same
ring = Grammar.parse("[ring] -> [circle] [diamond]\n    [diamond] y = -height / 2, height = 0.4 * height")
looks = {"size": (50, 50), "filled": 0, "thickness": 0.1, "green": 0.8, "rotation": 15}
Image.fromarray(ring.draw("ring", looks, canvas=(84, 84))).save("ring.png")
