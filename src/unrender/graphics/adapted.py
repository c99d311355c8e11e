"""Primitives of `unrender.primitives`, told to the old seer: the same field, in torch and in float32."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import torch
from torch import Tensor

from unrender.graphics.quantile import log_uniform
from unrender.graphics.registry import Distance, Normal, Primitive
from unrender.primitives.protocol import Primitive as Drawn

STEP = 1e-4  # px, or of an own parameter: how far each is tried for its gradient


@dataclass(frozen=True)
class Adapted(Primitive):
    """A primitive of which only the field is known."""

    drawn: Drawn | None = None

    @cached_property
    def compiled_normal(self) -> Normal | None:
        """The field itself, if it needs nothing but the sides."""
        assert self.drawn is not None
        if self.drawn.own:
            return None
        field, fixed = self.drawn.compiled_field, np.array(self.drawn.fixed, float)

        def normal(x: Any, y: Any, a: Any, b: Any, signed: Any, nx: Any, ny: Any) -> None:
            found = np.empty((3, *x.shape))
            rows = np.tile(fixed, (len(x), 1))
            field(x.astype(float), y.astype(float), a.astype(float), b.astype(float), rows, *found)
            signed[:], nx[:], ny[:] = found

        return normal


@lru_cache
def adapted(drawn: Drawn) -> Primitive:
    """The same primitive as the old registry knows it."""
    quantiles = {} if drawn.aspects is None else {"aspect": log_uniform(*drawn.aspects)}
    return Adapted(drawn.name, _distance(drawn), drawn.symmetry.even, drawn.own, quantiles, drawn=drawn)


def _distance(drawn: Drawn) -> Distance:
    def distance(*arguments: Tensor) -> Tensor:
        apply: Callable[..., Tensor] = _Distance.apply
        return apply(drawn, *torch.broadcast_tensors(*arguments))

    distance.__module__ = drawn.field.__module__  # beside which its weights lie
    return distance


class _Distance(torch.autograd.Function):
    """The signed distance, all arguments of one shape (...); the gradient by the sides is found by trying."""

    @staticmethod
    def forward(ctx: Any, drawn: Drawn, *arguments: Tensor) -> Tensor:
        signed, *slopes = _measured(drawn, arguments)
        for k in range(2, len(arguments) if any(own.requires_grad for own in arguments) else 0):
            moved = [own + STEP * (n == k) for n, own in enumerate(arguments)]
            slopes.append((_measured(drawn, moved)[0] - signed) / STEP)
        ctx.save_for_backward(*slopes)
        return signed.to(arguments[0].dtype)

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> Any:
        return None, *(grads[0] * slope.to(grads[0].dtype) for slope in ctx.saved_tensors)


def _measured(drawn: Drawn, arguments: Sequence[Tensor]) -> tuple[Tensor, ...]:
    """The distance (...) and its slopes by x and y."""
    x, y, a, b, *own = (t.detach().double().numpy().reshape(-1, 1) for t in arguments)
    fixed = np.tile(np.array(drawn.fixed, float), (len(x), 1))
    found = np.empty((3, *x.shape))
    numbers = np.ascontiguousarray(np.hstack([*own, fixed]))
    x, y = np.ascontiguousarray(x), np.ascontiguousarray(y)
    drawn.compiled_field(x, y, a[:, 0].copy(), b[:, 0].copy(), numbers, *found)
    return tuple(torch.from_numpy(t.reshape(tuple(arguments[0].shape))) for t in found)
