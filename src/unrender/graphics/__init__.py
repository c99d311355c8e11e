"""Signed distance functions, draw, compositing and masks, in differentiable batched torch."""
