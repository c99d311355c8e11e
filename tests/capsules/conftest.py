"""A primitive with a shape attribute of its own, and random shapes of every kind."""

from collections.abc import Iterator

import pytest
import torch
from torch import Tensor

from unrender.grammar.attribute import Attribute
from unrender.graphics import registry
from unrender.graphics.registry import Primitive, find, primitive


def rounded(x: Tensor, y: Tensor, a: Tensor, b: Tensor, roundness: Tensor) -> Tensor:
    """A rectangle with round corners."""
    radius = roundness * torch.minimum(a, b)
    dx, dy = x.abs() - a + radius, y.abs() - b + radius
    outside = (dx.clamp_min(0).square() + dy.clamp_min(0).square() + 1e-20).sqrt()
    return outside + torch.maximum(dx, dy).clamp_max(0) - radius


@pytest.fixture
def cushion() -> Iterator[Primitive]:
    """[cushion], registered as any module would do it, and forgotten after the test."""
    primitive("cushion", order=4, shape=(Attribute("roundness", default=0.5),))(rounded)
    yield find("cushion")
    del registry._REGISTRY["cushion"]


@pytest.fixture
def kinds(cushion: Primitive) -> list[Primitive]:
    """The three primitives of the paper and the cushion."""
    return [find("circle"), find("square"), find("triangle"), cushion]
