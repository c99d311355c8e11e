"""γ of the primitive capsules: first estimates of shapes from pixels, by small networks in ONNX Runtime.

Read `estimates.py` first: pyramid -> normalise -> views -> session -> decode -> colours.
"""
