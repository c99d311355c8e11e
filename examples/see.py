"""Sees a picture, prints what is in it, and draws it again: python see.py [picture.png]"""

import sys
from pathlib import Path

from PIL import Image

import unrender

picture = sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parents[1] / "docs/pictures/asteroids.png"
scene = unrender.open().see(picture)
for thing in scene.axioms:
    print(f"{thing.symbol} at {thing.position}, turned by {thing.rotation:.0f}°, p {thing.p:.2f}")
print(scene.describe())
Image.fromarray(scene.image).save("redrawn.png")
