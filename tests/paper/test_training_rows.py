"""Section "Training Capsules": γ from drawings, g from one example, attributes from one more."""

import contextlib
import json
from dataclasses import replace
from pathlib import Path

import pytest

import unrender
from unrender import Brain, Observation, Scene
from unrender.cli import main

LOOKS = {"red": 0.9, "green": 0.5, "blue": 0.0, "filled": 1.0, "thickness": 0.0}


def chair(classical: float = 0.0, x: float = 100.0) -> list[Observation]:
    """A back, a seat and a leg; the more classical, the rounder the seat and the higher the back."""
    return [
        Observation("square", (x, 70.0 - 6 * classical), (16.0, 80.0 + 12 * classical), 0.0, LOOKS),
        Observation("circle", (x, 120.0), (90.0, 30.0 + 14 * classical), 0.0, LOOKS),
        Observation("triangle", (x, 150.0), (40.0, 50.0), 0.0, LOOKS),
    ]


def scene_of(*shapes: Observation) -> Scene:
    return Scene(300, 250, [replace(own, depth=i) for i, own in enumerate(shapes)])


def seen_as_chair(scene: Scene) -> Observation:
    """The chair in whose place these shapes stand."""
    return Observation("chair", (100.0, 100.0), (90.0, 145.0), route="chair/1", parts=scene.axioms)


def taught(regime: str | None = None) -> Brain:
    """Knows a modern chair."""
    brain = unrender.open()
    brain.teach(scene_of(*chair()), "chair", regime=regime)
    return brain


def shown(brain: Brain, classical: float, value: float | None = None) -> None:
    """And now one that is classical."""
    scene = scene_of(*chair(classical))
    brain.teach_attribute(scene, seen_as_chair(scene), "classical", value)


@pytest.mark.paper(
    *("Training Capsules", "Training Primitive Capsules", "(f(g(Q_j(χ))), Q_j(χ))"),
    "Implementation, Results and Comparison",
)
def test_gamma_is_trained_on_drawings_alone_and_then_finds_shapes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from unrender.learning.primitives import train

    monkeypatch.setattr(train.score, "__defaults__", (16,))  # pictures
    with contextlib.chdir(tmp_path), pytest.raises(SystemExit) as ended:
        main(["train", "circle", "--steps", "1", "--out", "trained"])
    assert ended.value.code == 0
    assert json.loads((tmp_path / "trained" / "circle.json").read_text())["steps"] == 1
    brain = taught()
    seen = brain.see(brain.draw("circle", size=(30, 30)), proposals=["encoder"])
    assert [axiom.symbol for axiom in seen.axioms] == ["circle"]


@pytest.mark.paper("Training Semantic Capsules", "eq:AugmentedTrainingSet")
def test_one_example_trains_g_with_a_frame_or_on_samples_of_t_and_u(monkeypatch: pytest.MonkeyPatch) -> None:
    from unrender.learning.objects import plain

    monkeypatch.setattr(plain.fit_plain, "__defaults__", (0, 300))  # steps: enough to come near
    framed, sampled = taught(), taught("plain")
    for brain, near in ((framed, 0.5), (sampled, 30.0)):
        (route,) = brain.symbols["chair"]
        for was, now in zip(route.memory[0].parts, route.decode(route.memory[0].whole), strict=True):
            assert now.position == pytest.approx(was.position, abs=near)


@pytest.mark.paper("eq:OriginalTrainingSet")
def test_g_of_one_example_is_that_example() -> None:
    (route,) = taught().symbols["chair"]
    for was, now in zip(chair(), route.decode(route.memory[0].whole), strict=True):
        assert now.position == pytest.approx(was.position, abs=1e-3)
        assert now.size == pytest.approx(was.size, abs=1e-3)
        assert now.rotation == pytest.approx(was.rotation, abs=1e-3)


@pytest.mark.paper("New Attributes and Re-Training")
def test_a_new_attribute_is_inherited_by_what_is_made_of_it() -> None:
    brain = taught()
    table = Observation("circle", (230.0, 100.0), (60.0, 60.0), 0.0, LOOKS)
    brain.teach(brain.understand(scene_of(*chair(), table)), "room")
    assert "classical" not in (brain.knows("room") or ())
    shown(brain, 1.0)
    assert "classical" in (brain.knows("room") or ())


@pytest.mark.paper("γ = γ^old ⊕ γ^new")
def test_gamma_tells_the_new_attribute_beside_the_old_ones() -> None:
    brain = taught()
    shown(brain, 1.0)
    for classical in (0.0, 1.0):
        (seen,) = brain.understand(scene_of(*chair(classical))).axioms
        assert seen.attributes["classical"] == pytest.approx(classical, abs=0.1)
        assert seen.attributes["red"] == pytest.approx(0.9)


@pytest.mark.paper("training g with α^new", "training γ^new", "Meta-Learning: B.2, an attribute is missing")
def test_g_draws_what_lies_between_the_examples() -> None:
    brain = taught()
    shown(brain, 1.0)
    (route,) = brain.symbols["chair"]
    (half,) = brain.understand(scene_of(*chair(0.5))).axioms
    assert half.attributes["classical"] == pytest.approx(0.5, abs=0.1)
    assert route.decode(half)[1].size[1] == pytest.approx(37.0, abs=0.5)


@pytest.mark.paper("Meta-Learning: B.1, training data is lacking")
def test_one_more_example_of_an_attribute_is_placed_between_those_known() -> None:
    brain = taught()
    shown(brain, 1.0)
    shown(brain, 0.5)
    (route,) = brain.symbols["chair"]
    assert route.memory[-1].whole.attributes["classical"] == pytest.approx(0.5, abs=0.1)
    (seen,) = brain.understand(scene_of(*chair(0.25))).axioms
    assert seen.symbol == "chair"
