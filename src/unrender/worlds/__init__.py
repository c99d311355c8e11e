"""Scenes whose true graph is known: for training, for measuring and for showing."""

from unrender.worlds.asteroids import Asteroids, Picture

__all__ = ["Asteroids", "Picture"]
