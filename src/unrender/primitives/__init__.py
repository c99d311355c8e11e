"""Σ: the primitives, one file each, and what all of them have in common."""

from unrender.primitives.protocol import Primitive
from unrender.primitives.registry import find, register
from unrender.primitives.symmetry import Symmetry

__all__ = ["Primitive", "Symmetry", "find", "register"]
