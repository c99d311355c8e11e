"""Motion between contacts: what gravity and drag do to a body that nothing touches.

`stretches.py` cuts a trajectory where something hits the body; `forces.py` finds the field under which
the stretches of all bodies cost the fewest bits.
"""
