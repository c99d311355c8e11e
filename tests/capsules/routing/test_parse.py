"""One parse: the consistent set of wholes with the greatest agreement; the losers stay as rivals."""

import itertools

import numpy as np
import pytest

from unrender.capsules.routing.parse import parse, worth
from unrender.scene import Observation


def leaf() -> Observation:
    return Observation("circle", (0.0, 0.0), (1.0, 1.0))


def made(symbol: str, parts: list[Observation], p: float = 1.0) -> Observation:
    return Observation(symbol, (0.0, 0.0), (1.0, 1.0), p=p, parts=parts)


def test_wholes_that_share_nothing_all_stay() -> None:
    wholes = [made("a", [leaf(), leaf()]), made("b", [leaf(), leaf()], 0.7)]
    assert parse(wholes) == wholes
    assert [whole.rivals for whole in wholes] == [[], []]


def test_no_wholes_is_no_parse() -> None:
    assert parse([]) == []


def test_of_two_that_share_a_part_the_likelier_stays_and_the_other_is_its_rival() -> None:
    x, y, z = leaf(), leaf(), leaf()
    weak, strong = made("weak", [x, y], 0.8), made("strong", [y, z], 0.9)
    assert parse([weak, strong]) == [strong]
    assert strong.rivals == [weak]


def test_one_that_explains_more_parts_wins_over_one_that_explains_fewer() -> None:
    x, y, z = leaf(), leaf(), leaf()
    small, large = made("small", [x, y], 1.0), made("large", [x, y, z], 0.95)
    assert parse([small, large]) == [large]
    assert large.rivals == [small]


def test_one_whole_of_four_is_a_simpler_story_than_two_of_two() -> None:
    a, b, c, d = (leaf() for _ in range(4))
    halves, all_of_it = [made("half", [a, b]), made("half", [c, d])], made("all", [a, b, c, d], 0.95)
    assert parse([*halves, all_of_it]) == [all_of_it]
    assert all_of_it.rivals == halves


def test_two_that_hold_together_win_over_a_better_one_between_them() -> None:
    a, b, c, d = (leaf() for _ in range(4))
    left, between, right = made("left", [a, b], 0.8), made("between", [b, c], 1.0), made("right", [c, d], 0.8)
    assert parse([between, left, right]) == [left, right]
    assert left.rivals == right.rivals == [between]


def test_a_whole_stays_only_with_its_parts() -> None:
    """[ship] needs [booster], which competes with [lamp] for one leaf; together they explain more."""
    a, b, c, d = (leaf() for _ in range(4))
    booster, lamp = made("booster", [a, b], 0.8), made("lamp", [b, c], 0.95)
    ship = made("ship", [booster, d], 0.9)
    assert parse([booster, lamp, ship]) == [booster, ship]
    assert parse([booster, lamp]) == [lamp]


@pytest.mark.parametrize("seed", range(8))
def test_no_other_consistent_choice_agrees_more(seed: int) -> None:
    rng = np.random.default_rng(seed)
    leaves = [leaf() for _ in range(8)]
    wholes = [
        made(
            f"s{i}",
            [leaves[k] for k in rng.choice(8, rng.integers(2, 5), replace=False)],
            rng.uniform(0.6, 1),
        )
        for i in range(8)
    ]

    def consistent(some: tuple[Observation, ...]) -> bool:
        used = [id(part) for whole in some for part in whole.parts]
        return len(used) == len(set(used))

    choices = [c for n in range(9) for c in itertools.combinations(wholes, n) if consistent(c)]
    best = max(sum(worth(whole) for whole in choice) for choice in choices)
    chosen = parse(wholes)
    assert consistent(tuple(chosen))
    assert sum(worth(whole) for whole in chosen) == pytest.approx(best)


def test_rivals_that_contain_each_other_can_be_written() -> None:
    """Each pair of three wholes is a rival of the fourth thing that the pairs could make: none of them may
    lead back to itself."""
    a, b, c, d, e, f = (leaf() for _ in range(6))
    left, right = made("half", [a, b]), made("half", [c, d])
    other_left, other_right = made("other", [b, e], 0.5), made("other", [d, f], 0.5)
    wholes = [left, right, other_left, other_right]
    pairs = [made("pair", [left, other_right], 0.1), made("pair", [other_left, right], 0.1)]
    assert parse([*wholes, *pairs]) == [left, right]
    assert {rival.symbol for rival in left.rivals} == {"other", "pair"}
    assert len(left.to_dict()["rivals"]) == len(left.rivals)
