"""Verbs: attributes that change over time and describe new poses for the parts. Read `verb.py` first."""
