"""A world in words: descriptions, and answers about what happens, would happen, and why.

`questions.py` finds out what is asked, `replies.py` answers from runs of the world, `telling.py` has the
words; `causes.py` knows why a body moves, `what_if.py` reads changes, `describe.py` tells the whole
world.
"""
