"""Routing: from observations of parts to the one parse of a picture."""
