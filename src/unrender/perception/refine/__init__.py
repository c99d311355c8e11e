"""Refinement: one solver, with residuals of outlines and of pixels."""
