"""A COCO file is read by pycocotools, which finds the same areas, boxes and masks."""

import json
from pathlib import Path

import numpy as np
import pytest
from pycocotools import mask as masks
from pycocotools.coco import COCO

from unrender import Observation, Scene
from unrender.exports.masks import packed, run_lengths


def saved(scene: Scene, folder: Path) -> COCO:
    scene.save(folder / "frame.coco.json")
    return COCO(str(folder / "frame.coco.json"))


def test_pycocotools_finds_the_same_areas_boxes_and_masks(scene: Scene, tmp_path: Path) -> None:
    data = saved(scene, tmp_path)
    found = data.loadAnns(data.getAnnIds())
    for annotation, node in zip(found, scene.observations, strict=True):
        assert annotation["area"] == node.mask.sum()
        if isinstance(annotation["segmentation"], list):  # polygons, whose edges pycocotools rounds
            assert overlap(data.annToMask(annotation) > 0, node.mask) > 0.93
            continue
        assert np.array_equal(data.annToMask(annotation).astype(bool), node.mask)
        assert masks.area(annotation["segmentation"]) == annotation["area"]
        assert masks.toBbox(annotation["segmentation"]).tolist() == annotation["bbox"]


def test_strokes_and_paths_are_polygons_of_what_they_paint(lines: Scene, tmp_path: Path) -> None:
    data = saved(lines, tmp_path)
    told = [annotation["segmentation"] for annotation in data.loadAnns(data.getAnnIds())]
    kinds = [(node.symbol, isinstance(own, list)) for node, own in zip(lines.observations, told, strict=True)]
    assert kinds[:6] == [*[("edge", True)] * 3, *[("arc", True)] * 2, ("curve", True)]
    assert kinds[6:] == [
        ("path", True),
        ("path", False),  # a closed stroke has a hole
        ("path", True),
        ("path", False),
        ("path", True),
        *[("square", False)] * 2,
    ]
    assert len(told[1][0]) == 2 * 4, "a line with straight ends has four corners"
    assert len(told[6][0]) == 2 * 6, "a hexagon six"


def test_a_stroke_of_which_a_part_is_hidden_is_told_by_its_pixels(tmp_path: Path) -> None:
    looks = {"red": 1.0, "green": 0.0, "blue": 0.0, "filled": 1.0, "thickness": 0.0}
    line = Observation("edge", (40.0, 20.0), (60.0, 5.0), 0.0, dict(looks), depth=0)
    scene = Scene(
        80, 40, [line, Observation("circle", (40.0, 20.0), (16.0, 16.0), 0.0, dict(looks), depth=1)]
    )
    data = saved(scene, tmp_path)
    first = data.loadAnns(data.getAnnIds())[0]
    assert np.array_equal(data.annToMask(first).astype(bool), line.mask)


def overlap(one: np.ndarray, other: np.ndarray) -> float:
    return float((one & other).sum() / (one | other).sum())


def test_scenes_that_were_really_seen_are_valid_too(seen: list[Scene], tmp_path: Path) -> None:
    for scene in seen:
        data = saved(scene, tmp_path)
        (image,) = data.loadImgs(data.getImgIds())
        assert image == {"id": 1, "file_name": "frame.png", "width": scene.width, "height": scene.height}
        for annotation in data.loadAnns(data.getAnnIds()):
            assert annotation["area"] > 0
            if isinstance(annotation["segmentation"], dict):
                assert masks.area(annotation["segmentation"]) == annotation["area"]


def test_every_symbol_is_a_category_and_every_part_names_its_whole(
    nest: Scene, tmp_path: Path, odd: str
) -> None:
    data = saved(nest, tmp_path)
    names = {category["id"]: category["name"] for category in data.loadCats(data.getCatIds())}
    assert sorted(names.values()) == sorted({odd, "boat", "eye", "square", "triangle", "circle"})
    (harbour,) = data.loadAnns(data.getAnnIds(catIds=data.getCatIds(catNms=[odd])))
    assert harbour["parent_id"] == 0
    inside = [a for a in data.loadAnns(data.getAnnIds()) if a["parent_id"] == harbour["id"]]
    assert sorted(names[a["category_id"]] for a in inside) == ["boat", "eye"]
    whole = data.annToMask(harbour)
    for annotation in inside:
        assert not (data.annToMask(annotation) > whole).any()


def test_what_is_wholly_hidden_has_no_area(nest: Scene, tmp_path: Path) -> None:
    data = saved(nest, tmp_path)
    hidden = [a for a in data.loadAnns(data.getAnnIds()) if a["area"] == 0]
    assert [(a["size"], a["bbox"]) for a in hidden] == [([6.0, 6.0], [0, 0, 0, 0])]


def test_the_annotations_can_be_loaded_as_results(scene: Scene, tmp_path: Path) -> None:
    data = saved(scene, tmp_path)
    annotations = json.loads((tmp_path / "frame.coco.json").read_text())["annotations"]
    if annotations:
        results = data.loadRes(annotations)
        assert [a["area"] for a in results.dataset["annotations"]] == [a["area"] for a in annotations]


@pytest.mark.parametrize("share", [0.0, 0.02, 0.5, 1.0])
def test_masks_are_packed_as_pycocotools_packs_them(share: float) -> None:
    mask = np.random.default_rng(3).uniform(size=(37, 61)) < share
    mask[:, 20:40] = share > 0.3  # a long run
    assert packed(run_lengths(mask)) == masks.encode(np.asfortranarray(mask))["counts"].decode()
