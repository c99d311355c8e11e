"""Changes the scene of a picture, in words or by hand, and draws it again: python edit.py"""

from pathlib import Path

import unrender

pictures = Path(__file__).parents[1] / "docs" / "pictures"
brain = unrender.open()
brain.teach(brain.see(pictures / "ship.png"), "ship")
scene = brain.see(pictures / "asteroids.png")
print(scene.edit("make all ships red", "square.1.size*=1.5", "remove circle.1"))
ship = next(thing for thing in scene.axioms if thing.symbol == "ship")
ship.rotation += 30  # all that it is made of turns with it
scene.save("edited.png")
