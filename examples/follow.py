"""Follows objects through a film: python follow.py [frames.mp4]"""

import sys

import numpy as np

import unrender
from unrender.worlds import Asteroids

world = Asteroids(128, 128, ships=(0, 0), loose=(2, 2), asteroids=(0, 0))
made = (picture.image for picture in world.sequence(np.random.default_rng(4), 5))
film = unrender.open().watch(sys.argv[1] if len(sys.argv) > 1 else made)
for track in film.tracks:  # the same object has the same track in every frame
    for number, thing in track.observations.items():
        print(
            f"frame {number}: {thing.symbol} {track.number} at {thing.position}, moving by {thing.velocity}"
        )
print(film.describe())
