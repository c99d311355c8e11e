"""Prepositions follow from position, rotation, size and depth, at every scale."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unrender import Observation, Scene, UnrenderError
from unrender.scene.language.relations import WORDS, holds, relation, relations, together


def thing(
    x: float, y: float, w: float, h: float | None = None, symbol: str = "square", **more: object
) -> Observation:
    return Observation(symbol, (x, y), (w, h if h is not None else w), **more)  # type: ignore[arg-type]


MIDDLE = thing(100, 100, 20)


@pytest.mark.parametrize(
    ("other", "word"),
    [
        (thing(60, 100, 20), "left of"),
        (thing(140, 105, 20), "right of"),
        (thing(95, 60, 20), "above"),
        (thing(100, 140, 20), "below"),
        (thing(100, 80, 20), "on"),
        (thing(100, 120, 20), "below"),
        (thing(80, 100, 20), "touching"),
        (thing(100, 100, 60), "around"),
        (thing(102, 98, 6), "in"),
        (thing(130, 130, 20), "near"),
        (thing(500, 100, 20), "far from"),
    ],
)
def test_the_best_preposition(other: Observation, word: str) -> None:
    assert relation(other, MIDDLE) == word
    assert holds(word, other, MIDDLE)


def test_a_cup_at_the_end_of_a_table_stands_on_it_and_a_lamp_over_it_is_above() -> None:
    table, cup, lamp = thing(100, 100, 120, 10), thing(150, 90, 10), thing(55, 60, 10)
    assert relation(cup, table) == "on"
    assert relation(table, cup) == "below"
    assert relation(lamp, table) == "above"
    assert not holds("left of", lamp, table)


def test_a_turned_board_reaches_as_far_as_it_is_long() -> None:
    lying, standing = thing(100, 100, 100, 10), thing(100, 100, 100, 10, rotation=90.0)
    ball = thing(100, 42, 16, symbol="circle")
    assert relation(ball, lying) == "above"
    assert relation(ball, standing) == "on"


def test_a_roof_rests_with_its_base_on_the_wall() -> None:
    wall = thing(100, 100, 40)
    roof = thing(100, 70, 40, symbol="triangle")  # its base lies a quarter of its height below its centre
    assert relation(roof, wall) == "on"


def test_round_things_side_by_side_across_a_corner_do_not_touch() -> None:
    one, other = thing(0, 0, 20, symbol="circle"), thing(19, 19, 20, symbol="circle", rotation=45.0)
    assert not holds("touching", one, other)
    assert holds("touching", thing(0, 0, 20), thing(19, 19, 20))


def test_of_two_that_overlap_the_nearer_one_is_in_front() -> None:
    near, far = thing(100, 100, 20, depth=1), thing(110, 105, 20, depth=0)
    assert relation(near, far) == "in front of"
    assert relation(far, near) == "behind"
    unknown = thing(110, 105, 20)
    assert relation(near, unknown) == "touching"


def test_depth_counts_only_where_the_parts_cover_each_other() -> None:
    hand, foot = thing(100, 100, 20, depth=0), thing(100, 200, 20, depth=5)
    man = Observation("man", (100, 150), (20, 120), parts=[hand, foot])
    ball = thing(108, 104, 20, depth=2)
    assert relation(ball, man) == "in front of"
    assert relation(man, ball) == "behind"


def test_between_is_on_the_way_from_one_to_the_other() -> None:
    left, right = thing(0, 100, 20), thing(200, 100, 20)
    assert holds("between", MIDDLE, left, right)
    assert holds("between", MIDDLE, right, left)
    assert not holds("between", left, MIDDLE, right)
    assert not holds("between", thing(100, 160, 20), left, right)
    assert not holds("between", MIDDLE, left, left)


def test_each_pair_is_told_once_and_containers_rather_than_neighbours() -> None:
    frame, ball, cup = thing(100, 100, 100), thing(80, 80, 20), thing(120, 120, 10)
    told = relations(Scene(200, 200, [frame, ball, cup]))
    assert [(one.subject, one.word, one.objects) for one in told] == [
        (ball, "in", (frame,)),
        (cup, "in", (frame,)),
    ]


def test_what_stands_in_a_row_is_told_with_between() -> None:
    row = [thing(x, 50, 10) for x in (20, 50, 80)]
    (told,) = (one for one in relations(row) if one.word == "between")
    assert told.subject is row[1]
    assert set(told.objects) == {row[0], row[2]}


def test_nothing_is_told_of_one_thing_or_none() -> None:
    assert relations([]) == []
    assert relations([MIDDLE]) == []


def test_things_are_together_if_steps_from_near_to_near_join_them() -> None:
    row = [thing(25.0 * i, 0, 20) for i in range(8)]
    assert together(row)
    assert not together([*row, thing(400, 0, 20)])


def test_an_unknown_word_or_a_wrong_number_is_an_error() -> None:
    with pytest.raises(UnrenderError, match='"left off" is not a known relation'):
        holds("left off", MIDDLE, MIDDLE)
    with pytest.raises(UnrenderError, match='"between" relates a thing to 2 others, not to 1'):
        holds("between", MIDDLE, MIDDLE)


places = st.builds(
    thing,
    *(st.floats(0, 200), st.floats(0, 200), st.floats(4, 60), st.floats(4, 60)),
    symbol=st.sampled_from(["circle", "square", "triangle"]),
    rotation=st.floats(-180, 180),
    depth=st.one_of(st.none(), st.integers(0, 9)),
)
OPPOSITE = {"left of": "right of", "above": "below", "in": "around", "in front of": "behind"}


@settings(deadline=None, max_examples=50, derandomize=True)
@given(places, places)
def test_opposites_are_opposite_and_never_both(a: Observation, b: Observation) -> None:
    for word, back in OPPOSITE.items():
        assert holds(word, a, b) == holds(back, b, a)
        assert not (holds(word, a, b) and holds(back, a, b))
    for word in ("touching", "near", "far from"):
        assert holds(word, a, b) == holds(word, b, a)
    assert not (holds("near", a, b) and holds("far from", a, b))
    assert relation(a, b) in WORDS


@settings(deadline=None, max_examples=50, derandomize=True)
@given(places, places, st.floats(0.1, 50))
def test_the_scale_of_a_scene_does_not_matter(a: Observation, b: Observation, scale: float) -> None:
    def scaled(node: Observation) -> Observation:
        (x, y), (w, h) = node.position, node.size
        more = {"symbol": node.symbol, "rotation": node.rotation, "depth": node.depth}
        return thing(x * scale, y * scale, w * scale, h * scale, **more)  # type: ignore[arg-type]

    agreed = [holds(word, a, b) == holds(word, scaled(a), scaled(b)) for word in WORDS if word != "between"]
    assert sum(agreed) >= len(agreed) - 1  # a gap of exactly the tolerance may fall either way


@settings(deadline=None, max_examples=50, derandomize=True)
@given(st.lists(places, min_size=2, max_size=12))
def test_whatever_is_told_holds(nodes: list[Observation]) -> None:
    told = relations(nodes)
    assert 1 <= len(told) <= len(nodes)
    for one in told:
        assert one.subject not in one.objects
        assert holds(one.word, one.subject, *one.objects)
