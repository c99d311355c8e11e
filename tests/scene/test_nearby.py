"""Points near others: the same whether all are compared or a tree is asked."""

import numpy as np
import pytest

from unrender.scene import nearby
from unrender.scene.nearby import Nearby


@pytest.mark.parametrize("few", [0, nearby.FEW])
def test_the_nearest_come_first_and_where_there_are_fewer_the_distance_is_infinite(
    few: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nearby, "FEW", few)
    distance, index = Nearby(np.array([[0.0, 0.0], [3.0, 4.0]])).nearest(np.array([[3.0, 3.0]]), 3)
    assert index.tolist() == [[1, 0, 2]]
    assert distance[0].tolist() == pytest.approx([1.0, np.sqrt(18.0), np.inf])


@pytest.mark.parametrize("p", [2.0, np.inf])
def test_many_are_found_as_few_are(p: float, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    points, places = rng.uniform(size=(60, 3)), rng.uniform(size=(20, 3))
    compared = Nearby(points).within(places, 0.3, p)
    monkeypatch.setattr(nearby, "FEW", 0)
    looked_up = Nearby(points).within(places, 0.3, p)
    assert 10 < len(compared[0]) < 600
    assert [own.tolist() for own in compared] == [own.tolist() for own in looked_up]


def test_nobody_is_near_no_place() -> None:
    rows, index = Nearby(np.zeros((4, 2))).within(np.zeros((0, 2)), 1.0)
    assert len(rows) == len(index) == 0
