"""Small regression networks, four layers with tanh between them, trained in numpy.

g of a route, the paper's plain g and the encoders of attributes have a few thousand weights and a few hundred
samples: a pass forward and one back are a dozen matrix products, which are written out here.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from unrender.capsules.decoder import LAYERS, Decoder

HIDDEN = 32
STEPS = 200
ENOUGH = 1e-5  # mean squared error below which nothing is left to learn
DECAYS, TINY = (0.9, 0.999), 1e-8  # of Adam

Singles = NDArray[np.float32]
Layer = tuple[Singles, Singles]
"""Weights (outputs, inputs) and biases (outputs,)."""


@dataclass(frozen=True, eq=False)
class Regression:
    """The shape of a network. Its parameters are one vector, so that any optimiser can move them."""

    sizes: tuple[int, ...]  # of the inputs, of the hidden layers, of the outputs

    @classmethod
    def of(cls, inputs: int, outputs: int, hidden: int = HIDDEN) -> Regression:
        """Four layers."""
        return cls((inputs, *[hidden] * (LAYERS - 1), outputs))

    @cached_property
    def count(self) -> int:
        """How many parameters there are."""
        return sum((inputs + 1) * outputs for inputs, outputs in pairwise(self.sizes))

    def layers(self, parameters: Singles) -> list[Layer]:
        """The vector (count,), looked at as layers."""
        found: list[Layer] = []
        at = 0
        for inputs, outputs in pairwise(self.sizes):
            weights = parameters[at : at + inputs * outputs].reshape(outputs, inputs)
            at += inputs * outputs
            found.append((weights, parameters[at : at + outputs]))
            at += outputs
        return found

    def start(self, seed: int) -> Singles:
        """Parameters to begin with, evenly within 1 / √inputs; the last layer says 0, the mean of memory."""
        rng = np.random.default_rng(seed)
        parameters = np.zeros(self.count, np.float32)
        for weights, biases in self.layers(parameters)[:-1]:
            bound = 1 / math.sqrt(weights.shape[1])
            weights[:], biases[:] = (rng.uniform(-bound, bound, own.shape) for own in (weights, biases))
        return parameters

    def loss(self, parameters: Singles, inputs: Singles, targets: Singles) -> tuple[float, Singles]:
        """The mean squared error over samples (N, I) with targets (N, O), and its gradient (count,)."""
        layers = self.layers(parameters)
        active = [inputs]
        for k, (weights, biases) in enumerate(layers):
            said = active[-1] @ weights.T
            said += biases
            active.append(np.tanh(said, out=said) if k + 1 < len(layers) else said)
        off = active.pop() - targets
        gradient = np.empty_like(parameters)
        slopes = self.layers(gradient)
        flowing = off * np.float32(2 / off.size)
        for k in reversed(range(len(layers))):
            np.matmul(flowing.T, active[k], out=slopes[k][0])
            flowing.sum(0, out=slopes[k][1])
            if k:
                flowing = flowing @ layers[k][0]
                flowing *= 1 - active[k] ** 2
        return float(np.vdot(off, off)) / off.size, gradient

    def decoder(self, parameters: Singles, unit: NDArray[np.floating] | float = 1.0) -> Decoder:
        """The trained network, its outputs multiplied by `unit`, a number or one for each (O,)."""
        weights, biases = zip(*((w.copy(), b.copy()) for w, b in self.layers(parameters)), strict=True)
        last = (weights[-1].T * unit).T.astype(np.float32)
        return Decoder((*weights[:-1], last), (*biases[:-1], (biases[-1] * unit).astype(np.float32)))


def fitted(
    inputs: NDArray[np.float64], targets: NDArray[np.float64], seed: int
) -> tuple[Regression, Singles]:
    """A network for samples (N, I) with targets (N, O) that never change, and its parameters: L-BFGS."""
    network = Regression.of(inputs.shape[1], targets.shape[1])
    x, y = inputs.astype(np.float32), targets.astype(np.float32)

    def evaluate(values: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        loss, gradient = network.loss(values.astype(np.float32), x, y)
        return loss, gradient.astype(np.float64)

    start = network.start(seed)
    if network.loss(start, x, y)[0] <= ENOUGH:
        return network, start
    from scipy.optimize import minimize

    found = minimize(
        evaluate, start.astype(np.float64), jac=True, method="L-BFGS-B", options={"maxiter": STEPS}
    )
    return network, found.x.astype(np.float32)


def descended(
    network: Regression,
    seed: int,
    batch: Callable[[], tuple[Singles, Singles]],
    steps: int,
    rate: float,
) -> Singles:
    """Parameters after so many steps of Adam, each on a fresh batch of samples; the rate falls to 0 as a
    cosine does."""
    parameters = network.start(seed)
    mean, square = np.zeros_like(parameters), np.zeros_like(parameters)
    for step in range(steps):
        gradient = network.loss(parameters, *batch())[1]
        mean += np.float32(1 - DECAYS[0]) * (gradient - mean)
        square += np.float32(1 - DECAYS[1]) * (gradient**2 - square)
        now = rate * (1 + math.cos(math.pi * step / steps)) / 2
        lengthened = np.sqrt(square / np.float32(1 - DECAYS[1] ** (step + 1))) + np.float32(TINY)
        parameters -= np.float32(now / (1 - DECAYS[0] ** (step + 1))) * mean / lengthened
    return parameters
