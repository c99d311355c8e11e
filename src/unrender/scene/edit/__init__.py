"""Editing a scene: by hand, and by commands."""
