"""Every feature by name: true in one situation, false in another."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest

from unrender import Brain, Observation, UnrenderError
from unrender.agent import features as module
from unrender.agent.features import Situation, feature, features, true_features
from unrender.agent.resemblance import nearest
from unrender.scene.tracking.follow import follow

Shapes = list[Observation]


@pytest.fixture
def judge(brain: Brain, show: Callable) -> Callable[[Shapes], set[str]]:
    """The features that hold for shapes in front of a brain that knows the ship."""

    def judge(shapes: Shapes) -> set[str]:
        scene = show(shapes)
        return set(
            true_features(Situation(scene, scene.axioms, nearest(brain._knowledge.network, scene.axioms)))
        )

    return judge


@pytest.fixture
def forget() -> Iterator[None]:
    """Forgets after the test which features were registered in it."""
    known = set(features())
    yield
    for name in set(features()) - known:
        del module._FEATURES[name]


def changed(shapes: Shapes, number: int, **values: object) -> Shapes:
    return [replace(own, **values) if i == number else own for i, own in enumerate(shapes)]


def filled(shape: Observation) -> dict[str, float]:
    return shape.attributes | {"filled": 1.0}


def dishevelled(shapes: Shapes) -> Shapes:
    """Every part another one: its size, its rotation and every second one's looks."""
    return [
        replace(
            own,
            size=(own.size[0] * (0.4, 2.5)[i % 2], own.size[1] * (0.4, 2.5)[i % 2]),
            rotation=own.rotation + (40.0, -40.0)[i % 2],
            attributes={name: 1 - v if i % 2 else v for name, v in own.attributes.items()},
        )
        for i, own in enumerate(shapes)
    ]


def test_same_parent(judge: Callable, build: Callable) -> None:
    assert "same parent" in judge(build(damaged=1.0))
    assert "same parent" not in judge(build("asteroid"))
    assert "same parent" not in judge(build()[:4])


def test_not_the_same_parent(judge: Callable, build: Callable) -> None:
    assert "not the same parent" in judge(build("asteroid"))
    assert "not the same parent" in judge([*build(), *build("asteroid", at=(100.0, 160.0))[:1]])
    assert "not the same parent" not in judge(build(damaged=1.0))


def test_parts_tracked(build: Callable, show: Callable) -> None:
    first = show(build("asteroid"))
    second = show(build("asteroid", at=(104.0, 101.0)), build("asteroid", 1, at=(400.0, 400.0)))
    follow(second, first)
    tracked = features()["parts tracked"]
    assert tracked.test(Situation(second, second.axioms[:3], None))
    assert not tracked.test(Situation(second, second.axioms, None))
    assert not tracked.test(Situation(first, first.axioms, None))
    assert not tracked.test(Situation(show(build()), show(build()).axioms, None))
    apart = [
        replace(own, position=(own.position[0] + 3 * i, own.position[1]))
        for i, own in enumerate(first.axioms)
    ]
    third = show(apart)
    follow(third, first)
    assert tracked.test(Situation(third, third.axioms, None)), "whether or not they move as one"
    assert tracked.meaning == "all of them have been tracked from earlier scenes"


def test_one_attribute_never_seen(judge: Callable, build: Callable) -> None:
    ship = build()
    name = "one attribute never seen"
    assert name in judge(changed(ship, 0, attributes=filled(ship[0])))
    assert name not in judge(changed(ship, 0, attributes=ship[0].attributes | {"red": 0.0}))
    assert name not in judge(changed(ship, 1, position=(116.0, 64.0)))


def test_pose_only(judge: Callable, build: Callable) -> None:
    ship = build()
    assert "pose only" in judge(build(damaged=1.0))
    assert "pose only" not in judge(changed(ship, 1, position=(116.0, 64.0), attributes=filled(ship[1])))
    assert "pose only" not in judge(ship)


def test_more_than_half(judge: Callable, build: Callable) -> None:
    assert "more than half" in judge(dishevelled(build()))
    assert "more than half" not in judge(build(damaged=1.0))


def jittered(shapes: Shapes, much: float, seed: int) -> Shapes:
    """Every part moved, turned and scaled a little at random."""
    rng = np.random.default_rng(seed)
    return [
        replace(
            own,
            position=tuple(own.position + rng.uniform(-12.0, 12.0, 2) * much),
            rotation=own.rotation + float(rng.uniform(-20.0, 20.0)) * much,
            size=tuple(own.size * np.exp(rng.uniform(-0.3, 0.3, 2) * much)),
        )
        for own in shapes
    ]


def test_every_feature_holds_in_one_situation_and_not_in_another(
    shipwright: Brain, build: Callable, show: Callable
) -> None:
    """What is not named above tells at least some of these apart."""
    some = [
        build(),
        build("asteroid"),
        build(form=1),
        build()[:4],
        dishevelled(build()),
        *([*build(), *build("asteroid", at=(100.0, 160.0))[:more]] for more in (1, 2, 3)),
        *(build(damaged=value) for value in (0.5, 1.0, 1.5, 2.0)),
        *(changed(build(), 1, position=(100.0 + off, 64.0)) for off in (4.0, 8.0, 16.0, 24.0, 40.0)),
        *(changed(build(), 0, attributes=filled(own)) for own in build()[:1]),
        *(jittered(build(), much, seed) for much in (0.5, 1.0, 1.5, 2.0) for seed in range(3)),
    ]
    held = []
    for shapes in some:
        before, scene = show(shapes), show(shapes)
        follow(scene, before)
        near = nearest(shipwright._knowledge.network, scene.axioms)
        held.append(set(true_features(Situation(scene, scene.axioms, near))))
    held.append(set(true_features(Situation(show(build()), show(build()).axioms, None))))
    always, ever = set.intersection(*held), set.union(*held)
    assert always == set()
    assert set(features()) - ever == set()


def test_every_feature_says_in_a_clause_what_it_means() -> None:
    meanings = [own.meaning for own in features().values()]
    assert all(meaning and meaning[0].islower() and meaning[-1] != "." for meaning in meanings)
    assert len(set(meanings)) == len(meanings)


def test_features_are_named_with_the_question_and_told_as_its_reasons(
    brain: Brain, build: Callable, show: Callable
) -> None:
    question = brain.see_again(show(build(damaged=1.0))).question
    assert {"same parent", "pose only"} <= set(question.features)
    assert "only position, rotation or size differ" in question.reasons


def test_a_new_feature_registers_by_a_decorator_and_has_its_say(
    brain: Brain, build: Callable, show: Callable, forget: None
) -> None:
    @feature("circles only", "they are all circles")
    def circles_only(situation: Situation) -> bool:
        return all(part.symbol == "circle" for part in situation.parts)

    question = brain.see_again(show(build("asteroid"))).question
    assert "circles only" in question.features
    assert "they are all circles" in question.reasons
    brain.answer(question, "asteroid")
    assert brain.matrix.rows["circles only"] == (0, 1, 0, 0)
    assert "circles only" not in brain.see_again(show(build(damaged=1.0))).question.features


def test_a_feature_that_is_there_already_is_refused(forget: None) -> None:
    with pytest.raises(UnrenderError, match='a feature "pose only" already'):
        feature("pose only", "again")(lambda situation: True)
    assert features()["pose only"].meaning != "again"


def test_a_row_whose_feature_is_not_installed_any_more_does_no_harm(
    brain: Brain, build: Callable, show: Callable, forget: None
) -> None:
    feature("passing", "it passes")(lambda situation: True)
    question = brain.see_again(show(build("asteroid"))).question
    del module._FEATURES["passing"]
    brain.answer(question, "asteroid")
    assert "it passes" not in question.reasons
    assert brain.see_again(show(build("asteroid", 1))).question is not None


def test_another_number_of_parts(judge: Callable, build: Callable) -> None:
    assert "another number of parts" in judge(build(form=1))
    assert "another number of parts" in judge(build()[:4])
    assert "another number of parts" not in judge(build("station"))


def test_three_parts_differ(judge: Callable, build: Callable) -> None:
    """A heavy ship has two squares more than the ship and a triangle less; a station one for one."""
    assert "three parts differ" in judge(build(form=1))
    assert "three parts differ" not in judge(build("station"))


def test_a_third_does_not_fit(judge: Callable, build: Callable) -> None:
    assert "a third does not fit" in judge(build(form=1))
    assert "a third does not fit" not in judge(build()[:4])
    assert "a third does not fit" not in judge(build(damaged=1.0))
