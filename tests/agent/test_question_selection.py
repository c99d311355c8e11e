"""When a question is asked, about what, and when not again."""

import gc
from collections.abc import Callable
from pathlib import Path
from weakref import ref

import pytest

import unrender
from unrender import Brain, Observation, Scene


def kinds(scene: Scene) -> list[str] | None:
    return None if scene.question is None else sorted(part.symbol for part in scene.question.parts)


SHIP = ["circle", "square", "triangle", "triangle", "triangle"]


def test_one_axiom_or_none_leaves_nothing_to_ask(brain: Brain, build: Callable, show: Callable) -> None:
    assert brain.see_again(show(build())).question is None
    assert brain.see_again(show(build()[:1])).question is None
    assert brain.see_again(show()).question is None


def test_more_than_one_axiom_is_a_question_about_some_of_them(build: Callable, show: Callable) -> None:
    scene = unrender.open().see_again(show(build(), build("asteroid", at=(380.0, 380.0))))
    assert kinds(scene) == SHIP
    assert all(any(part is axiom for axiom in scene.axioms) for part in scene.question.parts)


def test_the_question_stays_the_same_until_it_is_answered(build: Callable, show: Callable) -> None:
    scene = unrender.open().see_again(show(build()))
    assert scene.question is scene.question
    assert not scene.question.answered


def test_what_nearly_is_something_known_comes_before_what_is_not(
    brain: Brain, build: Callable, show: Callable
) -> None:
    shapes = build(damaged=1.0, at=(380.0, 380.0))
    for scene in (show(shapes, build("station")), show(build("station"), shapes)):
        assert brain.see_again(scene).question.resembles == "ship"


def test_a_skipped_question_is_not_asked_again_of_this_scene_or_of_parts_like_these(
    build: Callable, show: Callable
) -> None:
    brain = unrender.open()
    scene = brain.see_again(show(build()))
    assert kinds(scene) == SHIP
    brain.skip(scene.question)
    assert scene.question.answered
    assert kinds(brain.see_again(scene)) != SHIP
    assert kinds(brain.see_again(show(build(form=0, at=(300.0, 60.0))[:4]))) != SHIP[:4]


def test_what_was_skipped_stays_so_when_the_brain_is_opened_again_until_it_is_undone(
    tmp_path: Path, build: Callable, show: Callable
) -> None:
    trio = build("asteroid")
    with unrender.open(tmp_path / "a.brain") as brain:
        brain.skip(brain.see_again(show(trio)).question)
        assert [lesson.kind for lesson in brain.lessons] == ["skip"]
    other = build("asteroid", 1)
    with unrender.open(tmp_path / "a.brain") as brain:
        assert brain.see_again(show(other)).question is None
        brain.undo()
        assert brain.see_again(show(other)).question is not None


def test_skipping_teaches_nothing(brain: Brain, build: Callable, show: Callable) -> None:
    known, matrix = str(brain.grammar), brain.matrix
    brain.skip(brain.see_again(show(build("asteroid"))).question)
    assert str(brain.grammar) == known
    assert brain.matrix == matrix


def test_what_was_skipped_is_asked_about_once_it_comes_again_arranged_alike(
    build: Callable, show: Callable
) -> None:
    brain = unrender.open()
    brain.skip(brain.see_again(show(build("asteroid"))).question)
    assert brain.see_again(show(build("asteroid", 1))).question is None
    again = brain.see_again(show(build("asteroid", at=(300.0, 200.0), turn=50.0)))
    assert kinds(again) == ["circle", "circle", "circle"]


def test_parts_of_a_kind_that_was_skipped_are_asked_about_if_they_nearly_are_something_known(
    build: Callable, show: Callable
) -> None:
    brain = unrender.open()
    brain.skip(brain.see_again(show(build())).question)
    brain.teach(show(build()), "ship")
    assert brain.see_again(show(build(damaged=1.0))).question.resembles == "ship"


def test_wholes_of_a_known_kind_may_belong_together(brain: Brain, build: Callable, show: Callable) -> None:
    pair = [build(at=(100.0, 120.0)), build(at=(220.0, 120.0), turn=20.0)]
    scene = brain.see_again(show(*pair))
    assert [axiom.symbol for axiom in scene.axioms] == ["ship", "ship"]
    brain.answer(scene.question, "fleet")
    (fleet,) = brain.see_again(scene).axioms
    assert (fleet.symbol, [part.symbol for part in fleet.parts]) == ("fleet", ["ship", "ship"])


def test_parts_are_tracked_from_frame_to_frame(build: Callable, show: Callable) -> None:
    brain = unrender.open()
    before = brain.see_again(show(build()))
    assert "parts tracked" not in before.question.features
    after = brain.see_again(show(build(at=(104.0, 102.0))), after=before)
    assert "parts tracked" in after.question.features


def test_seeing_and_asking_write_nothing(tmp_path: Path, build: Callable, show: Callable) -> None:
    path = tmp_path / "a.brain"
    with unrender.open(path) as brain:
        brain.teach(show(build()), "ship")
        before = path.read_bytes()
        assert brain.see_again(show(build("asteroid"))).question is not None
        scene = brain.see_again(show(build(damaged=1.0)))
        brain.ask_about(scene, scene.primitives)
        assert path.read_bytes() == before


def test_two_shapes_far_apart_may_be_asked_about_and_declined_for_good(show: Callable) -> None:
    brain = unrender.open()
    far = [Observation("circle", (30.0, 30.0), (9.0, 9.0)), Observation("square", (460.0, 460.0), (9.0, 9.0))]
    for _ in range(2):
        scene = brain.see_again(show(far))
        if scene.question is not None:
            brain.skip(scene.question)
    assert brain.see_again(show(far)).question is None


def test_a_scene_that_was_seen_asked_about_and_learned_from_is_let_go(
    brain: Brain, build: Callable, show: Callable
) -> None:
    seen = []
    for _ in range(3):
        scene = brain.see_again(show(build(), build("asteroid", at=(380.0, 380.0))))
        assert "ship" in {part.symbol for part in scene.question.parts} | {a.symbol for a in scene.axioms}
        seen.append(ref(scene))
    brain.teach(scene, "pair")
    brain.see_again(show(build()))
    del scene
    gc.collect()
    assert [own() for own in seen] == [None, None, None]


def test_an_edit_of_a_scene_does_not_change_what_was_learned_from_it(build: Callable, show: Callable) -> None:
    brain = unrender.open()
    scene = brain.see_again(show(build()))
    brain.teach(scene, "ship")
    before = brain.symbols["ship"][0].memory[0].to_dict()
    for node in scene.observations:
        node.attributes["red"] = 0.123
    assert brain.symbols["ship"][0].memory[0].to_dict() == before


# asking is reading


def pictures(build: Callable) -> list[list[Observation]]:
    """Circles in two arrangements, and the second one again elsewhere."""
    second = build("asteroid", 1)
    return [build("asteroid"), second, build(), build("asteroid", 1, at=(300.0, 200.0), turn=50.0)]


@pytest.mark.parametrize("times", [0, 1, 3])
def test_whether_and_how_often_a_question_is_read_makes_no_difference_later(
    times: int, build: Callable, show: Callable
) -> None:
    first, *between, last = pictures(build)
    brain = unrender.open()
    brain.skip(brain.see_again(show(first)).question)
    for shapes in between:
        scene = brain.see_again(show(shapes))
        for _ in range(times):
            scene.question  # noqa: B018
            brain.see_again(scene).question  # noqa: B018
    again = brain.see_again(show(last)).question
    assert again is not None, "it has been there before"
    assert str(again) == "I see three circles close together that I have no name for. " + (
        "What new noun best describes them?"
    )


def test_a_scene_that_is_understood_anew_is_not_seen_twice(build: Callable, show: Callable) -> None:
    first, second, *_ = pictures(build)
    brain = unrender.open()
    brain.skip(brain.see_again(show(first)).question)
    scene = brain.see_again(show(second))
    for _ in range(3):
        assert scene.question is None
        scene = brain.see_again(scene)


def test_an_edit_of_a_scene_does_not_change_what_is_remembered_of_it(build: Callable, show: Callable) -> None:
    first, second, _, last = pictures(build)
    brain = unrender.open()
    brain.skip(brain.see_again(show(first)).question)
    scene = brain.see_again(show(second))
    for node in scene.observations:
        node.position = (10.0, 10.0)
    assert brain.see_again(show(last)).question is not None
