"""The index of pairs: a pair is known again wherever it lies, and its mirror image is not."""

import numpy as np
import pytest

from unrender.capsules.poses import HEIGHT, ROTATION, WIDTH, X, Y
from unrender.capsules.routing.index import Pattern, build, features, similarity
from unrender.primitives.symmetry import Symmetry

TURNINGS = {
    "square": Symmetry.of_order(4, stretched=True),
    "triangle": Symmetry.of_order(3, stretched=True),
    "circle": Symmetry.of_order(0, stretched=True),
}


def moved(poses: np.ndarray, turn: float, scale: float, x: float, y: float) -> np.ndarray:
    out, a = poses.copy(), np.radians(turn)
    out[:, X] = scale * (np.cos(a) * poses[:, X] - np.sin(a) * poses[:, Y]) + x
    out[:, Y] = scale * (np.sin(a) * poses[:, X] + np.cos(a) * poses[:, Y]) + y
    out[:, [WIDTH, HEIGHT]] *= scale
    out[:, ROTATION] += turn
    return out


def random_poses(seed: int, count: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    place, size = rng.uniform(-1, 1, (count, 2)), rng.uniform(0.1, 0.5, (count, 2))
    return np.concatenate([place, size, rng.uniform(0, 360, (count, 1))], 1)


@pytest.mark.parametrize("kinds", [("square", "triangle"), ("circle", "triangle"), ("square", "square")])
@pytest.mark.parametrize(("turn", "scale"), [(0.0, 2.0), (123.0, 1.0), (-77.0, 0.3)])
def test_no_move_turn_or_scale_alters_the_features(kinds: tuple[str, str], turn: float, scale: float) -> None:
    a, b = random_poses(0, 30), random_poses(1, 30)
    one, other = (TURNINGS[kind] for kind in kinds)
    change = (turn, scale, 40.0, -3.0)
    assert features(moved(a, *change), moved(b, *change), one, other) == pytest.approx(
        features(a, b, one, other)
    )


def test_equivalent_poses_have_the_same_features() -> None:
    a, b = random_poses(2, 20), random_poses(3, 20)
    quarter = a[:, [X, Y, HEIGHT, WIDTH, ROTATION]]
    quarter[:, ROTATION] += 90
    square, triangle = TURNINGS["square"], TURNINGS["triangle"]
    assert features(quarter, b, square, triangle) == pytest.approx(features(a, b, square, triangle))
    spun = a.copy()
    spun[:, ROTATION] += 55
    spun[:, WIDTH] = spun[:, HEIGHT] = 0.3
    still = spun.copy()
    still[:, ROTATION] = 0
    circle = TURNINGS["circle"]
    assert features(spun, b, circle, triangle) == pytest.approx(features(still, b, circle, triangle))


def test_a_known_pair_is_found_among_many_and_a_mirror_image_is_not() -> None:
    patterns = [Pattern(("square", "triangle"), random_poses(seed, 2)) for seed in range(40)]
    pairs = build(patterns, TURNINGS)["square", "triangle"]
    square, triangle = TURNINGS["square"], TURNINGS["triangle"]
    for r in range(0, 40, 7):
        a, b = moved(patterns[r].poses, 41.0, 7.0, 100.0, 30.0)[:, None]
        _, known = pairs.matches(features(a, b, square, triangle))
        assert r in pairs.route[known]
        assert len(known) < 20
    tilted = np.array([[0, 0, 0.4, 0.4, 20.0], [0.8, 0.3, 0.3, 0.3, 0.0]])
    pairs = build([Pattern(("square", "triangle"), tilted)], TURNINGS)["square", "triangle"]
    mirrored = tilted * np.array([-1, 1, 1, 1, -1])
    for poses, count in ((tilted, 1), (mirrored, 0)):
        which, known = pairs.matches(features(poses[:1], poses[1:], square, triangle))
        assert len(which) == len(known) == count


def test_two_parts_of_one_symbol_may_be_seen_in_either_order() -> None:
    pattern = Pattern(("square", "square"), random_poses(5, 2))
    pairs = build([pattern], TURNINGS)["square", "square"]
    square = TURNINGS["square"]
    a, b = pattern.poses[:1], pattern.poses[1:]
    for first, second, part in ((a, b, 0), (b, a, 1)):
        _, known = pairs.matches(features(first, second, square, square))
        assert part in pairs.first[known]


def test_the_similarity_between_two_pairs_of_places() -> None:
    p, q = np.array([[0.0, 0.0]]), np.array([[1.0, 0.0]])
    scale, turn = similarity(np.array([[5.0, 5.0]]), np.array([[5.0, 8.0]]), p, q)
    assert scale == pytest.approx([3])
    assert turn == pytest.approx([90])
