"""Fitting g of a route ("Training Semantic Capsules"), from one example or from many.

In the parent's frame a whole that is only moved, turned or scaled stays the same, so T needs no samples.
What the network learns is how the parts depart from their mean with the form and the style of the whole;
U adds samples in which attributes that were never seen are invented, the same on all parts; attributes
that are the whole's own add samples of what lies between their examples.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.optimize import minimize
from torch import Tensor, nn
from torch.nn.utils import parameters_to_vector, skip_init, vector_to_parameters

from unrender.capsules.decoder import LAYERS, Decoder
from unrender.capsules.experience import Entry
from unrender.capsules.poses import Floats
from unrender.capsules.route import Route
from unrender.capsules.threads import one_thread
from unrender.capsules.wholes import mean_attributes
from unrender.training.augment import one_coloured, restyle, unseen

HIDDEN = 32
INVENTED = 64  # samples that U adds
BLENDED = 192  # samples between the examples of attributes that are the whole's own
STEPS = 200
ENOUGH = 1e-5  # mean squared error in units of the windows


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
    return inputs - route.inputs.mean(0), (rows - route.rest).reshape(len(rows), -1)


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
    inputs, targets = samples(route, np.random.default_rng(seed))
    x, y = torch.tensor(inputs, dtype=torch.float32), torch.tensor(targets, dtype=torch.float32)
    unit = torch.tensor(route.widths.reshape(-1), dtype=torch.float32)
    net = network(x.shape[1], y.shape[1], seed)
    wanted = y / unit  # the network learns in units of the windows, pixels beside degrees would not do
    with one_thread():
        minimise(net, lambda: (net(x) - wanted).square().mean())
    return replace(route, decoder=as_decoder(net, unit.numpy()))


def minimise(net: nn.Module, loss: Callable[[], Tensor]) -> None:
    """Fit a small network to a loss that never changes, by L-BFGS."""
    parameters = list(net.parameters())

    def evaluate(values: Floats) -> tuple[float, Floats]:
        vector_to_parameters(torch.tensor(values, dtype=torch.float32), parameters)
        value = loss()
        slopes = torch.autograd.grad(value, parameters)
        return float(value.detach()), parameters_to_vector(slopes).double().numpy()

    start = parameters_to_vector(parameters).detach().double().numpy()
    if evaluate(start)[0] > ENOUGH:
        found = minimize(evaluate, start, jac=True, method="L-BFGS-B", options={"maxiter": STEPS})
        vector_to_parameters(torch.tensor(found.x, dtype=torch.float32), parameters)


def network(inputs: int, outputs: int, seed: int, hidden: int = HIDDEN) -> nn.Sequential:
    """Four layers with tanh between them; it starts by saying 0, which is the mean of memory."""
    rng = torch.Generator().manual_seed(seed)
    sizes = [inputs, *[hidden] * (LAYERS - 1), outputs]
    layers: list[nn.Module] = []
    for i in range(LAYERS):
        layers += [_linear(sizes[i], sizes[i + 1], rng), nn.Tanh()]
    last = layers[-2]
    assert isinstance(last, nn.Linear)
    nn.init.zeros_(last.weight)
    nn.init.zeros_(last.bias)
    return nn.Sequential(*layers[:-1])


def _linear(inputs: int, outputs: int, rng: torch.Generator) -> nn.Linear:
    """A layer as torch begins it, drawn from `rng`: the generator of the program belongs to its author."""
    layer: nn.Linear = skip_init(nn.Linear, inputs, outputs)
    bound = 1 / math.sqrt(inputs)
    nn.init.uniform_(layer.weight, -bound, bound, rng)
    nn.init.uniform_(layer.bias, -bound, bound, rng)
    return layer


def as_decoder(net: nn.Sequential, unit: NDArray[np.float32] | float = 1.0) -> Decoder:
    """The trained layers without torch, their outputs multiplied by `unit`."""
    linear = [layer for layer in net if isinstance(layer, nn.Linear)]
    weights = [layer.weight.detach().numpy().copy() for layer in linear]
    biases = [layer.bias.detach().numpy().copy() for layer in linear]
    weights[-1] = (weights[-1].T * unit).T.astype(np.float32)
    biases[-1] = (biases[-1] * unit).astype(np.float32)
    return Decoder(tuple(weights), tuple(biases))
