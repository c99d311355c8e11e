"""How parts change with a whole's own attributes, from a few examples."""

import numpy as np
import pytest

from unrender.capsules.variation import Variation


def line(*examples: tuple[float, float]) -> Variation:
    own, values = np.array(examples).T
    return Variation.of(own[:, None], values[:, None])


def at(variation: Variation, *own: float) -> list[float]:
    return variation(np.array(own)[:, None])[:, 0].tolist()


def test_without_attributes_it_is_the_mean() -> None:
    variation = Variation.of(np.zeros((3, 0)), np.array([[1.0, 4.0], [2.0, 5.0], [6.0, 9.0]]))
    assert variation(np.zeros(0)).tolist() == pytest.approx([3.0, 6.0])
    assert variation(np.zeros((2, 0))).shape == (2, 2)


def test_between_two_examples_it_is_the_line_between_them_and_past_them_the_line_beyond() -> None:
    assert at(line((0.0, 2.0), (1.0, 6.0)), 0.0, 0.25, 1.0, 2.0) == pytest.approx([2.0, 3.0, 6.0, 10.0])


def test_a_known_value_in_between_bends_the_line() -> None:
    bent = at(line((0.0, 0.0), (0.5, 4.0), (1.0, 5.0)), 0.0, 0.25, 0.5, 0.75, 1.0, 1.5)
    assert bent[:5] == pytest.approx([0.0, 2.0, 4.0, 4.5, 5.0], abs=0.4)
    assert bent[5] == pytest.approx(bent[4] + 2 * (bent[4] - bent[3]))
    assert bent[1] - bent[0] > 2 * (bent[4] - bent[3])


def test_examples_of_nearly_one_value_do_not_bend_it() -> None:
    """Two examples at 0.5 and 0.55 that contradict each other are noise, not a cliff."""
    variation = line((0.0, 0.0), (0.5, 0.6), (0.55, 0.4), (1.0, 1.0))
    assert at(variation, 2.0)[0] == pytest.approx(2.0, abs=0.4)
    assert len(variation.bends[0]) == 1


def test_the_effects_of_two_attributes_add_up() -> None:
    own = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    variation = Variation.of(own, np.array([[1.0], [3.0], [6.0]]))
    assert variation(np.array([1.0, 1.0])).tolist() == pytest.approx([8.0])
    assert variation(np.array([0.5, 0.0])).tolist() == pytest.approx([2.0])


def test_one_example_alone_says_the_same_of_every_value() -> None:
    assert at(line((0.0, 3.0)), 0.0, 1.0) == pytest.approx([3.0, 3.0])


def test_values_come_for_any_number_of_wholes_at_once() -> None:
    variation = Variation.of(np.array([[0.0], [1.0]]), np.array([[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]))
    assert variation(np.zeros((4, 7, 1))).shape == (4, 7, 3)
