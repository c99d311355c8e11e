"""See, ask, learn, and see again: it comes to an end."""

from collections.abc import Callable
from itertools import count

import pytest

import unrender
from unrender import Brain, attend
from unrender.agent.loop import MOST


def test_a_scene_is_attended_to_until_nothing_is_left_to_ask(build: Callable, show: Callable) -> None:
    brain = unrender.open()
    names = iter(["ship", "asteroid", "belt"])
    done = attend(brain, show(build(), build("asteroid", at=(380.0, 380.0))), lambda question: next(names))
    assert [exchange.reply for exchange in done.exchanges] == ["ship", "asteroid", "belt"]
    assert [axiom.symbol for axiom in done.scene.axioms] == ["belt"]
    assert done.scene.question is None
    assert all(exchange.told.startswith("I now know") for exchange in done.exchanges)


@pytest.mark.parametrize("seed", [0, 1])
def test_it_ends_even_if_every_question_is_skipped(seed: int) -> None:
    import numpy as np

    from unrender.worlds import Asteroids

    scene = Asteroids().sample(np.random.default_rng(seed)).scene
    brain = unrender.open()
    done = attend(brain, scene, lambda question: None)
    assert len(done.exchanges) <= MOST
    parts = [
        frozenset(leaf.depth for part in own.question.parts for leaf in part.primitives)
        for own in done.exchanges
    ]
    assert len(set(parts)) == len(parts)


def test_it_asks_no_more_than_it_may(build: Callable, show: Callable) -> None:
    brain = unrender.open()
    numbers = count()
    scene = show(*(build(name, at=at) for name, at in [("ship", (90.0, 90.0)), ("station", (380.0, 380.0))]))
    done = attend(brain, scene, lambda question: f"thing{next(numbers)}", most=1)
    assert len(done.exchanges) == 1
    assert done.scene.question is not None
    assert attend(brain, scene, lambda question: "no", most=0).exchanges == []


def test_a_film_is_attended_to_frame_by_frame(build: Callable, show: Callable) -> None:
    brain = unrender.open()
    first = attend(brain, show(build()), lambda question: "ship").scene
    second = attend(brain, show(build(at=(106.0, 103.0))), lambda question: "no", after=first)
    assert second.exchanges == []
    (before,), (after,) = first.axioms, second.scene.axioms
    assert after.track == before.track
    assert after.velocity == pytest.approx((6.0, 3.0), abs=0.1)


def test_a_brain_that_understands_all_asks_nothing(brain: Brain, build: Callable, show: Callable) -> None:
    done = attend(brain, show(build(turn=99.0)), lambda question: pytest.fail("it asked"))
    assert done.exchanges == []
