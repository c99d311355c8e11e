"""Counts the objects in a folder of pictures: python count.py folder"""

import sys
from collections import Counter
from pathlib import Path

import unrender

brain = unrender.open()
total: Counter[str] = Counter()
for path in sorted(Path(sys.argv[1]).glob("*.png")):
    found = Counter(thing.symbol for thing in brain.see(path).axioms)
    print(f"{path.name}: {dict(found)}")
    total += found
print(f"all: {dict(total)}")
