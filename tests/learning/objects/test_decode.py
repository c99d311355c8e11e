"""Training g: exact for one example, in between for several, and the same every time."""

from dataclasses import replace

import numpy as np
import pytest

from unrender.capsules.decoder import LAYERS, Decoder
from unrender.capsules.experience import Entry
from unrender.capsules.gamma import whole
from unrender.capsules.route import Route
from unrender.learning.objects.decode import fit_decoder
from unrender.learning.objects.plain import fit_plain
from unrender.primitives.symmetry import Symmetry
from unrender.scene import Observation

TURNINGS = (Symmetry.of_order(4, stretched=True), Symmetry.of_order(3, stretched=True))


def tower(red: float, roof: float) -> tuple[Observation, Observation]:
    """A body with a roof, which stands the more to the right the redder the tower is."""
    return (
        Observation("square", (50.0, 60.0), (60.0, 60.0), 0.0, {"red": red, "blue": 0.5}),
        Observation("triangle", (roof, 20.0), (20.0, 20.0), 0.0, {"red": red, "blue": 0.5}),
    )


def route_of(*examples: tuple[Observation, Observation]) -> Route:
    memory = tuple(Entry(parts, whole("tower", parts)) for parts in examples)
    return Route("tower", 1, ("square", "triangle"), ("red", "blue"), TURNINGS, memory)


def test_one_example_is_given_back_exactly() -> None:
    route = fit_decoder(route_of(tower(0.5, 50.0)))
    for was, now in zip(tower(0.5, 50.0), route.decode(route.memory[0].whole), strict=True):
        assert now.position == pytest.approx(was.position, abs=1e-3)
        assert now.size == pytest.approx(was.size, rel=1e-4)
        assert now.attributes == pytest.approx(was.attributes, abs=1e-4)


def test_g_learns_how_the_parts_depend_on_the_style_of_the_whole() -> None:
    examples = [tower(0.1, 35.0), tower(0.5, 50.0), tower(0.9, 65.0)]
    route = fit_decoder(route_of(*examples))
    for entry in route.memory:
        _, roof = route.decode(entry.whole)
        assert roof.position == pytest.approx(entry.parts[1].position, abs=1.0)
    between = replace(route.memory[0].whole, attributes={"red": 0.3, "blue": 0.5})
    assert 37 < route.decode(between)[1].position[0] < 48


def test_the_same_memory_gives_the_same_g() -> None:
    one, other = (fit_decoder(route_of(tower(0.0, 40.0), tower(0.9, 60.0))).decoder for _ in range(2))
    assert one is not None
    assert other is not None
    for name, values in one.tensors().items():
        assert np.array_equal(values, other.tensors()[name])


def test_g_is_a_network_of_four_layers_that_can_be_stored() -> None:
    decoder = fit_decoder(route_of(tower(0.0, 40.0), tower(0.9, 60.0))).decoder
    assert decoder is not None
    assert len(decoder.weights) == LAYERS == 4
    again = Decoder.of(decoder.tensors())
    told = np.array([[0.1, 0.4, 0.5], [0.0, 0.0, 1.0]])
    assert np.array_equal(again(told), decoder(told))
    by_hand = told
    for i, (weight, bias) in enumerate(zip(decoder.weights, decoder.biases, strict=True)):
        by_hand = by_hand @ weight.T + bias
        by_hand = np.tanh(by_hand) if i < 3 else by_hand
    assert decoder(told) == pytest.approx(by_hand, abs=1e-5)


def test_training_leaves_the_generator_of_the_program_alone() -> None:
    legacy = np.random.get_state()[1].copy()  # noqa: NPY002
    fit_decoder(route_of(tower(0.0, 40.0), tower(0.9, 60.0)))
    fit_plain(route_of(tower(0.5, 50.0)), steps=2)
    assert np.array_equal(np.random.get_state()[1], legacy)  # noqa: NPY002
