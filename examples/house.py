"""Draws a street of the house in the paper's first figure, from its grammar: python house.py [house.png]"""

import sys
from pathlib import Path

from PIL import Image

from unrender.grammar import Grammar

grammar = Grammar.load(Path(__file__).with_name("house.grammar"))
print(grammar)
street = grammar.draw("house", {"position": (70, 80), "size": (100, 110), "red": 0.9}, canvas=(320, 160))
street = grammar.draw("house", {"position": (165, 90), "size": (60, 90), "wooden": 1}, canvas=street)
tilted = {"position": (255, 80), "size": (90, 100), "rotation": 15, "green": 0.6, "blue": 1}
street = grammar.draw("house", tilted, canvas=street)
Image.fromarray(street).save(sys.argv[1] if len(sys.argv) > 1 else "house.png")
