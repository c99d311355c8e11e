"""Looking: which levels of a picture γ is shown, and that nothing is missed by it."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
import torch
from torch import Tensor

import unrender
from unrender.capsules.library import shipped
from unrender.capsules.observe import observe
from unrender.capsules.primitive import PrimitiveCapsule, Said
from unrender.capsules.views import View
from unrender.scene import Observation, Scene

LARGE = Observation("circle", (30.0, 32.0), (28.0, 28.0), 0.0, {"red": 0.9, "green": 0.3, "blue": 0.2})


@dataclass(frozen=True)
class Noting(PrimitiveCapsule):
    """A capsule that notes at which levels it looks."""

    levels: set[int] = field(default_factory=set)

    def heard(self, output: Tensor, view: View, thorough: bool = False) -> Said:
        self.levels.add(view.level)
        return super().heard(output, view, thorough)


def seen(*shapes: Observation, ground: int = 40) -> tuple[Scene, set[int]]:
    """What is seen of shapes on plain grey, and at which levels γ looked for it."""
    levels: set[int] = set()
    background = torch.full((84, 84, 3), ground, dtype=torch.uint8).numpy()
    picture = Scene(84, 84, list(shapes), background).image
    capsules = [Noting(capsule.primitive, capsule.encoder, levels) for capsule in shipped()]
    return observe(picture.astype("float32") / 255, capsules), levels


def test_a_large_shape_is_seen_without_looking_at_every_pixel() -> None:
    scene, levels = seen(LARGE)
    assert [shape.symbol for shape in scene.primitives] == ["circle"]
    assert scene.primitives[0].position == pytest.approx((30, 32), abs=0.05)
    assert levels == {1, 2}


def test_an_empty_picture_is_not_looked_at_closely() -> None:
    scene, levels = seen()
    assert scene.primitives == []
    assert 0 not in levels


@pytest.mark.parametrize("contrast", [0.12, 0.5])
def test_a_small_shape_beside_a_large_one_is_looked_for_in_the_picture_itself(contrast: float) -> None:
    grey = 40 / 255 + contrast
    small = Observation(
        "square", (66.0, 60.0), (8.0, 8.0), 20.0, dict.fromkeys(("red", "green", "blue"), grey)
    )
    scene, levels = seen(LARGE, small)
    found = {shape.symbol: shape for shape in scene.primitives}
    assert set(found) == {"circle", "square"}
    assert found["square"].position == pytest.approx((66, 60), abs=0.2)
    assert 0 in levels


def test_a_picture_too_small_for_coarse_levels_is_seen() -> None:
    brain = unrender.open()
    scene = brain.see(brain.draw("square", size=(10, 10), position=(11, 11), canvas=(22, 22)))
    assert [shape.symbol for shape in scene.primitives] == ["square"]


@pytest.mark.parametrize(("symbol", "gap"), [("circle", 1), ("circle", 3), ("square", 2), ("triangle", 1)])
def test_a_shape_that_nearly_fills_the_picture_is_seen(symbol: str, gap: int) -> None:
    brain, side = unrender.open(), 84 - 2 * gap
    picture = brain.draw(symbol, position=(42, 42), size=(side, side), red=0.9, green=0.2, canvas=(84, 84))
    (shape,) = brain.see(picture).primitives
    assert shape.symbol == symbol
    assert shape.size == pytest.approx((side, side), abs=0.3)
