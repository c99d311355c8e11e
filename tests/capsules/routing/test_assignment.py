"""Routing: pairs say where a whole may be, and each part gets an observation of its own."""

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from unrender.capsules.experience import Entry
from unrender.capsules.gamma import whole
from unrender.capsules.network import patterns_of
from unrender.capsules.route import Route
from unrender.capsules.routing.assignment import Candidate, Sight, assign, judged
from unrender.capsules.routing.hypotheses import Hypotheses, by_pairs, by_parts, promising, seen_pairs
from unrender.capsules.routing.index import build
from unrender.capsules.routing.occlusion import Occlusion
from unrender.capsules.routing.table import ObservationTable
from unrender.capsules.semantic import fit
from unrender.learning.objects.augment import transform
from unrender.primitives.symmetry import Symmetry
from unrender.scene import Observation

TURNINGS = {
    "circle": Symmetry.of_order(0, stretched=True),
    "square": Symmetry.of_order(4, stretched=True),
    "triangle": Symmetry.of_order(3, stretched=True),
}
TOY = (
    Observation("square", (50.0, 50.0), (30.0, 40.0)),
    Observation("circle", (50.0, 20.0), (14.0, 14.0)),
    Observation("circle", (74.0, 50.0), (14.0, 14.0)),
    Observation("triangle", (26.0, 58.0), (12.0, 16.0)),
)


def route_of(parts: Sequence[Observation]) -> Route:
    symbols = tuple(part.symbol for part in parts)
    entry = Entry(tuple(parts), whole("toy", parts))
    return Route("toy", 1, symbols, (), tuple(TURNINGS[symbol] for symbol in symbols), (entry,))


ROUTE = route_of(TOY)
PATTERN = patterns_of(ROUTE)[0]
WHOLE = ROUTE.memory[0].whole


def nearest(guess: Hypotheses, x: float, y: float, turn: float) -> float:
    """How far the best hypothesis is off, in px and degrees."""
    turned = np.abs([math.remainder(own - turn, 360.0) for own in guess.turn])
    return float((np.hypot(guess.x - x, guess.y - y) + turned).min())


def test_a_hypothesis_says_where_the_parts_must_be() -> None:
    top = ROUTE.memory[0].whole
    scale = math.sqrt(top.size[0] * top.size[1])
    x, y = (np.array([value]) for value in top.position)
    expected = Hypotheses(x, y, np.array([scale]), np.zeros(1)).expected(PATTERN.poses)[0]
    for row, part in zip(expected, TOY, strict=True):
        assert row == pytest.approx([*part.position, *part.size, part.rotation])


def test_shapes_on_one_centre_are_no_parts_that_lie_apart() -> None:
    rings = [Observation("circle", (60.0, 60.0), (side, side)) for side in (30.0, 14.0)]
    guess = by_parts(ObservationTable(rings), PATTERN, TURNINGS)
    assert len(guess.scale)
    assert (guess.scale > 0).all()


@pytest.mark.parametrize(("turn", "scale"), [(0.0, 1.0), (65.0, 0.5), (-130.0, 2.0)])
def test_pairs_lead_to_the_whole(turn: float, scale: float) -> None:
    shapes = transform(TOY, (100.0, 80.0), turn, scale, (50.0, 50.0))
    (top,) = transform([ROUTE.memory[0].whole], (100.0, 80.0), turn, scale, (50.0, 50.0))
    table = ObservationTable(shapes)
    guess = by_pairs(table, build([PATTERN], TURNINGS), [PATTERN], TURNINGS, table.symbols)[0]
    assert nearest(guess, *top.position, turn) < 1e-6
    assert nearest(by_parts(table, PATTERN, TURNINGS), *top.position, turn) < 1e-6


def test_symbols_that_were_not_observed_cost_nothing() -> None:
    table = ObservationTable([TOY[0]])
    assert by_pairs(table, build([PATTERN], TURNINGS), [PATTERN], TURNINGS, table.symbols) == {}


def test_every_pair_of_neighbours_of_one_symbol_is_looked_at_once() -> None:
    table = ObservationTable([Observation("circle", (10.0 * k, 0.0), (4.0, 4.0)) for k in range(5)])
    rows, columns = seen_pairs(table, "circle", "circle")
    pairs = {frozenset(pair) for pair in zip(rows.tolist(), columns.tolist(), strict=True)}
    assert pairs == {frozenset((i, j)) for j in range(5) for i in range(j)}
    assert len(rows) == 10


def test_the_number_of_pairs_grows_with_the_number_of_shapes_not_with_its_square() -> None:
    rng = np.random.default_rng(0)
    counts = []
    for n in (200, 400):
        places = rng.uniform(0, 1000, (n, 2))
        table = ObservationTable([Observation("circle", (float(x), float(y)), (4.0, 4.0)) for x, y in places])
        counts.append(len(seen_pairs(table, "circle", "circle")[0]))
    assert counts[1] < 2.3 * counts[0]


def exact() -> Hypotheses:
    top = ROUTE.memory[0].whole
    scale = math.sqrt(top.size[0] * top.size[1])
    return Hypotheses(
        np.array([top.position[0]]), np.array([top.position[1]]), np.array([scale]), np.zeros(1)
    )


def test_of_many_routes_only_those_go_on_of_which_enough_may_be_there() -> None:
    far = route_of([*TOY[:2], *(replace(part, position=(300.0, 300.0)) for part in TOY[2:])])
    views = [(route, patterns_of(route)[0]) for route in (far, ROUTE, far)]
    table, screen = ObservationTable(TOY), Occlusion(TOY, (400, 400))
    guesses = by_pairs(
        table,
        build([pattern for _, pattern in views], TURNINGS),
        [pattern for _, pattern in views],
        TURNINGS,
        table.symbols,
    )
    assert set(guesses) == {0, 1, 2}
    kept = promising(table, views, guesses, screen)
    assert set(kept) == {1}
    assert nearest(kept[1], *ROUTE.memory[0].whole.position, 0.0) < 1e-6
    assert len(kept[1].x) <= len(guesses[1].x)
    assert promising(table, views, {}, screen) == {}


def test_a_part_may_be_missed_where_something_hides_it() -> None:
    table, views = ObservationTable(TOY[:3]), [(ROUTE, PATTERN)]
    cover = Observation("square", TOY[3].position, (30.0, 30.0), attributes={"filled": 1.0})
    assert promising(table, views, {0: exact()}, Occlusion(TOY[:3], (100, 100))) == {}
    assert set(promising(table, views, {0: exact()}, Occlusion([*TOY[:3], cover], (100, 100)))) == {0}


def test_each_part_gets_its_own_observation_in_any_order() -> None:
    for order in ([0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1]):
        table = ObservationTable([TOY[k] for k in order])
        chosen, score = assign(table, ROUTE, PATTERN, exact())
        got = [table.nodes(symbol)[k] for symbol, k in zip(ROUTE.parts, chosen[0], strict=True)]
        assert all(own is part for own, part in zip(got, TOY, strict=True))
        assert score == pytest.approx(np.ones((1, 4)))


def test_no_observation_is_two_parts() -> None:
    chosen, _ = assign(ObservationTable([TOY[0], TOY[1], TOY[3]]), ROUTE, PATTERN, exact())
    assert chosen[0].tolist() == [0, 0, -1, 0]


def test_of_two_that_want_one_place_the_nearer_gets_it() -> None:
    near = replace(TOY[1], position=(50.5, 20.0))
    far = replace(TOY[1], position=(52.0, 22.0))
    table = ObservationTable([TOY[0], far, near, TOY[2], TOY[3]])
    chosen, _ = assign(table, ROUTE, PATTERN, exact())
    assert table.nodes("circle")[chosen[0, 1]] is near


def judgement(*covers: Observation, move: float = 0.0) -> Candidate | None:
    """Of the toy without its second part, moved up by so many px, among covers in front of it."""
    seen = [
        None if j == 1 else replace(p, position=(p.position[0], p.position[1] - move), depth=j)
        for j, p in enumerate(TOY)
    ]
    guess = replace(ROUTE.memory[0].whole, position=(WHOLE.position[0], WHOLE.position[1] - move))
    there = [part for part in seen if part is not None]
    return judged(ROUTE, fit(ROUTE, seen, guess), Sight(Occlusion([*there, *covers], (100, 100))))


def test_what_is_missing_must_be_hidden_by_something_that_covers_it() -> None:
    cover = Observation("square", TOY[1].position, (30.0, 30.0), depth=9)
    beside = replace(cover, position=(95.0, 20.0))
    assert judgement() is None
    assert judgement(beside) is None
    found = judgement(cover)
    assert found is not None
    assert [part.symbol for part in found.whole.hidden] == [TOY[1].symbol]


def test_what_lies_behind_the_parts_that_are_seen_hides_none_of_the_others() -> None:
    all_over = Observation("square", (50.0, 45.0), (90.0, 90.0), depth=-1)
    assert judgement(all_over) is None
    assert judgement(replace(all_over, depth=9)) is not None


def test_what_has_left_the_picture_need_not_be_seen() -> None:
    assert judgement(move=30.0) is not None


def test_a_table_finds_what_is_near_and_says_when_there_is_nothing() -> None:
    table = ObservationTable(TOY)
    distance, index = table.nearest("circle", np.array([[50.0, 24.0]]), 3)
    assert distance[0, :2] == pytest.approx([4, math.hypot(24, 26)])
    assert [table.nodes("circle")[k] for k in index[0, :2]] == [TOY[1], TOY[2]]
    assert distance[0, 2] == math.inf
    assert "pentagon" not in table
    assert table.nodes("pentagon") == []
    table.add(replace(TOY[1], position=(50.0, 25.0)))
    assert table.nearest("circle", np.array([[50.0, 24.0]]), 1)[0][0, 0] == pytest.approx(1)
