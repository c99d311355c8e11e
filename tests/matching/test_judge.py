"""The judge: a match of two drawings of one thing has better odds than any other."""

from importlib.resources import files
from itertools import pairwise

import numpy as np
import pytest

from unrender.matching.drawing import Drawing
from unrender.matching.judge import FILE, learned_judge
from unrender.matching.match import ROWS, TERMS, WAYS, Match
from unrender.matching.people import learned
from unrender.scene.line import Line

CORNERS = {
    "ell": [(0, 0), (0, 2), (1, 2)],
    "zed": [(0, 0), (1, 0), (0, 2), (1, 2)],
    "bar": [(0, 0), (0, 2)],
    "box": [(0, 0), (1, 0), (1, 1.5), (0, 1.5), (0, 0.05)],
}


def drawn(name: str, bend: float = 0.0, scale: float = 20.0) -> Drawing:
    """A zigzag with some points on each side, sheared and curved by as much as `bend` says."""
    corners = np.array(CORNERS[name], float)
    points = np.concatenate([np.linspace(a, b, 12) for a, b in pairwise(corners)])
    points = points @ np.array([[1, bend], [bend / 2, 1]]) + bend * np.sin(2 * points[:, ::-1])
    return Drawing.of([Line(scale * points + 7)], learned())


def match(one: Drawing, other: Drawing) -> Match:
    return Match.of(one, other, learned().linear)


def test_the_same_by_another_hand_is_likelier_than_all_others() -> None:
    names = list(CORNERS)
    for k, name in enumerate(names):
        odds = learned_judge().log_odds([match(drawn(other), drawn(name, 0.12)) for other in names])
        assert odds.argmax() == k
        assert odds[k] > 0
        assert all(odds[other] < 0 for other in range(len(names)) if other != k)


def test_place_and_size_do_not_count() -> None:
    small, large = drawn("zed", 0.1), drawn("zed", 0.1, scale=55.0)
    odds = learned_judge().log_odds([match(drawn("zed"), seen) for seen in (small, large)])
    assert odds[0] == pytest.approx(odds[1], abs=2)  # corners are cut by a few pixels


def test_a_match_tells_of_every_point_what_it_misses() -> None:
    found = match(drawn("ell"), drawn("ell"))
    assert found.rows.shape == (WAYS, 80, len(ROWS))
    assert found.terms.shape == (len(TERMS),)
    assert found.rows[..., ROWS.index("aside")].max() < 0.05
    lonely = match(drawn("bar"), drawn("ell")).rows[..., ROWS.index("lonely")]
    assert lonely[0].max() > lonely[1].max() + 1  # the foot of the ell, to which no point of the bar is near


def test_matches_are_judged_one_by_one() -> None:
    judge = learned_judge()
    several = [match(drawn("ell"), drawn(name, 0.1)) for name in CORNERS]
    together = judge.log_odds(several)
    assert together == pytest.approx([judge.log_odds([one])[0] for one in several], abs=1e-3)
    assert judge.log_odds([]).shape == (0,)


def test_the_networks_are_small() -> None:
    assert len(files("unrender.matching").joinpath(FILE).read_bytes()) < 150_000
