"""brain.draw with vary: new examples of what was taught."""

import numpy as np
import pytest

import unrender
from unrender import Brain, UnrenderError

CANVAS = (96, 96)


@pytest.fixture(scope="module")
def brain() -> Brain:
    """Knows a lamp."""
    brain = unrender.open()
    picture = brain.draw("circle", position=(26, 42), size=(24, 24), canvas=CANVAS)
    brain.teach(brain.see(brain.draw("square", position=(54, 42), size=(20, 20), canvas=picture)), "lamp")
    return brain


def test_nothing_varies_unless_it_is_asked_for(brain: Brain) -> None:
    plain = brain.draw("lamp", canvas=CANVAS)
    assert (brain.draw("lamp", canvas=CANVAS, vary=0, seed=3) == plain).all()


def test_every_seed_draws_another_example_and_always_the_same(brain: Brain) -> None:
    plain = brain.draw("lamp", canvas=CANVAS)
    first, second = (brain.draw("lamp", canvas=CANVAS, vary=0.5, seed=seed) for seed in (1, 2))
    assert (first != second).any()
    assert (first != plain).any()
    assert (brain.draw("lamp", canvas=CANVAS, vary=0.5, seed=1) == first).all()
    assert (brain.draw("lamp", canvas=CANVAS, vary=0.5, seed=np.random.default_rng(1)) == first).all()


def test_more_variation_is_further_from_what_was_taught(brain: Brain) -> None:
    plain = brain.draw("lamp", canvas=CANVAS).astype(float)

    def off(vary: float) -> float:
        drawn = [brain.draw("lamp", canvas=CANVAS, vary=vary, seed=seed) for seed in range(3)]
        return float(np.mean([np.abs(one - plain).mean() for one in drawn]))

    assert off(0.1) < off(0.4) < off(1.0)


def test_a_new_example_is_still_that_object(brain: Brain) -> None:
    own = unrender.open()
    for name, symbol in (("plate", "circle"), ("roof", "triangle")):
        own.teach(own.see(own.draw(symbol, size=(60, 40), canvas=CANVAS)), name)
    for name in ("plate", "roof"):
        for seed in range(3):
            assert own.classify(own.draw(name, canvas=CANVAS, vary=0.5, seed=seed))[0].symbol == name


def test_parts_vary_as_they_were_seen_to() -> None:
    """What was seen once is bent only; what was seen in two arrangements has parts that move, too."""
    once, twice = unrender.open(), unrender.open()
    for brain, places in ((once, (50,)), (twice, (50, 60))):
        for x in places:
            picture = brain.draw("circle", position=(24, 42), size=(24, 24), canvas=CANVAS)
            picture = brain.draw("square", position=(x, 42), size=(16, 16), canvas=picture)
            brain.teach(brain.see(picture), "lamp", route="lamp/1" if x == 60 else None)

    def ends(brain: Brain, vary: float) -> list[float]:
        drawn = [brain.draw("lamp", canvas=CANVAS, vary=vary, seed=seed) for seed in range(4)]
        return [float(np.nonzero(picture.any((0, 2)))[0].max()) for picture in drawn]

    bent = np.subtract(ends(once, 1.0), ends(once, 0.0))
    moved = np.subtract(ends(twice, 1.0), ends(twice, 0.0))
    assert np.std(moved - bent) > 1.0


@pytest.mark.parametrize("vary", [-0.1, 1.5, float("nan"), "much"])
def test_an_impossible_variation_is_refused(brain: Brain, vary: float) -> None:
    with pytest.raises(UnrenderError, match="between 0"):
        brain.draw("lamp", vary=vary)


def test_a_seed_is_a_number_or_a_generator(brain: Brain) -> None:
    with pytest.raises(UnrenderError, match="seed"):
        brain.draw("lamp", vary=0.5, seed="one")  # type: ignore[arg-type]
