"""unrender turns a picture back into the scene it was drawn from, and draws that scene again."""

from unrender.errors import UnrenderError
from unrender.scene import Observation, Scene

__all__ = ["Observation", "Scene", "UnrenderError"]
__version__ = "0.1.0"
