"""The scores of `benchmarks/segments.py`, against values worked out by hand."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))  # scripts, not a package


@pytest.fixture
def segments() -> ModuleType:
    return import_module("segments")


def _row(*labels: int) -> np.ndarray:
    return np.array([labels])


def _segment(segments: ModuleType, symbol: str, *pixels: int) -> object:
    return segments.Segment(symbol, np.isin(np.arange(6), pixels)[None])


def test_the_same_groups_by_other_numbers_are_right(segments: ModuleType) -> None:
    assert segments.foreground_ari(_row(1, 1, 2, 2, 3), _row(7, 7, 5, 5, 0)) == 1.0


def test_one_pixel_in_the_wrong_group(segments: ModuleType) -> None:
    # pairs together in both: 1 + 1; in the truth 3 + 1, as seen 1 + 3; of 10; chance 4 * 4 / 10
    ari = segments.foreground_ari(_row(1, 1, 1, 2, 2), _row(1, 1, 2, 2, 2))
    assert ari == pytest.approx((2 - 1.6) / (4 - 1.6))


def test_one_group_for_all_is_no_better_than_chance(segments: ModuleType) -> None:
    assert segments.foreground_ari(_row(1, 1, 2, 2), _row(1, 1, 1, 1)) == 0.0


def test_the_ground_does_not_count_but_what_is_missed_does(segments: ModuleType) -> None:
    assert segments.foreground_ari(_row(0, 0, 1, 1, 2, 2), _row(9, 8, 1, 1, 2, 2)) == 1.0
    # nothing together but one pair: 1; truth 1 + 1, seen 1; of 6; chance 2 * 1 / 6
    missed = segments.foreground_ari(_row(0, 0, 1, 1, 2, 2), _row(0, 0, 1, 1, 2, 0))
    assert missed == pytest.approx((1 - 2 / 6) / (1.5 - 2 / 6))


def test_one_object_seen_as_one_is_right(segments: ModuleType) -> None:
    assert segments.foreground_ari(_row(0, 1, 1, 1), _row(0, 4, 4, 4)) == 1.0


def test_classes_share_pixels_of_all_scenes(segments: ModuleType) -> None:
    first = (_row(1, 1, 2, 2), _row(1, 2, 2, 2))
    second = (_row(1, 1, 0, 0), _row(1, 1, 1, 0))
    iou = segments.class_iou([first, second], ["a", "b", "absent"])
    assert iou == {"a": pytest.approx(3 / 5), "b": pytest.approx(2 / 3)}


def test_scenes_are_scored_whole(segments: ModuleType) -> None:
    truth = [[_segment(segments, "a", 0, 1), _segment(segments, "b", 3, 4)]] * 2
    right = [_segment(segments, "b", 3, 4), _segment(segments, "a", 0, 1)]
    renamed = [_segment(segments, "b", 0, 1), _segment(segments, "square", 3, 4)]
    score = segments.score(truth, [right, renamed], ["a", "b"])
    assert score.ari == 1.0
    assert score.iou == {"a": pytest.approx(2 / 4), "b": pytest.approx(2 / 6)}
    assert score.mean_iou == pytest.approx((1 / 2 + 1 / 3) / 2)
    assert (score.counted, score.named) == (1.0, 0.5)


def test_seeing_nothing_scores_nothing(segments: ModuleType) -> None:
    truth = [[_segment(segments, "a", 0, 1), _segment(segments, "b", 3, 4)]]
    score = segments.score(truth, [[]], ["a", "b"])
    assert (score.ari, score.mean_iou, score.counted, score.named) == (0.0, 0.0, 0.0, 0.0)
