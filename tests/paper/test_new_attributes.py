"""Section "New Attributes and Re-Training": inheritance, and an attribute that the agent adds.

γ(α_λ) = γ_old(α_λ) ⊕ γ_new(α_λ)
g is trained on (γ_old(T(U(α_λ))) ⊕ α_new, T(U(α_λ)))
γ_new is trained on (g(α_old ⊕ α_new), α_new)
"""

from dataclasses import replace

import numpy as np
import pytest

from unrender.capsules.experience import Entry
from unrender.capsules.network import Network
from unrender.capsules.route import Route
from unrender.learning.objects import attribute_encoder, decode
from unrender.learning.objects.attribute import AttributeLesson, learn_attribute
from unrender.learning.objects.inherit import inherit
from unrender.learning.objects.lesson import learn
from unrender.scene import Observation, Scene

LOOKS = {"red": 0.9, "green": 0.5, "blue": 0.0, "filled": 1.0, "thickness": 0.0}


def chair(classical: float = 0.0) -> list[Observation]:
    """A back, a seat and a leg; the more classical, the rounder the seat and the higher the back."""
    return [
        Observation("square", (100.0, 70.0 - 6 * classical), (16.0, 80.0 + 12 * classical), 0.0, LOOKS),
        Observation("circle", (100.0, 120.0), (90.0, 30.0 + 14 * classical), 0.0, LOOKS),
        Observation("triangle", (100.0, 150.0), (40.0, 50.0), 0.0, LOOKS),
    ]


def scene_of(shapes: list[Observation]) -> Scene:
    return Scene(250, 250, [replace(own, depth=i) for i, own in enumerate(shapes)])


@pytest.fixture(scope="module")
def old() -> Network:
    """Knows a modern chair."""
    return learn(Network({}), scene_of(chair()), "chair", None).network


@pytest.fixture(scope="module")
def lesson(old: Network) -> AttributeLesson:
    """And now one that is classical."""
    scene = scene_of(chair(1.0))
    node = Observation("chair", (100.0, 100.0), (90.0, 145.0), route="chair/1", parts=scene.axioms)
    return learn_attribute(old, scene, node, "classical")


@pytest.fixture(scope="module")
def before(old: Network) -> Route:
    return old.capsules["chair"].routes[0]


def test_every_attribute_vector_in_memory_is_expanded_by_the_new_attribute_set_to_0(
    before: Route, lesson: AttributeLesson
) -> None:
    *known, example = lesson.route.memory
    assert len(known) == len(before.memory)
    for was, now in zip(before.memory, known, strict=True):
        assert now.whole.attributes == was.whole.attributes | {"classical": 0.0}
    assert example.whole.attributes["classical"] == 1.0


def test_g_is_replaced_by_a_model_of_increased_input_width(before: Route, lesson: AttributeLesson) -> None:
    g_old, g_new = before.decoder, lesson.route.decoder
    assert g_old is not None
    assert g_new is not None
    assert g_new.weights[0].shape[1] == g_old.weights[0].shape[1] + 1


def test_g_is_trained_on_gamma_old_beside_the_new_attribute(before: Route, lesson: AttributeLesson) -> None:
    """The first inputs are α_Ω of memory: what γ_old says of the parts, and then α_new."""
    route = lesson.route
    inputs, targets = decode.samples(route, np.random.default_rng(0))
    inputs = inputs + route.inputs.mean(0)
    for i, entry in enumerate(route.memory):
        gamma_old = before.encode(entry.parts, 0.0)
        alpha_new = entry.whole.attributes["classical"]
        assert inputs[i].tolist() == pytest.approx([*before.told(gamma_old), alpha_new])
        parts = (targets[i].reshape(route.rest.shape) + route.rest)[:, :5]
        assert parts == pytest.approx(route.framed(entry, route.rows[0])[:, :5])
    invented = inputs[len(route.memory) :]
    assert np.ptp(invented[:, -1]) > 0.9


def test_g_draws_the_parts_of_any_value_of_the_new_attribute(lesson: AttributeLesson) -> None:
    route = lesson.route
    for value in (0.0, 0.3, 0.7, 1.0):
        whole = route.encode(chair(value), 0.0)
        drawn = route.decode(replace(whole, attributes=whole.attributes | {"classical": value}))
        for wanted, part in zip(chair(value), drawn, strict=True):
            assert part.position == pytest.approx(wanted.position, abs=2.5)
            assert part.size == pytest.approx(wanted.size, rel=0.06)


def test_gamma_is_gamma_old_beside_gamma_new(before: Route, lesson: AttributeLesson) -> None:
    for value in (0.2, 0.9):
        gamma, gamma_old = lesson.route.encode(chair(value), 0.0), before.encode(chair(value), 0.0)
        alpha_new = lesson.route.noticed(Entry(tuple(chair(value)), gamma_old))
        assert list(alpha_new) == ["classical"]
        assert gamma.attributes == pytest.approx(gamma_old.attributes | alpha_new)
        assert (gamma.position, gamma.size) == (gamma_old.position, gamma_old.size)


def test_gamma_new_has_one_output_and_is_trained_from_the_parts_that_the_new_g_draws(
    lesson: AttributeLesson,
) -> None:
    assert lesson.route.noticer is not None
    assert lesson.route.noticer.weights[-1].shape[0] == 1
    route = replace(lesson.route, noticer=None)
    drawn, alpha_new = attribute_encoder.samples(route, np.random.default_rng(0))
    assert len(drawn) == len(alpha_new)
    memory = drawn[-len(route.memory) :]  # memory's own values, drawn by g
    for parts, entry in zip(memory, route.memory, strict=True):
        clean = route.offsets(Entry(tuple(route.decode(entry.whole)), entry.whole))
        assert parts.reshape(3, -1)[:, :5] == pytest.approx(clean.reshape(3, -1)[:, :5], abs=0.3)
    assert alpha_new[-2:, 0].tolist() == [0.0, 1.0]


def test_gamma_new_recovers_the_new_attribute(lesson: AttributeLesson) -> None:
    route = lesson.route
    for value in np.linspace(0.0, 1.0, 11):
        whole = replace(
            route.memory[0].whole,
            attributes=route.memory[0].whole.attributes | {"classical": float(value)},
            size=(90.0, 145.0 + 6 * float(value)),
        )
        assert route.encode(route.decode(whole), 0.0).attributes["classical"] == pytest.approx(value, abs=0.1)
        assert route.encode(chair(value), 0.0).attributes["classical"] == pytest.approx(value, abs=0.1)


def test_what_is_made_of_a_capsule_inherits_its_new_attribute(old: Network, lesson: AttributeLesson) -> None:
    lamp = Observation("circle", (200.0, 100.0), (40.0, 40.0), 0.0, LOOKS)
    scene = old.understand(scene_of([*chair(), lamp]))
    room = learn(old, scene, "room", None).network
    wider = Network({**room.capsules, "chair": lesson.network.capsules["chair"]})
    after, changed = inherit(wider, "chair")
    assert [route.name for route in changed] == ["room/1"]
    (route,) = after.capsules["room"].routes
    assert "classical" in route.names
    assert all(entry.whole.attributes["classical"] == 0.0 for entry in route.memory)
    width = [own.capsules["room"].routes[0].decoder.weights[0].shape[1] for own in (room, after)]
    assert width[1] == width[0] + 1


def test_a_value_between_what_is_known_is_placed_there(lesson: AttributeLesson) -> None:
    """B.1: more training data for an existing attribute."""
    more = _shown(lesson.network, 0.5)
    assert not more.new
    assert more.value == pytest.approx(0.5, abs=0.1)
    assert more.rescaled == 1.0
    assert len(more.route.memory) == len(lesson.route.memory) + 1


def test_past_what_is_known_the_older_values_are_rescaled(lesson: AttributeLesson) -> None:
    more = _shown(lesson.network, 1.6)
    assert more.value == 1.0
    assert more.rescaled == pytest.approx(1 / 1.6, abs=0.08)
    values = [entry.whole.attributes["classical"] for entry in more.route.memory]
    assert values == pytest.approx([0.0, more.rescaled, 1.0])
    assert more.route.encode(chair(0.8), 0.0).attributes["classical"] == pytest.approx(0.5, abs=0.1)


def _shown(network: Network, value: float) -> AttributeLesson:
    scene = scene_of(chair(value))
    node = Observation("chair", (100.0, 100.0), (90.0, 145.0), route="chair/1", parts=scene.axioms)
    return learn_attribute(network, scene, node, "classical")
