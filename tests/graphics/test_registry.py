"""The old seer's own registry, which knows all that can be drawn."""

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace

import pytest
import torch
from torch import Tensor

from unrender.errors import UnrenderError
from unrender.grammar.attribute import Attribute
from unrender.graphics import registry
from unrender.graphics.adapted import adapted
from unrender.graphics.draw import draw
from unrender.graphics.registry import Primitive, find, primitive, primitives
from unrender.primitives import registry as drawn_registry

ROUNDNESS = Attribute("roundness", low=0.0, high=1.0, default=0.5)


def rounded(x: Tensor, y: Tensor, a: Tensor, b: Tensor, roundness: Tensor) -> Tensor:
    """A rectangle with round corners, as this test's own primitive."""
    radius = roundness * torch.minimum(a, b)
    dx, dy = x.abs() - a + radius, y.abs() - b + radius
    outside = (dx.clamp_min(0).square() + dy.clamp_min(0).square() + 1e-20).sqrt()
    return outside + torch.maximum(dx, dy).clamp_max(0) - radius


@pytest.fixture
def cushion() -> Iterator[Primitive]:
    """[cushion], registered as any module would do it, and forgotten after the test."""
    primitive("cushion", order=4, shape=(ROUNDNESS,))(rounded)
    yield find("cushion")
    del registry._REGISTRY["cushion"]


def test_the_three_primitives_of_the_paper_are_there_with_their_symmetries() -> None:
    orders = {name: found.order for name, found in primitives().items()}
    assert orders["circle"] == 0
    assert orders["square"] == 4
    assert orders["triangle"] == 3


def test_its_own_attribute_has_a_column_and_a_gradient(cushion: Primitive) -> None:
    assert cushion.columns[-1] == "roundness"
    values = [8.1, 8.2, 10.3, 9.1, 20, 1, 1, 1, 0.3, 0.1, 0.4]
    batch = torch.tensor([values], dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda a: draw(cushion, a, 16, 16), batch, fast_mode=True)


def test_two_packages_cannot_give_the_same_name_to_two_primitives() -> None:
    assert "circle" in primitives()
    with pytest.raises(UnrenderError, match=r"\[circle\] exists already"):
        primitive("circle", order=0)(rounded)


EARLY = """
from unrender.graphics.registry import find, primitive

try:
    primitive("circle", order=0)(lambda x, y, a, b: x * y * a * b)
except Exception as error:
    print(type(error).__name__, error)
print(find("circle").distance.__module__)
"""


def test_a_name_of_the_package_cannot_be_taken_even_before_its_primitives_were_first_used() -> None:
    done = subprocess.run(
        [sys.executable, "-c", EARLY], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.splitlines() == [
        "UnrenderError A primitive called [circle] exists already; choose another name.",
        "unrender.graphics.primitives.circle",
    ]


def test_a_bad_name_is_refused() -> None:
    with pytest.raises(UnrenderError, match="a symbol: use letters"):
        primitive("two  blanks", order=1)(rounded)


def test_a_mistyped_primitive_gets_a_hint() -> None:
    with pytest.raises(UnrenderError, match=r'no primitive called .* Did you mean "triangle"'):
        find("triangel")


def test_what_can_be_drawn_is_known_here_with_the_same_distance_and_gradient() -> None:
    drawn = replace(drawn_registry.find("triangle"), name="wedge")
    x, y = (torch.linspace(-3, 3, 7, dtype=torch.float64)[:, None] + shift for shift in (0.13, 0.2))
    sides = [torch.full((7, 1), side, dtype=torch.float64) for side in (2.0, 1.5)]
    known = find("triangle").distance(x, y, *sides)
    made = adapted(drawn)
    assert torch.allclose(made.distance(x, y, *sides), known, atol=1e-9)
    points = [own.clone().requires_grad_() for own in (x, y, *sides)]
    slopes = [
        torch.autograd.grad(f(*points).sum(), points) for f in (made.distance, find("triangle").distance)
    ]
    assert all(torch.allclose(one, other, atol=1e-3) for one, other in zip(*slopes, strict=True))
