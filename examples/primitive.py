"""Adds a primitive of your own and draws it, alone and in a grammar: python primitive.py"""

from PIL import Image

from unrender import Grammar
from unrender.graphics.registry import primitive


@primitive("diamond", order=4)  # a quarter turn leaves it as it is
def diamond(x, y, a, b):  # type: ignore[no-untyped-def]
    """Signed distance (px) from points to the diamond with half sides a, b: negative inside."""
    return ((x.abs() * b + y.abs() * a) - a * b) / (a * a + b * b).sqrt()


ring = (
    "[ring] -> [circle] [diamond]\n    [diamond] y = -height / 2, height = 0.4 * height, width = 0.4 * width"
)
looks = {"size": (50, 50), "filled": 0, "thickness": 0.1, "green": 0.8, "rotation": 15}
Image.fromarray(Grammar.parse(ring).draw("ring", looks, canvas=(84, 84))).save("ring.png")
print("Wrote ring.png; to see diamonds as well: unrender train diamond")
