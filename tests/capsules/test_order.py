"""Depth order: all evidence is respected; where it contradicts itself the strongest wins."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unrender.capsules.order import depth_order

Front = dict[tuple[int, int], float]


def respected(order: list[int], front: Front) -> list[bool]:
    """For each piece of evidence: is what lies in front painted later?"""
    rank = {shape: place for place, shape in enumerate(order)}
    return [(rank[i] > rank[j]) == (evidence > 0) for (i, j), evidence in front.items()]


@pytest.mark.parametrize(
    ("count", "front", "order"),
    [
        (0, {}, []),
        (1, {}, [0]),
        (2, {(0, 1): 1.0}, [1, 0]),
        (2, {(0, 1): -1.0}, [0, 1]),
        (3, {(0, 1): 2.0, (1, 2): 3.0}, [2, 1, 0]),
        (3, {(0, 1): -2.0, (1, 2): -3.0}, [0, 1, 2]),
        (3, {(0, 1): 5.0, (1, 2): 5.0, (0, 2): -1.0}, [2, 1, 0]),  # 2 over 0 is the weakest of a circle
    ],
)
def test_small_orders_by_hand(count: int, front: Front, order: list[int]) -> None:
    assert depth_order(count, front) == order


def test_of_a_contradiction_the_weakest_evidence_is_given_up() -> None:
    """0 over 1, 1 over 2, 2 over 0: one of the three cannot be had."""
    for weakest in range(3):
        strength = [4.0, 4.0, 4.0]
        strength[weakest] = 1.0
        front = {(0, 1): strength[0], (1, 2): strength[1], (0, 2): -strength[2]}
        kept = respected(depth_order(3, front), front)
        assert kept == [i != weakest for i in range(3)]


numbers = st.floats(-10, 10).filter(lambda value: abs(value) > 1e-3)


@st.composite
def evidence(draw: st.DrawFn) -> tuple[int, Front]:
    count = draw(st.integers(2, 9))
    pairs = [(i, j) for i in range(count) for j in range(i + 1, count)]
    return count, {pair: draw(numbers) for pair in draw(st.lists(st.sampled_from(pairs), unique=True))}


@settings(max_examples=60, deadline=None, derandomize=True)
@given(evidence())
def test_every_shape_is_painted_once_and_the_strongest_evidence_is_respected(case: tuple[int, Front]) -> None:
    count, front = case
    order = depth_order(count, front)
    assert sorted(order) == list(range(count))
    if front:
        strongest = max(front, key=lambda pair: abs(front[pair]))
        assert respected(order, {strongest: front[strongest]}) == [True]


@settings(max_examples=60, deadline=None, derandomize=True)
@given(evidence(), st.randoms(use_true_random=False))
def test_evidence_without_contradiction_is_respected_in_full(case: tuple[int, Front], random: Random) -> None:
    count, front = case
    truth = list(range(count))
    random.shuffle(truth)
    rank = {shape: place for place, shape in enumerate(truth)}
    agreed = {(i, j): abs(v) if rank[i] > rank[j] else -abs(v) for (i, j), v in front.items()}
    assert all(respected(depth_order(count, agreed), agreed))


def test_a_long_stack_is_ordered_without_running_out_of_recursion() -> None:
    front = {(i, i + 1): 1.0 for i in range(4999)}
    assert depth_order(5000, front) == list(range(4999, -1, -1))
