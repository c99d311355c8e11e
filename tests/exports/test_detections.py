"""A scene as detections of supervision, and what is said where that is not installed."""

import subprocess
import sys

import numpy as np
import supervision

from unrender import Scene

WITHOUT = """
import sys
sys.modules["supervision"] = None  # Python's own way to say that a module is not there
from unrender import Scene, UnrenderError
try:
    Scene(9, 9, []).to_supervision()
except UnrenderError as error:
    print(error)
"""


def test_every_observation_is_a_detection_with_its_mask_and_box(scene: Scene) -> None:
    found = scene.to_supervision()
    assert isinstance(found, supervision.Detections)
    assert len(found) == len(scene.observations)
    for i, node in enumerate(scene.observations):
        assert np.array_equal(found.mask[i], node.mask)
        assert found.data["class_name"][i] == node.symbol
        x0, y0, x1, y1 = found.xyxy[i].astype(int)
        assert node.mask[y0:y1, x0:x1].sum() == node.mask.sum()
        assert (x1 - x0) * (y1 - y0) == 0 or (node.mask[y0].any() and node.mask[:, x1 - 1].any())


def test_detections_can_be_filtered_by_name_and_by_whole(nest: Scene) -> None:
    found = nest.to_supervision()
    assert len(found[found.data["class_name"] == "circle"]) == 3
    tops = found[found.data["parent"] == -1]
    assert len(tops) == len(nest.axioms)
    assert tops.confidence.tolist() == [0.75, 1.0]
    assert np.isnan(tops.data["very <wet>"][1])


def test_tracks_are_tracker_ids_once_all_have_one(nest: Scene) -> None:
    assert nest.to_supervision().tracker_id is None
    for i, node in enumerate(nest.observations):
        node.track = 10 + i
    assert nest.to_supervision().tracker_id.tolist() == list(range(10, 10 + len(nest.observations)))


def test_an_annotator_of_the_library_draws_on_the_picture(nest: Scene) -> None:
    found = nest.to_supervision()
    drawn = supervision.MaskAnnotator().annotate(nest.image.copy(), found)
    inside = np.logical_or.reduce(found.mask)
    assert (drawn[inside] != nest.image[inside]).any()
    assert np.array_equal(drawn[~inside], nest.image[~inside])


def test_without_the_package_it_says_what_to_install() -> None:
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.strip().endswith('install it with pip install "unrender[supervision]".')
