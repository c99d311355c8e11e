"""All parameters at once: the world is simulated through its contacts and fitted to what was seen.

Read `joint.py` first: `shots.py` says which parts of the film are simulated, `parameters.py` what is
fitted.
"""
