"""Perception: pixels become primitives. Begin with `pipeline.py`."""
