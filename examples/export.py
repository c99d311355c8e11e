"""Saves a scene for a drawing program, for the game engine Godot and for training: python export.py"""

from pathlib import Path

import unrender

scene = unrender.open().see(Path(__file__).parents[1] / "docs" / "pictures" / "ship.png")
for name in ("ship.svg", "ship.tscn", "ship.json", "ship.coco.json", "ship.png"):
    scene.save(name)  # the suffix says which format
    print(f"{name}: {Path(name).stat().st_size} bytes")
for row in scene.rows():  # for pandas: pandas.DataFrame(scene.rows())
    print(row["symbol"], row["x"], row["y"], row["width"], row["height"], row["rotation"])
