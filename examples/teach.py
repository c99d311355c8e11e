"""Teaches a ship from one picture, and finds it in another one: python teach.py"""

from pathlib import Path

import unrender

pictures = Path(__file__).parents[1] / "docs" / "pictures"
with unrender.open("ships.brain") as brain:  # one file, which keeps what was learned for good
    if "ship" not in brain.symbols:
        brain.teach(brain.see(pictures / "ship.png"), "ship")
    for thing in brain.see(pictures / "asteroids.png").axioms:
        if thing.symbol == "ship":
            print(f"A ship at {thing.position}, turned by {thing.rotation:.0f}°, p {thing.p:.2f}")
