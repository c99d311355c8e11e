"""Number: rules that repeat a part, learned from two counts, told for all. Read `copies.py` first."""
