"""Sections "Meta-Learning" and "Results": what is not understood is asked about, and one word is learned."""

import contextlib
import io
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import unrender
from unrender import Answer, Brain, Cause, Observation, Question, Scene
from unrender.agent.oracle import Nobody, Truth
from unrender.cli import main
from unrender.cli.demo import tell
from unrender.cli.story.tell import Plan
from unrender.worlds import Asteroids

LOOKS = {"red": 0.8, "green": 0.6, "blue": 0.4, "filled": 1.0, "thickness": 0.0}


def shape(symbol: str, x: float, y: float, w: float, h: float, turn: float = 0.0) -> Observation:
    return Observation(symbol, (x, y), (w, h), turn, dict(LOOKS))


def chair(lean: float = 0.0, low: float = 0.0) -> list[Observation]:
    """Two legs, a seat, and a back that may lean."""
    return [
        shape("square", 70, 180, 8, 60),
        shape("square", 160, 180 + low, 8, 60),
        shape("circle", 115, 140, 120, 20),
        shape("triangle", 165 + lean, 100, 40, 60, lean),
    ]


def table() -> list[Observation]:
    """The same parts, which stand quite differently."""
    return [
        shape("square", 60, 60, 8, 60),
        shape("square", 90, 150, 60, 8),
        shape("circle", 200, 140, 20, 120),
        shape("triangle", 130, 220, 40, 60),
    ]


def scene_of(*shapes: Observation) -> Scene:
    return Scene(300, 300, [replace(own, depth=i) for i, own in enumerate(shapes)])


@pytest.fixture
def brain() -> Brain:
    """Knows a chair."""
    brain = unrender.open()
    brain.teach(scene_of(*chair()), "chair")
    return brain


@pytest.mark.paper(
    *("Meta-Learning", "Meta-Learning: A.2, a capsule is missing", "fig:DanglingCaps"),
    *("Meta-Learning: A.1, A.2, B.1, B.2", "Lexical Interpretation: questions"),
)
def test_several_axioms_are_asked_about_and_get_a_parent_in_common() -> None:
    brain, heard = unrender.open(), []

    def oracle(question: Question) -> str:
        heard.append(str(question))
        return "chair"

    done = unrender.attend(brain, scene_of(*chair()), oracle)
    assert heard[0].endswith("What new noun best describes them?")
    assert [axiom.symbol for axiom in done.scene.axioms] == ["chair"]


@pytest.mark.paper(
    "Meta-Learning: A.1, a route is lacking",
    "Meta-Learning: the capsule with the highest p that did not activate",
)
def test_another_arrangement_of_a_known_object_is_another_route(brain: Brain) -> None:
    scene = brain.see_again(scene_of(*table()))
    question = brain.ask_about(scene, scene.axioms)
    brain.answer(question, "chair", cause="A.1")
    assert [route.name for route in brain.symbols["chair"]] == ["chair/1", "chair/2"]


@pytest.mark.paper("Meta-Learning: parts that belong together")
def test_parts_that_lie_together_again_and_again_are_asked_about(brain: Brain) -> None:
    trio = [shape("circle", 40, 40, 20, 20), shape("circle", 62, 44, 22, 22), shape("square", 50, 62, 16, 16)]
    far = [replace(own, position=(own.position[0] + 190, own.position[1] + 190)) for own in trio]
    question = brain.see_again(scene_of(*trio, *far)).question
    assert question is not None
    assert sorted(part.symbol for part in question.parts) == ["circle", "circle", "square"]


@pytest.mark.paper("Meta-Learning: the oracle")
def test_the_truth_of_a_world_or_nobody_at_all_may_answer() -> None:
    true = (
        Asteroids(160, 160, ships=(1, 1), asteroids=(0, 0), loose=(0, 0))
        .sample(np.random.default_rng(0))
        .scene
    )
    for named in (True, False):
        brain = unrender.open()
        unrender.attend(brain, scene_of(*true.primitives), Truth(brain, true) if named else Nobody(brain))
        assert list(brain.symbols) == ["ship" if named else "object1"]


@pytest.mark.paper("tab:decisionMatrix")
def test_every_answer_is_counted_for_the_features_that_were_true() -> None:
    brain = unrender.open()
    brain.teach(scene_of(*chair()), "chair")
    before = brain.matrix.rows
    question = brain.ask_about(scene := brain.see_again(scene_of(*chair(20.0))), scene.primitives)
    brain.answer(question, Answer("leaning", Cause.MISSING_ATTRIBUTE))
    column = list(Cause).index(Cause.MISSING_ATTRIBUTE)
    assert before["same parent"] == (4, 3, 14, 12)
    for name in question.features:
        assert brain.matrix.rows[name][column] == before.get(name, (0, 0, 0, 0))[column] + 1


@pytest.mark.paper("Results")
def test_the_asteroid_world_knows_what_is_true_of_its_pictures() -> None:
    picture = Asteroids(160, 160, ships=(1, 1)).sample(np.random.default_rng(1))
    assert "ship/1" in [axiom.route for axiom in picture.scene.axioms]
    assert (picture.scene.image == picture.image).all()


@pytest.mark.paper(
    "Results: ship, asteroid, another asteroid, new scenes", "fig:Results", "fig:GrammarParseTree"
)
def test_two_oracles_end_up_with_two_networks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = tell(tmp_path, Plan(asteroids=0, belts=1, fresh=1))
    assert [len(route.parts) for route in one.brain.symbols["ship"]] == [5]
    assert sorted(other.brain.symbols["ship"][0].parts) == ["booster", "shuttle"]
    assert "[house]" in (tmp_path / "house.grammar").read_text()
    assert (tmp_path / "house.png").stat().st_size > 1000
    assert (tmp_path / "network-1.svg").read_text() != (tmp_path / "network-2.svg").read_text()
    monkeypatch.setattr("sys.stdin", io.StringIO("spaceship\n"))
    ship = sorted((tmp_path / "pictures").glob("*ship*"))[0]
    with contextlib.chdir(tmp_path), pytest.raises(SystemExit):
        main(["learn", str(ship), "-b", "mine.brain"])
    with unrender.open(tmp_path / "mine.brain") as brain:
        assert list(brain.symbols) == ["spaceship"]
