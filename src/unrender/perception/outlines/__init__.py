"""Outlines and centre lines, cut into straight pieces and arcs."""
