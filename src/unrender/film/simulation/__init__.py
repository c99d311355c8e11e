"""Inverse simulation: the forces, contacts and bodies that explain how the things of a film move.

Read `infer.py` first. Inside, time is counted in frames; a `World` tells seconds.
"""
