"""Running a world: what follows the film, and what would have happened otherwise.

`simulator.py` steps a world with pymunk, `otherwise.py` runs it on or again with a change, `replay.py`
completes the motions of a film by it, `events.py` runs what is unsure several times.
"""
