"""What a group of parts comes near to, and what differs."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from unrender import Brain
from unrender.agent.resemblance import Resemblance, nearest


def near(brain: Brain, shapes: list, show: Callable, symbol: str | None = None) -> Resemblance | None:
    return nearest(brain._knowledge.network, show(shapes).axioms, symbol)


@pytest.mark.parametrize("turn", [0.0, 75.0, -160.0])
def test_a_part_that_stands_elsewhere_is_told_and_the_others_agree(
    turn: float, brain: Brain, build: Callable, show: Callable
) -> None:
    found = near(brain, build(damaged=1.0, turn=turn, at=(200.0, 210.0)), show)
    assert found is not None
    assert found.complete
    assert found.route.name == "ship/1"
    wing = found.parts[4]
    assert {own.attribute for own in found.mismatches if own.part is wing} == {"position", "rotation"}
    assert all(own.part is wing for own in found.mismatches[:2])
    turned = next(own for own in found.mismatches if own.attribute == "rotation")
    assert (turned.seen - turned.expected + 180.0) % 360.0 - 180.0 == pytest.approx(-40.0, abs=8.0)


def test_what_agrees_has_no_mismatch_and_a_p_of_one(brain: Brain, build: Callable, show: Callable) -> None:
    found = near(brain, build(turn=30.0, scale=1.3), show)
    assert found is not None
    assert found.mismatches == []
    assert found.p == pytest.approx(1.0, abs=0.01)
    assert found.whole.rotation == pytest.approx(30.0, abs=0.5)


def test_the_worst_mismatch_comes_first(brain: Brain, build: Callable, show: Callable) -> None:
    ship = build()
    ship[0] = replace(ship[0], attributes=ship[0].attributes | {"filled": 1.0})
    ship[1] = replace(ship[1], position=(130.0, 64.0))
    found = near(brain, ship, show)
    assert found is not None
    agreed = [own.z for own in found.mismatches]
    assert agreed == sorted(agreed)
    assert {own.attribute for own in found.mismatches} >= {"filled", "position"}


def test_parts_of_too_few_kinds_in_common_resemble_nothing(
    brain: Brain, build: Callable, show: Callable
) -> None:
    assert near(brain, build("asteroid"), show) is None
    assert near(brain, build()[:2], show) is None


def test_a_group_with_a_part_too_many_or_too_few_is_not_complete(
    brain: Brain, build: Callable, show: Callable
) -> None:
    more = near(brain, [*build(), *build("asteroid", at=(100.0, 170.0))[:1]], show)
    assert more is not None
    assert not more.complete
    assert [part.symbol for part in more.extra] == ["circle"]
    less = near(brain, build()[:4], show)
    assert less is not None
    assert not less.complete
    assert less.parts.count(None) == 1


def test_of_several_known_objects_the_nearest_is_found_unless_one_is_named(
    brain: Brain, build: Callable, show: Callable
) -> None:
    ruin = build(damaged=1.0)
    brain.teach(show(ruin), "wreck")
    shapes = build(damaged=0.9, at=(200.0, 200.0))
    found, named = near(brain, shapes, show), near(brain, shapes, show, "ship")
    assert found is not None
    assert named is not None
    assert found.route.symbol == "wreck"
    assert named.route.symbol == "ship"


def test_what_memory_has_never_seen(brain: Brain, build: Callable, show: Callable) -> None:
    found = near(brain, build(damaged=1.0), show)
    assert found is not None
    assert found.never_seen("filled")
    assert not found.never_seen("red")


@pytest.mark.parametrize("turn", [0.0, 130.0])
@pytest.mark.parametrize("variant", [{"damaged": 0.3}, {"damaged": 0.9}, {"thrusting": 0.8}])
def test_one_strange_part_does_not_make_the_others_strange(
    variant: dict[str, float], turn: float, brain: Brain, build: Callable, show: Callable
) -> None:
    found = near(brain, build(turn=turn, at=(200.0, 210.0), **variant), show)
    assert found is not None
    assert sorted(found.offsets)[-2] < 0.05
