"""Writes a grammar, draws what it describes, and sees it again by that grammar: python grammar.py"""

import unrender

text = """
[lamp] -> [square] [circle]
    [square] y = 0.25 * height, width = 0.4 * width, height = 0.5 * height
    [circle] y = -0.3 * height, height = 0.4 * height
"""
brain = unrender.open()
brain.learn_grammar(text)
picture = brain.draw("lamp", position=(48, 48), size=(50, 80), rotation=20, red=1, green=0.8)
(lamp,) = brain.see(picture).axioms
print(brain.grammar)
print(f"A {lamp.symbol} at {lamp.position}, turned by {lamp.rotation:.1f}°, of {len(lamp.parts)} parts")
