"""Scenes as files of other programs: one format per module, found by its suffix."""
