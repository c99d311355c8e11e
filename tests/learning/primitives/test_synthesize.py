"""The training set of γ: what a batch says about its shapes is what its pictures show."""

from dataclasses import dataclass, replace

import numpy as np
import pytest
from numpy.random import Generator

from unrender.learning.primitives.effects import Chain
from unrender.learning.primitives.synthesize import CLOSE_COLOUR, Batch, Synthesizer, quantiles
from unrender.primitives.protocol import Primitive
from unrender.primitives.registry import find
from unrender.render.coverage import Floats, cover
from unrender.render.shape import ANGLE, OWN, TAU, A, B, Shape, X, Y

NAMES = ("circle", "square", "triangle")
SIDE = 48


@dataclass(frozen=True)
class Grey:
    """A background of one known grey."""

    shade: float = 0.5

    def sample(self, rng: Generator, count: int, height: int, width: int) -> Floats:
        return np.full((count, height, width, 3), self.shade, np.float32)


def seeded(seed: int = 7) -> Generator:
    return np.random.default_rng(seed)


def rest(name: str) -> list[Primitive]:
    return [find(other) for other in NAMES if other != name]


def clean(primitive: Primitive, others: list[Primitive], count: int) -> Batch:
    """Pictures without effects, on grey."""
    return Synthesizer(primitive, others, background=Grey(), effects=Chain(())).sample(seeded(), count)


def shares(shape: Shape) -> tuple[Floats, Floats]:
    """Coverage (H, W) of a shape's inside and stroke on the whole canvas."""
    patch = cover(shape, (0, SIDE, 0, SIDE))
    blank = np.zeros((SIDE, SIDE), np.float32)
    return blank if patch.fill is None else patch.fill, blank if patch.stroke is None else patch.stroke


@pytest.mark.parametrize("name", NAMES)
def test_quantiles_stay_within_their_ranges(name: str) -> None:
    shapes = quantiles(find(name), seeded(), 2000, SIDE)
    pose = np.stack([shape.pose for shape in shapes])
    assert pose.shape == (2000, OWN + len(find(name).own))
    assert pose[:, [X, Y]].min() >= 0
    assert pose[:, [X, Y]].max() <= SIDE
    extent = 2 * np.sqrt(pose[:, A] * pose[:, B])
    assert 6.49 < extent.min() < 6.7
    assert 16.5 < extent.max() < 17.01
    aspect = pose[:, A] / pose[:, B]
    assert 0.39 < aspect.min() < 0.45
    assert 2.3 < aspect.max() < 2.51
    colours = np.stack([c for shape in shapes for c in (shape.fill, shape.stroke) if c is not None])
    assert 0 <= colours.min() < 0.01
    assert 0.99 < colours.max() <= 1


@pytest.mark.parametrize("name", NAMES)
def test_half_are_filled_and_some_of_these_have_a_stroke_of_another_colour(name: str) -> None:
    shapes = quantiles(find(name), seeded(), 2000, SIDE)
    filled = [shape for shape in shapes if shape.fill is not None]
    both = [shape for shape in filled if shape.stroke is not None]
    assert len(filled) == pytest.approx(1000, abs=100)
    assert len(both) == pytest.approx(250, abs=60)
    for shape in shapes:
        assert (shape.pose[TAU] > 0) == (shape.stroke is not None)
        assert shape.fill is not None or shape.stroke is not None
    for shape in both:
        assert shape.fill is not None
        assert shape.stroke is not None
        assert np.abs(shape.fill - shape.stroke).max() >= CLOSE_COLOUR


def test_corners_of_strokes_are_mitred_or_round_and_what_has_none_is_never_mitred() -> None:
    mitred = [shape.mitre for shape in quantiles(find("square"), seeded(), 400, SIDE)]
    assert np.mean(mitred) == pytest.approx(0.5, abs=0.08)
    assert not any(shape.mitre for shape in quantiles(find("circle"), seeded(), 400, SIDE))


def test_quantiles_spread_over_their_whole_range() -> None:
    shapes = quantiles(find("square"), seeded(), 4000, SIDE)
    pose = np.stack([shape.pose for shape in shapes])
    for column, low, high in ((ANGLE, -np.pi, np.pi), (X, 0, SIDE), (Y, 0, SIDE)):
        tenths = np.histogram(pose[:, column], 10, (low, high))[0]
        assert tenths.min() > 300
        assert tenths.max() < 500


def test_a_primitive_may_say_how_stretched_it_is_and_its_own_parameters_take_all_their_values() -> None:
    from unrender.grammar.attribute import Attribute

    bent = Attribute("bent", low=2.0, high=6.0, default=3.0)
    kind = replace(find("circle"), aspects=(0.9, 1.35), own=(bent,))
    pose = np.stack([shape.pose for shape in quantiles(kind, seeded(), 500, SIDE)])
    assert (pose[:, A] / pose[:, B]).min() >= 0.9
    assert (pose[:, A] / pose[:, B]).max() <= 1.35
    assert 2.0 <= pose[:, OWN].min() < 2.1
    assert 5.9 < pose[:, OWN].max() <= 6.0


def test_an_open_line_is_never_filled() -> None:
    kind = replace(find("square"), closed=False)
    assert all(shape.fill is None for shape in quantiles(kind, seeded(), 100, SIDE))


def same(one: Batch, other: Batch) -> bool:
    poses = [[shape.pose.tolist() for shapes in batch.scenes for shape in shapes] for batch in (one, other)]
    return np.array_equal(one.pictures, other.pictures) and poses[0] == poses[1]


def test_the_same_seed_gives_the_same_batch_and_another_seed_another() -> None:
    synthesizer = Synthesizer(find("triangle"), rest("triangle"))
    batch = synthesizer.sample(seeded(), 6)
    assert same(batch, synthesizer.sample(seeded(), 6))
    assert not same(batch, synthesizer.sample(seeded(8), 6))


@pytest.mark.parametrize("name", NAMES)
def test_a_batch_has_the_pictures_and_shapes_that_it_promises(name: str) -> None:
    batch = Synthesizer(find(name), rest(name)).sample(seeded(), 60)
    assert batch.pictures.shape == (60, SIDE, SIDE, 3)
    assert batch.pictures.dtype == np.float32
    assert batch.pictures.min() >= 0
    assert batch.pictures.max() <= 1
    counts = [len(shapes) for shapes in batch.scenes]
    assert (min(counts), max(counts)) == (1, 10)
    assert counts == [len(visible) for visible in batch.visible]
    visible = np.concatenate(batch.visible)
    assert visible.min() >= 0
    assert visible.max() <= 1 + 1e-4
    kinds = [shape.primitive.name for shapes in batch.scenes for shape in shapes]
    assert set(kinds) == set(NAMES)
    assert 0.45 < np.mean([kind == name for kind in kinds]) < 0.7


def test_the_shapes_of_a_batch_draw_its_pictures_again_and_say_what_of_them_is_seen() -> None:
    batch = clean(find("square"), rest("square"), 12)
    for picture, shapes, visible in zip(batch.pictures, batch.scenes, batch.visible, strict=True):
        canvas, clear = np.full((SIDE, SIDE, 3), 0.5), np.ones((SIDE, SIDE))
        for shape in shapes:
            for share, colour in zip(shares(shape), (shape.fill, shape.stroke), strict=True):
                if colour is not None:
                    canvas += share[..., None] * (colour - canvas)
        assert picture == pytest.approx(canvas, abs=1e-4)
        for shape, said in zip(reversed(shapes), reversed(visible), strict=True):
            fill, stroke = shares(shape)
            alpha = 1 - (1 - fill) * (1 - stroke)
            colours = [c for c in (shape.fill, shape.stroke) if c is not None]
            if max(np.abs(c - 0.5).max() for c in colours) > CLOSE_COLOUR:
                assert said == pytest.approx((alpha * clear).sum() / max(alpha.sum(), 1e-3), abs=1e-3)
            else:
                assert said == 0, "what has the colour of its ground counts as hidden"
            clear *= 1 - alpha


def test_shapes_cover_one_another_in_a_part_of_the_pictures() -> None:
    visible = np.concatenate(Synthesizer(find("circle"), rest("circle")).sample(seeded(), 100).visible)
    assert 0.1 < ((visible > 0.05) & (visible < 0.95)).mean() < 0.8
