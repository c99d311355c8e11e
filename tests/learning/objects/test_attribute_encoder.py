"""γ_new: a whole's own attributes, from its parts, trained from g."""

from dataclasses import replace

import numpy as np
import pytest

from unrender.capsules.experience import Entry
from unrender.capsules.network import Network
from unrender.capsules.route import Route
from unrender.learning.objects.attribute import learn_attribute
from unrender.learning.objects.attribute_encoder import fit_noticer, samples
from unrender.learning.objects.lesson import learn
from unrender.scene import Observation, Scene

LOOKS = {"red": 0.9, "green": 0.8, "blue": 0.7, "filled": 1.0, "thickness": 0.1}


def door(ajar: float = 0.0) -> list[Observation]:
    """A frame, a leaf that is the narrower the more the door is ajar, and a knob that goes with it."""
    return [
        Observation("square", (100.0, 100.0), (80.0, 140.0), 0.0, LOOKS),
        Observation("square", (100.0 - 12 * ajar, 104.0), (60.0 - 24 * ajar, 124.0), 0.0, LOOKS),
        Observation("circle", (120.0 - 24 * ajar, 104.0), (12.0, 12.0), 0.0, LOOKS),
    ]


def scene_of(shapes: list[Observation]) -> Scene:
    return Scene(200, 200, [replace(own, depth=i) for i, own in enumerate(shapes)])


@pytest.fixture(scope="module")
def plain() -> Network:
    return learn(Network({}), scene_of(door()), "door", None).network


@pytest.fixture(scope="module")
def route(plain: Network) -> Route:
    scene = scene_of(door(1.0))
    node = Observation("door", (100.0, 100.0), (80.0, 140.0), route="door/1", parts=scene.axioms)
    return learn_attribute(plain, scene, node, "ajar").route


def test_samples_are_parts_that_g_drew_with_their_own_attributes(route: Route) -> None:
    seen, own = samples(replace(route, noticer=None), np.random.default_rng(0))
    assert seen.shape == (len(own), len(route.parts) * (5 + len(route.names)))
    assert own.shape[1] == 1
    assert own.min() == 0.0
    assert 0.9 < own.max() <= 1.0
    leaf = seen.reshape(len(seen), 3, -1)[:, 1, 2]  # its width: the more ajar, the narrower
    assert np.corrcoef(leaf, own[:, 0])[0, 1] < -0.9


def test_gamma_new_has_one_output_for_each_own_attribute_and_the_parts_for_inputs(route: Route) -> None:
    assert route.own == ("ajar",)
    assert route.noticer is not None
    assert route.noticer.weights[-1].shape[0] == 1
    assert route.noticer.weights[0].shape[1] == len(route.parts) * (5 + len(route.names))


@pytest.mark.parametrize("value", [0.0, 0.2, 0.4, 0.6, 0.8, 1.0])
def test_gamma_tells_how_much_of_it_parts_show_wherever_they_are(route: Route, value: float) -> None:
    parts = tuple(door(value))
    assert route.encode(parts, 0.0).attributes["ajar"] == pytest.approx(value, abs=0.1)


def test_what_is_noticed_stays_between_nothing_and_all(route: Route) -> None:
    for value in (-0.6, 1.6):
        parts = tuple(door(value))
        whole = replace(route, noticer=None).encode(parts, 0.0)
        assert 0.0 <= route.noticed(Entry(parts, whole))["ajar"] <= 1.0


def test_parts_at_rest_have_no_offsets(route: Route) -> None:
    rest = replace(route.memory[0].whole, attributes=route.memory[0].whole.attributes | {"ajar": 0.0})
    parts = tuple(route.typical(rest))
    assert route.offsets(Entry(parts, rest)) == pytest.approx(0.0, abs=1e-6)


def test_typical_parts_follow_the_own_attributes_as_memory_has_them(route: Route) -> None:
    for entry in route.memory:
        for was, now in zip(entry.parts, route.typical(entry.whole), strict=True):
            assert now.position == pytest.approx(was.position, abs=0.5)
            assert now.size == pytest.approx(was.size, rel=0.02)


def test_varied_gives_inputs_and_rows_of_any_number_of_values(route: Route) -> None:
    inputs, rows = route.varied(np.linspace(0.0, 1.0, 5)[:, None])
    assert inputs.shape == (5, 1 + len(route.names))
    assert rows.shape == (5, 3, 5 + len(route.names))
    assert inputs[:, 1 + route.names.index("ajar")].tolist() == pytest.approx([0, 0.25, 0.5, 0.75, 1])
    assert (np.diff(rows[:, 1, 2]) < 0).all()


def test_a_route_without_own_attributes_has_no_gamma_new(plain: Network) -> None:
    (route,) = plain.capsules["door"].routes
    assert route.own == ()
    assert fit_noticer(route).noticer is None
    assert route.noticed(route.memory[0]) == {}


def test_the_same_route_gives_the_same_gamma_new(route: Route) -> None:
    again = fit_noticer(route).noticer
    assert again is not None
    assert route.noticer is not None
    for name, values in route.noticer.tensors().items():
        assert np.array_equal(values, again.tensors()[name])
