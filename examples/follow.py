"""Follows objects through a video: python follow.py [frames.mp4]"""

import sys

import numpy as np
from unrender.cli.video import frames

import unrender
from unrender.worlds import Asteroids

world = Asteroids(128, 128, ships=(0, 0), loose=(2, 2), asteroids=(0, 0))
made = (picture.image for picture in world.sequence(np.random.default_rng(4), 5))
brain, scene = unrender.open(), None
for number, frame in enumerate(frames(sys.argv[1]) if len(sys.argv) > 1 else made):
    scene = brain.see(frame, after=scene)  # the same object has the same track in every frame
    for thing in scene.axioms:
        print(f"frame {number}: {thing.symbol} {thing.track} at {thing.position}, moving by {thing.velocity}")
