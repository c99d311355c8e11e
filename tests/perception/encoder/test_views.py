"""What the networks look at: whole levels, strips of large ones, or areas around a mask."""

import numpy as np
import pytest

from tests.perception.encoder.pictures import a_shape, picture
from unrender.perception.encoder import views as looking
from unrender.perception.encoder.pyramid import levels_of
from unrender.perception.encoder.session import run, weights_of
from unrender.perception.encoder.views import View, views
from unrender.primitives.registry import find

PATH = weights_of(find("circle"))


def said(view: View) -> dict[tuple[int, int, int], np.ndarray]:
    """What the network says of the places that count in a view, by level and place."""
    assert PATH is not None
    output = run(PATH, view.pixels)
    return {
        (view.level, view.top + 4 * i, view.left + 4 * j): output[:, i, j]
        for i in range(*view.rows)
        for j in range(*view.columns)
    }


def test_an_area_is_seen_as_in_the_whole() -> None:
    levels = levels_of(
        picture([a_shape("circle", 240, 60, 20, 14), a_shape("square", 50, 50, 30, 30)], 160, 300)
    )
    where = np.zeros((160, 300), bool)
    where[50:70, 230:250] = True
    whole: dict[tuple[int, int, int], np.ndarray] = {}
    for view in views(levels, range(len(levels))):
        whole |= said(view)
    looks = list(views(levels, range(len(levels)), where))
    assert sum(view.pixels.size for view in looks) < 0.6 * 3 * len(whole) * 16
    parts: dict[tuple[int, int, int], np.ndarray] = {}
    for view in looks:
        parts |= said(view)
    assert (0, 60, 240) in parts
    for place, values in parts.items():
        np.testing.assert_allclose(values, whole[place], atol=1e-4)


def test_strips_of_a_large_level_say_what_the_whole_says() -> None:
    levels = levels_of(picture([a_shape("circle", 40, 530, 30, 30)], 1100, 700))[:1]
    looks = list(views(levels, range(1)))
    assert len(looks) > 1
    assert max(view.pixels[0].size for view in looks) < looking.STRIP + 2 * looking.SIGHT * 708
    places = [place for view in looks for place in said(view)]
    assert len(places) == len(set(places)) == (1108 // 4) * (708 // 4)


def test_nothing_is_looked_at_if_nothing_is_left() -> None:
    levels = levels_of(picture([], 64, 64))
    assert list(views(levels, range(1), np.zeros((64, 64), bool))) == []


@pytest.mark.parametrize("size", [(9, 9), (10, 400), (33, 47)])
def test_pictures_of_any_size_are_looked_at_as_a_whole(size: tuple[int, int]) -> None:
    levels = levels_of(picture([], *size))
    (view,) = views(levels, range(1))
    assert view.pixels.shape[1] >= size[0] + 8
    assert view.pixels.shape[2] >= size[1] + 8
    assert view.rows == (0, view.pixels.shape[1] // 4)
