"""The cheapest sets of candidates that cover an area are found."""

import numpy as np

from unrender.perception.proposals.cover import cheapest


def rows(*several: str) -> np.ndarray:
    return np.array([[mark == "#" for mark in row] for row in several])


def test_the_fewest_that_cover_everything_come_first() -> None:
    covers = rows("##....", "..##..", "....##", "####..", "..####")
    assert cheapest(covers, np.full(5, 10.0), 100.0)[0] in ([0, 4], [2, 3])


def test_cheap_ones_are_taken_even_if_they_are_more() -> None:
    covers = rows("##....", "..##..", "....##", "######")
    assert cheapest(covers, np.array([1.0, 1.0, 1.0, 9.0]), 100.0)[0] == [0, 1, 2]


def test_what_cannot_be_covered_has_no_set() -> None:
    assert cheapest(rows("##....", "..##.."), np.ones(2), 100.0) == []


def test_a_little_may_be_left_if_that_is_cheaper() -> None:
    covers = rows("#########.", ".........#")
    assert cheapest(covers, np.array([5.0, 50.0]), 10.0, left=0.2)[0] == [0]


def test_no_set_holds_a_cheaper_one() -> None:
    covers = rows("####", "####", "##..", "..##")
    found = cheapest(covers, np.ones(4), 100.0)
    assert sorted(found) == [[0], [1], [2, 3]]
