"""Matching of drawings: how alike two pictures are if one may be bent as people bend what they draw.

Read `match.py` first; `classify.py` and `vary.py` are what a brain uses it for.
"""
