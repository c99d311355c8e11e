"""draw is differentiable in every attribute: autograd agrees with finite differences in double precision."""

import math

import pytest
import torch

from unrender.graphics.draw import compose, draw, visibility
from unrender.graphics.registry import find

NAMES = ("circle", "square", "triangle")

# Generic poses: no pixel of the 15 x 15 canvas sits on a kink of the shape or of its anti-aliased edge.
POSES = {
    "plain": (7.31, 6.87, 8.9, 8.2, 0.0),
    "turned": (7.31, 6.87, 8.9, 8.2, 37.0),
    "stretched": (6.93, 7.29, 11.3, 5.1, 0.0),
    "stretched and turned": (6.93, 7.29, 11.3, 5.1, -63.0),
    "half outside": (0.41, 12.83, 9.7, 7.7, 110.0),
}
STYLES = {
    "filled": (0.9, 0.2, 0.4, 1.0, 0.07),
    "outlined": (0.9, 0.2, 0.4, 0.0, 0.23),
    "half filled": (0.9, 0.2, 0.4, 0.45, 0.31),
}


def attributes(pose: str, style: str) -> torch.Tensor:
    return torch.tensor([POSES[pose] + STYLES[style]], dtype=torch.float64, requires_grad=True)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("pose", POSES)
@pytest.mark.parametrize("name", NAMES)
def test_coverage_has_exact_gradients(name: str, pose: str, style: str) -> None:
    primitive = find(name)
    assert torch.autograd.gradcheck(
        lambda a: draw(primitive, a, 15, 15), attributes(pose, style), atol=1e-4, fast_mode=True
    )


@pytest.mark.parametrize("name", NAMES)
def test_every_pixel_has_an_exact_gradient_in_every_attribute(name: str) -> None:
    """The whole Jacobian, entry by entry."""
    primitive = find(name)
    values = torch.tensor([[4.41, 4.67, 6.3, 5.1, 29.0, 1, 1, 1, 0.45, 0.31]], dtype=torch.float64)
    assert torch.autograd.gradcheck(lambda a: draw(primitive, a, 9, 9), values.requires_grad_(), atol=1e-4)


@pytest.mark.parametrize("name", NAMES)
def test_a_composed_picture_has_exact_gradients_in_all_ten_attributes(name: str) -> None:
    primitive = find(name)
    back = torch.tensor([[6.2, 8.4, 7.3, 9.1, 15.0, 0.1, 0.8, 0.3, 0.6, 0.2]], dtype=torch.float64)
    ground = torch.full((3, 15, 15), 0.25, dtype=torch.float64)

    def picture(front: torch.Tensor) -> torch.Tensor:
        both = torch.cat([back, front])
        return compose(draw(primitive, both, 15, 15), both[:, 5:8], ground)

    front = attributes("stretched and turned", "half filled")
    assert torch.autograd.gradcheck(picture, front, atol=1e-4, fast_mode=True)
    (gradient,) = torch.autograd.grad(picture(front).square().sum(), front)
    assert (gradient.abs() > 1e-6).all(), "some attribute does not change the picture"


def test_visibility_has_exact_gradients() -> None:
    alphas = torch.rand(3, 4, 5, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    assert torch.autograd.gradcheck(visibility, alphas.requires_grad_())


@pytest.mark.parametrize("thickness", [0.0, 0.1])
@pytest.mark.parametrize("size", [(8.0, 8.0), (8.0, 4.0)])
@pytest.mark.parametrize("name", NAMES)
def test_nothing_breaks_where_pixels_sit_on_centres_and_corners(
    name: str, size: tuple[float, float], thickness: float
) -> None:
    """Centre, corners and edges exactly on pixel centres: the worst case for square roots."""
    values = torch.tensor([[7.5, 7.5, *size, 90.0, 1, 1, 1, 0.5, thickness]], requires_grad=True)
    alpha = draw(find(name), values, 15, 15)
    assert alpha.isfinite().all()
    (gradient,) = torch.autograd.grad(alpha.sum(), values)
    assert gradient.isfinite().all()


@pytest.mark.parametrize("name", NAMES)
def test_a_filled_shape_has_the_area_of_its_formula_and_grows_as_it_says(name: str) -> None:
    share = {"circle": math.pi / 4, "square": 1.0, "triangle": 3 * math.sqrt(3) / 16}[name]
    values = torch.tensor([[32.2, 31.7, 40.0, 30.0, 25.0, 1, 1, 1, 1, 0]], dtype=torch.float64)
    area = draw(find(name), values.requires_grad_(), 64, 64).sum()
    (gradient,) = torch.autograd.grad(area, values)
    assert area.item() == pytest.approx(share * 40 * 30, rel=3e-3)
    assert gradient[0, 2].item() == pytest.approx(share * 30, rel=0.1)
    assert gradient[0, 3].item() == pytest.approx(share * 40, rel=0.1)
