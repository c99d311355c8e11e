"""Equations CapsuleInternals0 to 4 and SemanticAgreement, each computed by hand for a house of two parts."""

import math
from dataclasses import replace

import numpy as np
import pytest

from unrender.capsules.agreement import CONFIDENCE, activation, agreement, window
from unrender.capsules.experience import Entry
from unrender.capsules.gamma import whole
from unrender.capsules.route import Route
from unrender.capsules.semantic import SemanticCapsule, fit
from unrender.primitives.registry import find
from unrender.primitives.symmetry import Symmetry
from unrender.scene import Observation

SQUARE, TRIANGLE = Symmetry.of_order(4, stretched=True), Symmetry.of_order(3, stretched=True)


def body(p: float = 1.0) -> Observation:
    return Observation("square", (50.0, 60.0), (40.0, 40.0), 0.0, {"red": 0.9}, p=p)


def roof(p: float = 1.0) -> Observation:
    return Observation("triangle", (50.0, 30.0), (40.0, 20.0), 0.0, {"red": 0.3}, p=p)


def house(*entries: tuple[Observation, Observation]) -> Route:
    """The house of which memory holds these bodies and roofs: one of 40x60 px, its centre at (50, 50)."""
    memory = tuple(Entry(parts, whole("house", parts)) for parts in entries or ((body(), roof()),))
    return Route("house", 1, ("square", "triangle"), ("red",), (SQUARE, TRIANGLE), memory)


def test_capsule_internals_0_gives_the_whole_that_the_parts_make_up() -> None:
    """The same house twice as large, a quarter turn clockwise, its centre at (100, 100)."""
    seen = [
        Observation("square", (80.0, 100.0), (80.0, 80.0), 90.0, {"red": 0.5}),
        Observation("triangle", (140.0, 100.0), (80.0, 40.0), 90.0, {"red": 0.1}),
    ]
    a = house().encode(seen, 80.0)
    heavy, light = math.hypot(80, 80), math.hypot(80, 40)
    assert a.symbol == "house"
    assert a.position == pytest.approx((100, 100))
    assert a.size == pytest.approx((80, 120))
    assert a.rotation == pytest.approx(90)
    assert a.attributes["red"] == pytest.approx((0.5 * heavy + 0.1 * light) / (heavy + light))


def test_capsule_internals_1_gives_the_parts_that_the_whole_should_have() -> None:
    """In the house's own frame the body lies 10 px below its centre, the roof 20 px above it."""
    mean = (0.9 * math.hypot(40, 40) + 0.3 * math.hypot(40, 20)) / (math.hypot(40, 40) + math.hypot(40, 20))
    square, triangle = house().decode(Observation("house", (100.0, 100.0), (80.0, 120.0), 90.0, {"red": 0.5}))
    assert square.position == pytest.approx((80, 100))
    assert square.size == pytest.approx((80, 80))
    assert square.rotation == pytest.approx(90)
    assert square.attributes["red"] == pytest.approx(0.5 + 0.9 - mean)
    assert triangle.position == pytest.approx((140, 100))
    assert triangle.size == pytest.approx((80, 40))
    assert triangle.rotation == pytest.approx(90)
    assert triangle.attributes["red"] == pytest.approx(0.5 + 0.3 - mean)


def test_capsule_internals_2_is_the_mean_agreement_of_the_parts_times_the_window_of_their_p() -> None:
    Z = [np.array([1.0, 0.5, 0.9]), np.array([0.2, 0.4])]
    p, p_bar = np.array([0.4, 0.9]), np.array([0.8, 0.9])
    by_hand = ((1.0 + 0.5 + 0.9) / 3 * math.exp(-((0.4 / 0.8 - 1) ** 2) / CONFIDENCE**2) + 0.6 / 2 * 1) / 2
    assert activation(Z, p, p_bar) == pytest.approx(by_hand)


def test_capsule_internals_2_counts_a_missing_part_as_zero() -> None:
    Z = [np.ones(5), None, np.ones(5), np.full(5, 0.5)]
    assert activation(Z, np.array([1.0, 0.0, 1.0, 1.0]), np.ones(4)) == pytest.approx(2.5 / 4)


def test_capsule_internals_2_takes_the_past_mean_of_p_from_memory() -> None:
    """The body was seen with p 0.9 and 0.5, so p̄ is 0.7; now it is seen with 0.35, half of that."""
    route = house((body(0.9), roof(0.8)), (body(0.5), roof(0.8)))
    assert route.past_p == pytest.approx([0.7, 0.8])
    got = fit(route, [body(0.35), roof(0.8)], whole("house", [body(), roof()])).whole
    assert got.p == pytest.approx((math.exp(-((-0.5 / CONFIDENCE) ** 2)) + 1) / 2)
    usual = fit(route, [body(0.7), roof(0.8)], whole("house", [body(), roof()])).whole
    assert usual.p == pytest.approx(1)


def test_a_part_that_is_not_seen_is_named_and_has_no_share_in_p() -> None:
    got = fit(house(), [body(), None], whole("house", [body(), roof()])).whole
    assert got.p == pytest.approx(0.5)
    assert [part.symbol for part in got.parts] == ["square"]
    assert [part.symbol for part in got.hidden] == ["triangle"]
    assert got.hidden[0].position == pytest.approx((50, 30))
    assert got.hidden[0].p == 0


def test_capsule_internals_3_and_4_give_out_the_route_with_the_largest_p() -> None:
    seen = [body(), roof()]
    near = replace(roof(), position=(50.0, 34.0))
    first = house()
    second = replace(house((body(), near)), number=2)
    wholes = [fit(route, seen, whole("house", seen)).whole for route in (second, first)]
    assert wholes[0].p < wholes[1].p
    final = SemanticCapsule.final(wholes)
    assert final.route == "house/1"
    assert final.p == max(own.p for own in wholes) == pytest.approx(1)
    assert final.position == pytest.approx((50, 50))


def test_the_window_is_one_at_zero_and_nowhere_larger() -> None:
    differences = np.linspace(-5, 5, 1001)
    assert float(window(np.zeros(()), 0.3)) == 1
    assert window(differences).max() == 1
    assert window(differences).argmax() == 500
    assert np.array_equal(window(differences), window(-differences))
    assert (window(differences[:500], 2.0) > window(differences[:500], 1.0)).all()


def test_semantic_agreement_is_the_window_of_each_attributes_difference() -> None:
    """The body is 3 px too far right, 10 % too wide, 6 degrees turned and less red than expected."""
    route = house()
    top = whole("house", [body(), roof()])
    seen = Observation("square", (53.0, 60.0), (44.0, 40.0), 6.0, {"red": 0.7})
    differences = np.array([3 / math.sqrt(40 * 60), 0, math.log(1.1), 0, 6, 0.7 - 0.9])
    by_hand = np.exp(-((differences / route.widths[0]) ** 2))
    assert agreement(route, 0, seen, body(), top) == pytest.approx(by_hand)


def test_the_pose_is_compared_in_the_frame_of_the_whole() -> None:
    """3 px along the whole's own x axis, which points down when the whole is turned by 90 degrees."""
    wide = replace(house((body(), roof()), (replace(body(), position=(58.0, 60.0)), roof())), number=2)
    assert wide.widths[0, 0] > 1.05 * wide.widths[0, 1]
    turned = replace(whole("house", [body(), roof()]), rotation=90.0)
    along = agreement(wide, 0, replace(body(), position=(50.0, 63.0)), body(), turned)
    across = agreement(wide, 0, replace(body(), position=(53.0, 60.0)), body(), turned)
    assert along[0] == pytest.approx(math.exp(-((3 / math.sqrt(2400) / wide.widths[0, 0]) ** 2)))
    assert along[1] == pytest.approx(1)
    assert across[0] == pytest.approx(1)
    assert across[1] == pytest.approx(math.exp(-((3 / math.sqrt(2400) / wide.widths[0, 1]) ** 2)))


@pytest.mark.parametrize(
    ("symbol", "size", "rotation"),
    [
        ("square", (40.0, 40.0), 83.0),
        ("square", (20.0, 52.0), -94.0),
        ("square", (50.0, 22.0), 176.0),
        ("triangle", (30.0, 30.0), 125.0),
        ("triangle", (30.0, 18.0), 4.0),
        ("circle", (30.0, 30.0), 77.0),
        ("circle", (40.0, 22.0), 171.0),
    ],
)
def test_semantic_agreement_is_the_largest_over_all_equivalent_poses(
    symbol: str, size: tuple[float, float], rotation: float
) -> None:
    primitive = find(symbol)
    seen = Observation(symbol, (50.0, 50.0), size, rotation)
    wanted_size = (size[1], size[0]) if symbol == "square" and abs(rotation) < 100 else size
    other = Observation("circle", (90.0, 50.0), (10.0, 10.0))
    expected = Observation(symbol, (50.0, 50.0), wanted_size, 0.0)
    turnings = (primitive.symmetry, Symmetry.of_order(0, stretched=True))
    entry = Entry((expected, other), whole("thing", [expected, other]))
    route = Route("thing", 1, (symbol, "circle"), (), turnings, (entry,))
    by_hand = max(
        float(
            window(
                np.array(
                    [
                        math.log(width / wanted_size[0]),
                        math.log(height / wanted_size[1]),
                        math.remainder(turn, 360),
                    ]
                ),
                route.widths[0, 2:5],
            ).sum()
        )
        for width, height, turn in primitive.symmetry.equivalent(*size, rotation)
    )
    Z = agreement(route, 0, seen, expected, entry.whole)
    assert Z[:2] == pytest.approx([1, 1])
    assert Z[2:].sum() == pytest.approx(by_hand)
    assert by_hand > 2  # one of them is near


def test_a_stretched_triangle_turned_by_120_degrees_is_another_one() -> None:
    route = house()
    turned = replace(roof(), rotation=120.0)
    assert agreement(route, 1, turned, roof(), whole("house", [body(), roof()]))[4] < 1e-6
