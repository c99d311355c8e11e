"""Films as files of other programs. Read `layers.py` first: what all formats are made of."""
