"""Scenes whose true graph is known: for training, for measuring and for showing."""

from unrender.worlds.asteroids import Asteroids, Picture
from unrender.worlds.characters import Characters
from unrender.worlds.drawings import Drawings

__all__ = ["Asteroids", "Characters", "Drawings", "Picture"]
