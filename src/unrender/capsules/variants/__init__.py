"""Mirror images and other proportions of known objects, learned from examples. Read `variants.py` first."""
