"""Fitting g of a route ("Training Semantic Capsules"), from one example or from many.

In the parent's frame a whole that is only moved, turned or scaled stays the same, so T needs no samples.
What the network learns is how the parts depart from their mean with the form and the style of the whole;
U adds samples in which attributes that were never seen are invented, the same on all parts; attributes
that are the whole's own add samples of what lies between their examples. From one example all targets are
zero: g is then the stored example, carried along by the pose and the style of its whole.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from unrender.capsules.experience import Entry
from unrender.capsules.gamma import mean_attributes
from unrender.capsules.poses import Floats
from unrender.capsules.route import Route
from unrender.learning.objects.augment import one_coloured, restyle, unseen
from unrender.learning.objects.regression import fitted

INVENTED = 64  # samples that U adds
BLENDED = 192  # samples between the examples of attributes that are the whole's own


def samples(route: Route, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Inputs (N, 1 + S) and targets (N, P · (5 + S)): memory, memory restyled by U, and what lies between."""
    entries = list(route.memory)
    free = [name for name in unseen(route.memory, route.names) if name not in route.own]
    for _ in range(INVENTED if free else 0):
        entry = route.memory[int(rng.integers(len(route.memory)))]
        some = [name for name in free if rng.random() < 0.5]
        parts = restyle(entry.parts, {name: float(rng.random()) for name in some})
        looks = entry.whole.attributes | mean_attributes(parts)
        entries.append(Entry(tuple(parts), replace(entry.whole, attributes=looks)))
    first = route.framed(route.memory[0])
    rows = np.stack([route.framed(entry, first) for entry in entries])
    inputs = np.stack([route.told(entry.whole) for entry in entries])
    if route.own:
        between, off = blended(route, inputs, rows, rng)
        inputs, rows = np.concatenate([inputs, between]), np.concatenate([rows, off])
    base = route.bent(route.rest, inputs[:, route.owned], inputs[:, 0]) if route.joints else route.rest
    return inputs - route.inputs.mean(0), route.unturned(rows - base).reshape(len(rows), -1)


def blended(route: Route, inputs: Floats, rows: Floats, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """Samples with any values of the whole's own attributes, as memory's variation has them.

    Half of them in any style: what an attribute does to the parts is not the colour of its example.
    """
    which = rng.integers(len(inputs), size=BLENDED)
    own = rng.random((BLENDED, len(route.own)))
    (told, parts), (was, parts_were) = route.varied(own), route.varied(inputs[which][:, route.owned])
    between = inputs[which]
    between[:, 0] += (told - was)[:, 0]
    between[::2, 1:] = rng.random(between[::2, 1:].shape)
    if not route.bordered.any():  # what has no borders gets none
        one_coloured(between[:, 1:], route.names)
    between[:, route.owned] = own
    return between, rows[which] + parts - parts_were


def fit_decoder(route: Route, seed: int = 0) -> Route:
    """The route with its g trained: the 4-layer tanh network on all that memory and U give."""
    route = replace(route, hinged=True)
    inputs, targets = samples(route, np.random.default_rng(seed))
    unit = route.widths.reshape(-1)  # of its outputs: pixels beside degrees would not do
    network, parameters = fitted(inputs, targets / unit, seed)
    return replace(route, decoder=network.decoder(parameters, unit))
