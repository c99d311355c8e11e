"""Dashed strokes: equal pieces at equal gaps along one line. Read `propose.py` first."""
