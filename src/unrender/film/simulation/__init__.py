"""Inverse simulation: the forces, contacts and bodies that explain how the things of a film move.

`infer.py` is the whole way from trajectories to a `World` (`world.py`), on one screen; `drawn.py` goes
from a film to its world, and from what the world does back to films. The folders in the order in which
they are used: `bodies` what was seen, `free` gravity and drag, `ties` springs and rods, `contacts` blows,
walls and materials, `fit` all of it together, `run` the world going on or otherwise, `answers` words.
`godot.py` writes it to a file.

Inside, time is counted in frames; a `World` tells seconds.
"""
