"""Training γ of a primitive: pictures that `render` draws, and the fitting of a network to them.

Read `fit.py` first: quantiles -> synthesize (with effects) -> targets -> network -> weights -> export. Only
the network and what follows need torch, and none of it is needed to see.
"""
