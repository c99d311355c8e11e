"""A figure shows the input where it was kept, the redrawn picture, the parts and the tree."""

from collections.abc import Iterator
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib import pyplot
from matplotlib.figure import Figure

from unrender import Observation, Scene


@pytest.fixture(autouse=True)
def _no_window() -> Iterator[None]:
    mpl.use("agg")
    yield
    pyplot.close("all")


def titles(figure: Figure) -> list[str]:
    return [panel.get_title() for panel in figure.axes]


def test_any_scene_has_its_picture_its_parts_and_its_tree(scene: Scene, tmp_path: Path) -> None:
    figure = scene.plot()
    assert titles(figure) == ["redrawn", "parts", "tree"]
    assert np.array_equal(figure.axes[0].images[0].get_array(), scene.image)
    figure.savefig(tmp_path / "figure.png")
    assert (tmp_path / "figure.png").stat().st_size > 1000


def test_the_input_comes_first_where_it_was_kept(weave: Scene) -> None:
    weave.picture = np.full((100, 100, 3), 7, np.uint8)
    figure = weave.plot()
    assert titles(figure) == ["input", "redrawn", "parts", "tree"]
    assert np.array_equal(figure.axes[0].images[0].get_array(), weave.picture)


def test_every_primitive_has_a_colour_of_its_own_where_it_shows(weave: Scene) -> None:
    picture = np.asarray(weave.plot().axes[1].images[0].get_array())
    colours = {tuple(picture[leaf.mask][0]) for leaf in weave.primitives}
    assert len(colours) == len(weave.primitives)
    for leaf in weave.primitives:
        assert (picture[leaf.mask] == picture[leaf.mask][0]).all()


def test_every_observation_is_named_in_the_tree_below_its_whole(nest: Scene) -> None:
    texts = nest.plot().axes[2].texts
    assert [text.get_text() for text in texts if text.get_text().startswith("boat")] == ["boat  0.75"]
    assert len(texts) == len(nest.observations)
    place = {text.get_text().split("  ")[0]: text.get_position() for text in texts}
    assert place["boat"][0] < place["square"][0]
    assert place["boat"][1] < place["square"][1]


def test_dollar_signs_in_a_name_are_not_mathematics(tmp_path: Path) -> None:
    dot = Observation("circle", (9.0, 9.0), (4.0, 4.0))
    scene = Scene(20, 20, [Observation("$x^{$", (9.0, 9.0), (4.0, 4.0), parts=[dot])])
    scene.plot().savefig(tmp_path / "figure.png")
    assert (tmp_path / "figure.png").exists()
