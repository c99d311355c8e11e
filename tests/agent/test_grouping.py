"""Which axioms may belong together: by nearness at every scale, common motion, and repetition."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from unrender import Brain, Observation
from unrender.agent.grouping import Group, glimpse, groups, repeated
from unrender.capsules.network import Network

NOTHING = Network({})


def depths(group: Group) -> list[int]:
    return sorted(group.depths)


@pytest.mark.parametrize("scale", [0.5, 1.0, 2.0])
def test_what_stands_close_is_a_group_at_every_scale(scale: float, build: Callable, show: Callable) -> None:
    far = {"ship": (80.0, 80.0), "station": (80.0, 400.0), "asteroid": (400.0, 240.0)}
    scene = show(*(build(name, at=at, scale=scale) for name, at in far.items()))
    found = [depths(group) for group in groups(scene.axioms)]
    assert [0, 1, 2, 3, 4] in found[:3]
    assert [5, 6, 7, 8, 9] in found[:3]
    assert [10, 11, 12] in found
    assert list(range(13)) in found


def test_a_small_object_beside_a_large_one_is_a_group_of_its_own(build: Callable, show: Callable) -> None:
    scene = show(build(scale=6.0, at=(200.0, 240.0)), build("station", scale=0.4, at=(440.0, 240.0)))
    found = [depths(group) for group in groups(scene.axioms)]
    assert [0, 1, 2, 3, 4] in found
    assert [5, 6, 7, 8, 9] in found


def test_no_group_is_there_twice_and_those_that_stand_out_come_first(build: Callable, show: Callable) -> None:
    found = groups(show(build(), build("asteroid", at=(300.0, 300.0))).axioms)
    assert len({group.depths for group in found}) == len(found)
    assert [group.score for group in found] == sorted((group.score for group in found), reverse=True)


def test_fewer_than_two_axioms_make_no_group(build: Callable, show: Callable) -> None:
    assert groups(show().axioms) == []
    assert groups(show(build()[:1]).axioms) == []


def circles(*places: tuple[float, float], velocity: tuple[float, float] | None = None) -> list[Observation]:
    return [Observation("circle", at, (20.0, 20.0), velocity=velocity) for at in places]


def test_what_moves_as_one_belongs_together_across_what_is_nearer(show: Callable) -> None:
    """Four circles in a row: still, the outer pairs are nearest; moving, those of one motion."""
    places = [(100.0, 100.0), (124.0, 100.0), (150.0, 100.0), (174.0, 100.0)]
    still = [depths(group) for group in groups(show(circles(*places)).axioms)]
    assert [0, 1] in still
    assert [1, 2] not in still
    ways = [(0.0, 5.0), (0.0, -5.0), (0.0, -5.0), (0.0, 5.0)]
    moving = show([replace(own, velocity=way) for own, way in zip(circles(*places), ways, strict=True)])
    found = [depths(group) for group in groups(moving.axioms)]
    assert [1, 2] in found
    assert [0, 1] not in found
    assert [2, 3] not in found


def test_a_group_is_known_again_moved_turned_and_scaled_but_not_rearranged(
    build: Callable, show: Callable
) -> None:
    def group(*shapes: Observation) -> Group:
        return Group(tuple(show(shapes).axioms), 1.0)

    route = glimpse(group(*build()), 1, NOTHING.turnings)
    assert route is not None
    assert repeated(group(*build(at=(300.0, 200.0), turn=70.0, scale=3.0)), [route], NOTHING)
    assert not repeated(group(*build(at=(300.0, 200.0), form=1)), [route], NOTHING)
    bent = build()
    bent[1] = replace(bent[1], position=(40.0, 40.0))
    assert not repeated(group(*bent), [route], NOTHING)


def test_a_whole_that_misses_a_part_asks_about_what_may_be_it(
    brain: Brain, build: Callable, show: Callable
) -> None:
    scene = brain.see_again(show(build(damaged=1.0)))
    (ship,) = [axiom for axiom in scene.axioms if axiom.symbol == "ship"]
    assert [part.symbol for part in ship.hidden] == ["triangle"]
    best = groups(scene.axioms)[0]
    assert depths(best) == [0, 1, 2, 3, 4]
    assert not any(part.parts for part in best.parts)


def thing(x: float, y: float) -> list[Observation]:
    """Three shapes that touch."""
    return [
        Observation("square", (x, y), (30.0, 20.0)),
        Observation("circle", (x - 8, y + 14), (12.0, 12.0)),
        Observation("triangle", (x + 6, y - 14), (18.0, 12.0)),
    ]


@pytest.mark.parametrize("gap", [2.0, 5.0, 10.0])
def test_two_things_side_by_side_are_two_groups_and_not_one(gap: float, show: Callable) -> None:
    scene = show(thing(60.0, 60.0), thing(90.0 + gap, 60.0))
    best, second, *_ = groups(scene.axioms)
    assert sorted([depths(best), depths(second)]) == [[0, 1, 2], [3, 4, 5]]
