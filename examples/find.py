"""Finds an object, shown once, in many pictures, the surest first: python find.py example.png folder"""

import sys
from pathlib import Path

import unrender

example, folder = sys.argv[1:]
brain = unrender.open()
brain.teach(brain.see(example), "wanted")
hits = [
    (thing.p, path.name, thing.position)
    for path in sorted(Path(folder).glob("*.png"))
    for thing in brain.see(path).axioms
    if thing.symbol == "wanted"
]
for p, name, (x, y) in sorted(hits, reverse=True):
    print(f"{p:.3f}  {name}  at {x:.0f}, {y:.0f}")
