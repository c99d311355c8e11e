"""Contacts: what hits what, and what that tells of walls, materials and masses.

`jolts.py`: the instants at which a velocity changes. `touches.py` explains each by another body or a wall
(`walls.py`: those that the blows tell; `room.py`: those that nothing has hit yet); `supports.py`: what lies
on what; `planes.py`: what passes behind what. `laws.py` and `friction.py` read restitution, masses and
friction from them.
"""
