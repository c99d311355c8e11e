"""Proposals: moves that may make an interpretation shorter."""
