"""Section "Meta-Learning": the four causes, Table decisionMatrix and its features, and the oracle."""

from collections.abc import Callable
from dataclasses import replace

import pytest

import unrender
from unrender import Brain, Cause, Observation, Scene
from unrender.agent.features import features
from unrender.agent.matrix import DecisionMatrix

A1, A2, B1, B2 = Cause
LOOKS = {"red": 0.8, "green": 0.6, "blue": 0.4, "filled": 1.0, "thickness": 0.0}


def scene_of(*shapes: Observation) -> Scene:
    return Scene(300, 300, [replace(own, depth=i) for i, own in enumerate(shapes)])


def shape(symbol: str, x: float, y: float, w: float, h: float, turn: float = 0.0) -> Observation:
    return Observation(symbol, (x, y), (w, h), turn, dict(LOOKS))


def chair(lean: float = 0.0) -> list[Observation]:
    """Of the paper's example: four legs and a panel, and a back that may lean."""
    legs = [shape("square", x, 180, 8, 60) for x in (70.0, 100.0, 130.0, 160.0)]
    return [*legs, shape("circle", 115, 140, 120, 20), shape("triangle", 165 + lean, 100, 40, 60, lean)]


def stool() -> list[Observation]:
    """Four legs, spread like a star below a seat, and the cushion beside it."""
    legs = [
        shape("square", 60, 60, 40, 8),
        shape("square", 200, 60, 40, 8),
        shape("square", 60, 220, 8, 40),
        shape("square", 200, 220, 8, 40),
    ]
    return [*legs, shape("circle", 130, 140, 60, 60), shape("triangle", 130, 60, 30, 30)]


@pytest.fixture
def brain() -> Brain:
    brain = unrender.open()
    brain.teach(scene_of(*chair()), "chair")
    return brain


# the causes


def test_more_than_one_observed_axiom_means_that_the_network_is_incomplete(brain: Brain) -> None:
    complete, incomplete = brain.see_again(scene_of(*chair())), brain.see_again(scene_of(*stool()))
    assert (len(complete.axioms), complete.question) == (1, None)
    assert len(incomplete.axioms) > 1
    assert incomplete.question is not None


@pytest.mark.parametrize(
    ("cause", "question"),
    [
        (A1, "What existing symbol best describes these parts?"),
        (A2, "What new symbol best describes these parts?"),
        (B1, "What existing attribute best describes this style or pose?"),
        (B2, "What new attribute best describes this style or pose?"),
    ],
)
def test_each_cause_asks_what_the_paper_asks(cause: Cause, question: str) -> None:
    assert cause.question == question


def asked(brain: Brain, shapes: list[Observation]) -> unrender.Question:
    scene = brain.see_again(scene_of(*shapes))
    return scene.question or brain.ask_about(scene, scene.primitives)


def test_a1_a_capsule_that_lacks_a_route_gets_one(brain: Brain) -> None:
    question = asked(brain, stool())
    brain.answer(question, "chair", cause=A1, parts=question.scene.primitives)
    assert [route.name for route in brain.symbols["chair"]] == ["chair/1", "chair/2"]


def test_a2_a_capsule_that_is_missing_is_made(brain: Brain) -> None:
    brain.answer(asked(brain, stool()), "stool", cause=A2)
    assert set(brain.symbols) == {"chair", "stool"}


def test_b1_an_attribute_that_lacks_data_gets_some(brain: Brain) -> None:
    brain.answer(asked(brain, chair(lean=12.0)), "position", cause=B1)
    assert [len(route.memory) for route in brain.symbols["chair"]] == [2]


def test_b2_an_attribute_that_is_missing_is_added(brain: Brain) -> None:
    brain.answer(asked(brain, chair(lean=12.0)), "leaning", cause=B2)
    assert brain.knows("chair")[-1] == "leaning"
    assert [route.name for route in brain.symbols["chair"]] == ["chair/1"]


# the decision matrix

TABLE = {
    "same parent": (4, 3, 14, 12),
    "not the same parent": (5, 19, 1, 0),
    "parts tracked": (14, 1, 17, 12),
    "one attribute never seen": (1, 0, 12, 2),
    "pose only": (4, 3, 13, 10),
    "more than half": (12, 14, 4, 4),
}


def test_the_matrix_has_the_counts_of_the_papers_table() -> None:
    assert DecisionMatrix.paper().rows == TABLE
    assert unrender.open().matrix == DecisionMatrix.paper()


@pytest.mark.parametrize("name", TABLE)
def test_every_row_of_the_table_is_a_feature(name: str) -> None:
    assert features()[name].meaning


@pytest.mark.parametrize(("name", "row"), TABLE.items())
def test_a_single_feature_decides_for_the_largest_number_of_its_row(name: str, row: tuple[int, ...]) -> None:
    assert DecisionMatrix.paper().decide([name]) is list(Cause)[row.index(max(row))]


def test_a_decision_sums_the_rows_of_the_true_features() -> None:
    """By hand: (4, 3, 14, 12) + (14, 1, 17, 12) + (4, 3, 13, 10) = (22, 7, 44, 34)."""
    votes = DecisionMatrix.paper().votes(["same parent", "parts tracked", "pose only"])
    assert votes == {A1: 22, A2: 7, B1: 44, B2: 34}
    assert list(votes) == [B1, B2, A1, A2]
    assert DecisionMatrix.paper().decide(["not the same parent", "more than half"]) is A2


def test_a_question_is_decided_by_its_own_features(brain: Brain) -> None:
    for shapes in (chair(lean=14.0), stool()):
        question = asked(brain, shapes)
        assert question.cause is brain.matrix.decide(question.features)


def test_the_oracles_decisions_are_counted(brain: Brain) -> None:
    question = asked(brain, stool())
    brain.answer(question, "stool", cause=A2)
    for name in question.features:
        before = TABLE.get(name, (0, 0, 0, 0))
        assert brain.matrix.rows[name] == (before[0], before[1] + 1, *before[2:])
    others = set(TABLE) - set(question.features)
    assert all(brain.matrix.rows[name] == TABLE[name] for name in others)


# the features, each true and false


@pytest.mark.parametrize(
    ("name", "true", "false"),
    [
        ("same parent", lambda: chair(lean=14.0), lambda: chair()[:4]),
        ("not the same parent", lambda: chair()[:4], lambda: chair(lean=14.0)),
        ("pose only", lambda: chair(lean=14.0), lambda: chair()),
        ("one attribute never seen", lambda: _thick(chair()), lambda: chair(lean=14.0)),
    ],
)
def test_features_of_the_parts_and_of_z(
    name: str, true: Callable[[], list[Observation]], false: Callable[[], list[Observation]], brain: Brain
) -> None:
    for shapes, expected in ((true(), True), (false(), False)):
        scene = brain.see_again(scene_of(*shapes))
        assert (name in brain.ask_about(scene, scene.primitives).features) is expected


def _thick(shapes: list[Observation]) -> list[Observation]:
    """With a thick outline around one part, which memory has never seen."""
    shapes[4] = replace(shapes[4], attributes=LOOKS | {"thickness": 0.9})
    return shapes


def test_feature_parts_tracked_from_previous_scenes() -> None:
    brain = unrender.open()
    first = brain.see_again(scene_of(*chair()))
    assert "parts tracked" not in first.question.features
    moved = [replace(own, position=(own.position[0] + 5, own.position[1] + 2)) for own in chair()]
    second = brain.see_again(scene_of(*moved), after=first)
    assert "parts tracked" in second.question.features


def test_feature_mismatch_for_more_than_half_of_all_attributes(brain: Brain) -> None:
    """By hand: of a chair's 6 · (3 + 5) attributes more than 24 do not agree."""
    from unrender.agent.features import Situation
    from unrender.agent.resemblance import nearest

    wild = [
        replace(
            own,
            size=tuple(side * (0.3, 3.0)[i % 2] for side in own.size),
            rotation=own.rotation + 40 * (-1) ** i,
            attributes=dict.fromkeys(LOOKS, float(i % 2)),
        )
        for i, own in enumerate(chair())
    ]
    for shapes, expected in ((wild, True), (chair(lean=14.0), False)):
        scene = scene_of(*shapes)
        near = nearest(brain._knowledge.network, scene.axioms)
        assert near is not None
        assert (len(near.mismatches) > 24) is expected
        assert features()["more than half"].test(Situation(scene, scene.axioms, near)) is expected


# the oracle


def test_the_oracle_may_be_removed_at_any_time_and_learning_goes_on() -> None:
    from unrender.agent.oracle import Nobody

    brain = unrender.open()
    unrender.attend(brain, scene_of(*chair()), lambda question: "chair")
    unrender.attend(brain, scene_of(*stool()), Nobody(brain))
    for shapes in (chair(), stool()):
        assert len(brain.see_again(scene_of(*shapes)).axioms) == 1


def test_the_agent_poses_an_actual_question(brain: Brain) -> None:
    question = str(asked(brain, chair(lean=14.0)))
    assert "chair, but" in question
    assert question.endswith("?")
