"""Capsules: symbols of the grammar, inverted."""
