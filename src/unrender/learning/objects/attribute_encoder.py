"""Fitting γ_new ("New Attributes and Re-Training"): a whole's own attributes, from its parts.

g has been trained with γ_old ⊕ α_new by then. It now draws the parts of wholes with any α_new, and γ_new, a
regression model that runs in parallel to γ_old, learns to tell α_new from them.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from unrender.capsules.experience import Entry
from unrender.capsules.poses import POSE, Floats
from unrender.capsules.route import Route
from unrender.learning.objects.decode import blended
from unrender.learning.objects.regression import fitted

SAMPLES = 384
POSE_NOISE, STYLE_NOISE = 0.05, 0.3  # in units of the windows: γ_new is to rely on what stands out


def samples(route: Route, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Parts in their frame (N, P · (5 + S)), and the own attributes (N, A) of the whole that g drew."""
    top = route.memory[0].whole
    told = np.concatenate([blended(route, route.inputs, route.rows, rng)[0] for _ in range(2)])[:SAMPLES]
    told = np.concatenate([told, route.inputs])
    drawn = []
    for row in told:
        sides = (float(np.exp(-row[0] / 2)), float(np.exp(row[0] / 2)))
        looks = dict(zip(route.names, row[1:].tolist(), strict=True))
        parts = route.decode(replace(top, position=(0.0, 0.0), rotation=0.0, size=sides, attributes=looks))
        drawn.append(route.offsets(Entry(tuple(parts), route.encode(parts, 0.0))))
    seen = np.array(drawn).reshape(len(told), len(route.parts), -1)
    noise = np.full(seen.shape[-1], STYLE_NOISE)
    noise[:POSE] = POSE_NOISE
    seen += noise * rng.standard_normal(seen.shape)
    return seen.reshape(len(told), -1), told[:, route.owned]


def fit_noticer(route: Route, seed: int = 0) -> Route:
    """The route with its γ_new trained from its g; without attributes of its own it has none."""
    if not route.own:
        return replace(route, noticer=None)
    seen, own = samples(replace(route, noticer=None), np.random.default_rng(seed))
    network, parameters = fitted(seen, own, seed)
    return replace(route, noticer=network.decoder(parameters))
