"""The scene graph."""

from unrender.scene.graph import Scene
from unrender.scene.observation import Observation

__all__ = ["Observation", "Scene"]
