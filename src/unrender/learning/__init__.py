"""Synthesised pictures, effects and the fitting of primitive capsules."""
