"""g of a semantic capsule: the 4-layer tanh regression network, applied without torch.

A route has a handful of parts, so a few small matrix products are all there is to do; training lives in
`unrender.learning.objects.decode`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

LAYERS = 4


@dataclass(frozen=True)
class Decoder:
    """Layers of weights (outputs, inputs) and biases (outputs,): tanh after all but the last."""

    weights: tuple[NDArray[np.float32], ...]
    biases: tuple[NDArray[np.float32], ...]

    def __call__(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """(..., inputs) -> (..., outputs)."""
        for i, (weight, bias) in enumerate(zip(self.weights, self.biases, strict=True)):
            values = values @ weight.T.astype(np.float64) + bias
            if i + 1 < len(self.weights):
                values = np.tanh(values)
        return values

    def tensors(self) -> dict[str, NDArray[np.float32]]:
        """By name, as they are stored."""
        named = {f"{i}.weight": weight for i, weight in enumerate(self.weights)}
        return named | {f"{i}.bias": bias for i, bias in enumerate(self.biases)}

    @classmethod
    def of(cls, tensors: Mapping[str, NDArray[np.float32]]) -> Decoder:
        """From `tensors()`."""
        layers = range(len(tensors) // 2)
        return cls(tuple(tensors[f"{i}.weight"] for i in layers), tuple(tensors[f"{i}.bias"] for i in layers))
