"""Asks about a picture in English: python ask.py ["how many circles are there?"]"""

import sys
from pathlib import Path

import unrender

pictures = Path(__file__).parents[1] / "docs" / "pictures"
brain = unrender.open()
brain.teach(brain.see(pictures / "ship.png"), "ship")
scene = brain.see(pictures / "asteroids.png")
asked = sys.argv[1:] or ["how many circles are left of the largest ship?", "what colour is the largest ship?"]
for question in asked:
    answer = scene.ask(question)
    print(f"{question} {answer}", *answer.steps, sep="\n  ")
