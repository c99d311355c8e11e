"""The training set of γ: what a batch says about its shapes is what its pictures show."""

from dataclasses import dataclass

import pytest
import torch
from torch import Generator, Tensor

from unrender.graphics.draw import (
    BLUE,
    FILLED,
    HEIGHT,
    RED,
    ROTATION,
    THICKNESS,
    WIDTH,
    X,
    Y,
    compose,
    draw,
    visibility,
)
from unrender.graphics.registry import Primitive, find
from unrender.training.effects import Chain
from unrender.training.synthesize import CLOSE_COLOUR, Batch, Synthesizer, quantiles

NAMES = ("circle", "square", "triangle")


@dataclass(frozen=True)
class Grey:
    """A background of one known grey."""

    shade: float = 0.5

    def sample(self, rng: Generator, count: int, height: int, width: int) -> Tensor:
        return torch.full((count, 3, height, width), self.shade)


def seeded(seed: int = 7) -> Generator:
    return torch.Generator().manual_seed(seed)


def rest(name: str) -> list[Primitive]:
    return [find(other) for other in NAMES if other != name]


@pytest.mark.parametrize("name", NAMES)
def test_quantiles_stay_within_the_ranges_of_their_attributes(name: str) -> None:
    primitive = find(name)
    values = quantiles(primitive, seeded(), 2000, 48)
    assert values.shape == (2000, len(primitive.columns))
    attributes = [primitive.symbol.attribute(column) for column in primitive.columns]
    for attribute, column in zip(attributes, values.unbind(1), strict=True):
        assert column.min() >= attribute.low, attribute.name
        assert column.max() <= attribute.high, attribute.name
    assert values[:, X : Y + 1].min() >= 0
    assert values[:, X : Y + 1].max() <= 48
    ends = torch.tensor([0.0, 1.0])
    least, most = primitive.quantile("extent")(ends).tolist()
    extent = (values[:, WIDTH] * values[:, HEIGHT]).sqrt()
    assert extent.min() >= least * 0.999
    assert extent.max() <= most * 1.001
    aspect = values[:, WIDTH] / values[:, HEIGHT]
    assert aspect.max() <= float(primitive.quantile("aspect")(ends)[1]) * 1.001
    assert set(values[:, FILLED].tolist()) == {0.0, 1.0}


@pytest.mark.parametrize("name", NAMES)
def test_a_filled_shape_has_no_stroke_and_an_outlined_one_has(name: str) -> None:
    values = quantiles(find(name), seeded(), 500, 48)
    filled = values[:, FILLED] == 1
    assert (values[filled, THICKNESS] == 0).all()
    assert (values[~filled, THICKNESS] > 0).all()


def test_quantiles_spread_over_their_whole_range() -> None:
    values = quantiles(find("square"), seeded(), 4000, 48)
    for column, low, high in ((RED, 0, 1), (BLUE, 0, 1), (ROTATION, -180, 180), (X, 0, 48), (Y, 0, 48)):
        tenths = torch.histc(values[:, column], 10, low, high)
        assert tenths.min() > 300
        assert tenths.max() < 500


def same(one: Batch, other: Batch) -> bool:
    fields = ("pictures", "attributes", "own", "visible")
    return all(torch.equal(getattr(one, field), getattr(other, field)) for field in fields)


def test_the_same_seed_gives_the_same_batch_and_another_seed_another() -> None:
    synthesizer = Synthesizer(find("triangle"), rest("triangle"))
    batch = synthesizer.sample(seeded(), 6)
    assert same(batch, synthesizer.sample(seeded(), 6))
    assert not same(batch, synthesizer.sample(seeded(8), 6))


@pytest.mark.parametrize("name", NAMES)
def test_a_batch_has_the_shapes_that_it_promises(name: str) -> None:
    batch = Synthesizer(find(name), rest(name)).sample(seeded(), 40)
    assert batch.pictures.shape == (40, 3, 48, 48)
    assert batch.attributes.shape == (40, 10, 10)
    assert batch.own.shape == batch.visible.shape == (40, 10)
    assert batch.pictures.min() >= 0
    assert batch.pictures.max() <= 1
    assert batch.visible.min() >= 0
    assert batch.visible.max() <= 1 + 1e-4
    assert (batch.attributes[~batch.own] == 0).all(), "nothing is told about the shapes of other kinds"
    assert (batch.attributes[batch.own][:, WIDTH : HEIGHT + 1] > 0).all()
    assert 0.2 < batch.own.float().mean() < 0.45


@pytest.mark.parametrize("name", NAMES)
def test_the_attributes_of_its_own_shapes_draw_the_picture_again(name: str) -> None:
    """Without other kinds and effects nothing else is in the picture, so it is the same pixel by pixel."""
    primitive = find(name)
    batch = Synthesizer(primitive, [], background=Grey(), effects=Chain(())).sample(seeded(), 12)
    flat = batch.attributes.reshape(-1, 10).clone()
    nothing = ~batch.own.reshape(-1)
    flat[nothing, WIDTH : HEIGHT + 1] = 1.0  # any size: it is not drawn
    alphas = draw(primitive, flat, 48, 48) * batch.own.reshape(-1, 1, 1)
    alphas = alphas.reshape(12, 10, 48, 48)
    colours = batch.attributes[..., RED : BLUE + 1]
    pictures = compose(alphas, colours, torch.full((12, 3, 48, 48), 0.5))
    assert batch.own.any()
    assert torch.allclose(pictures, batch.pictures, atol=1e-5)
    share = visibility(alphas).sum((-1, -2)) / alphas.sum((-1, -2)).clamp_min(1e-3)
    distinct = (colours - 0.5).abs().amax(-1) > CLOSE_COLOUR
    assert torch.allclose((share * distinct)[batch.own], batch.visible[batch.own], atol=1e-4)


@pytest.mark.parametrize("name", NAMES)
def test_where_an_own_shape_shows_the_picture_has_its_colour(name: str) -> None:
    """With shapes of all kinds in the way: a shape that is wholly visible is where it is said to be."""
    primitive = find(name)
    batch = Synthesizer(primitive, rest(name), background=Grey(), effects=Chain(())).sample(seeded(), 40)
    at = (batch.own & (batch.visible > 0.9999)).nonzero()
    assert len(at) > 10
    for picture, slot in at.tolist():
        attributes = batch.attributes[picture, slot]
        alpha = draw(primitive, attributes[None], 48, 48)[0]
        shown = batch.pictures[picture][:, alpha > 0.999]
        assert torch.allclose(shown, attributes[RED : BLUE + 1, None].expand_as(shown), atol=0.01)


def test_a_shape_in_the_colour_of_its_ground_counts_as_hidden() -> None:
    batch = Synthesizer(find("square"), [], background=Grey(0.5), effects=Chain(())).sample(seeded(), 200)
    away = (batch.attributes[..., RED : BLUE + 1] - 0.5).abs().amax(-1)
    alike = batch.own & (away <= CLOSE_COLOUR)
    assert alike.any()
    assert (batch.visible[alike] == 0).all()
    assert batch.visible[batch.own & (away > CLOSE_COLOUR)].max() > 0.99


def test_shapes_cover_one_another_in_a_part_of_the_pictures() -> None:
    batch = Synthesizer(find("circle"), rest("circle")).sample(seeded(), 100)
    partly = batch.own & (batch.visible > 0.05) & (batch.visible < 0.95)
    assert 0.1 < partly.sum() / batch.own.sum() < 0.8
