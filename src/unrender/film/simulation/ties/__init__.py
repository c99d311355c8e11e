"""Springs and rods, which need not be drawn.

`springs.py` decides which there are. `anchored.py` and `paired.py` fit those to a point and those between
two bodies, by integrating the motion (`shooting.py`); `tie.py` is what they find.
"""
