"""What a lesson about a whole scene says about the objects that were recognised in it."""

from __future__ import annotations

from dataclasses import replace

import pytest

import unrender
from unrender.learning.objects.lesson import confirmed


@pytest.fixture(scope="module")
def brain() -> unrender.Brain:
    known = unrender.open()
    picture = known.draw("circle", position=(26, 42), size=(24, 24))
    picture = known.draw("square", position=(54, 42), size=(20, 20), canvas=picture)
    known.teach(known.see(picture), "lamp")
    return known


@pytest.mark.parametrize(("p", "picked", "examples"), [(0.9, False, 1), (0.9, True, 2), (0.99, False, 2)])
def test_an_object_is_remembered_if_somebody_chose_it_or_it_is_sure(
    brain: unrender.Brain, p: float, picked: bool, examples: int
) -> None:
    network = brain._knowledge.network
    seen = brain.see(brain.draw("lamp", position=(40, 40), size=(40, 18), rotation=30)).axioms
    assert [own.symbol for own in seen] == ["lamp"]
    after = confirmed(network, [replace(seen[0], p=p)], picked)
    assert len(after.capsules["lamp"].routes[0].memory) == examples
