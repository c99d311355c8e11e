"""A JSON file keeps a scene without loss, and looks as its published schema says."""

import json
import math
import tempfile
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unrender import Observation, Scene, UnrenderError
from unrender.exports.json import schema
from unrender.scene.tracking.tracks import Sighting, Track, Tracks

NUMBERS = st.floats(allow_nan=False, allow_infinity=False)
PAIRS = st.tuples(NUMBERS, NUMBERS)
WORDS = st.text(max_size=8)
COUNTS = st.none() | st.integers(0, 10**6)


def observations(inside: st.SearchStrategy[list[Observation]]) -> st.SearchStrategy[Observation]:
    return st.builds(
        Observation,
        WORDS,
        PAIRS,
        PAIRS,
        NUMBERS,
        st.dictionaries(WORDS, NUMBERS, max_size=3),
        NUMBERS,
        st.none() | WORDS,
        parts=inside,
        depth=COUNTS,
        track=COUNTS,
        velocity=st.none() | PAIRS,
        spin=st.none() | NUMBERS,
        hidden=inside,
        rivals=inside,
    )


NODES = st.recursive(
    observations(st.just([])), lambda node: observations(st.lists(node, max_size=2)), max_leaves=5
)
BACKGROUNDS = st.tuples(*[st.integers(0, 255)] * 3) | st.integers(0, 99).map(
    lambda seed: np.random.default_rng(seed).integers(0, 256, (6, 9, 3), np.uint8)
)
TRACKS = st.builds(
    Track,
    st.integers(0, 9),
    WORDS,
    st.integers(1, 9),
    PAIRS,
    NUMBERS,
    st.dictionaries(WORDS, NUMBERS, max_size=2),
    st.lists(st.builds(Sighting, st.integers(0, 9), NUMBERS, NUMBERS, NUMBERS), min_size=1, max_size=3).map(
        lambda sightings: tuple(sorted({s.frame: s for s in sightings}.values(), key=lambda s: s.frame))
    ),
    st.none() | st.tuples(st.integers(0, 9), WORDS),
    st.none() | PAIRS,
)


@st.composite
def scenes(draw: st.DrawFn) -> Scene:
    scene = Scene(9, 6, draw(st.lists(NODES, max_size=3)), draw(BACKGROUNDS))
    known = {track.number: track for track in draw(st.lists(TRACKS, max_size=2))}
    scene.tracks = draw(st.none() | st.builds(Tracks, st.integers(0, 9), st.integers(0, 9), st.just(known)))
    return scene


def read(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"), parse_constant=pytest.fail)


@settings(max_examples=40, deadline=None, derandomize=True)
@given(scenes())
def test_any_scene_survives_and_fits_the_schema(scene: Scene) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "scene.json")
        scene.save(path)
        data = read(path)
    jsonschema.validate(data, schema(), jsonschema.Draft202012Validator)
    again = Scene.from_dict(data)
    assert again.to_dict() == scene.to_dict()
    assert [vars_of(node) for node in again.observations] == [vars_of(node) for node in scene.observations]
    assert np.array_equal(again.background, scene.background)
    assert again.tracks == scene.tracks


def vars_of(node: Observation) -> dict[str, Any]:
    """Every field of a node, not only those that `to_dict` thinks of."""
    lists = ("parts", "hidden", "rivals")
    plain = {key: value for key, value in vars(node).items() if key not in (*lists, "scene")}
    return plain | {key: [vars_of(part) for part in getattr(node, key)] for key in lists}


def test_scenes_that_were_really_seen_fit_the_schema(seen: list[Scene], tmp_path: Path) -> None:
    for scene in seen:
        scene.save(tmp_path / "seen.json")
        data = read(tmp_path / "seen.json")
        jsonschema.validate(data, schema(), jsonschema.Draft202012Validator)
        assert np.array_equal(Scene.from_dict(data).image, scene.image)


def test_the_schema_is_one_and_describes_every_entry(scene: Scene) -> None:
    jsonschema.Draft202012Validator.check_schema(schema())
    assert set(schema()["properties"]) == set(scene.to_dict())
    for node in scene.observations:
        assert set(schema()["$defs"]["observation"]["properties"]) == set(node.to_dict())


@pytest.mark.parametrize(
    "damage",
    [
        {"width": 0},
        {"width": 2.5},
        {"background": [1, 2]},
        {"background": [1, 2, 256]},
        {"axioms": None},
        {"axioms": [{"symbol": "circle", "size": [1, 1]}]},
        {"axioms": [{"symbol": "circle", "position": [1], "size": [1, 1]}]},
        {"axioms": [{"symbol": "circle", "position": [1, 2], "size": [1, 1], "parts": [7]}]},
        {"axioms": [{"symbol": 3, "position": [1, 2], "size": [1, 1]}]},
    ],
)
def test_what_is_no_scene_does_not_fit_the_schema(weave: Scene, damage: dict[str, Any]) -> None:
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(weave.to_dict() | damage, schema(), jsonschema.Draft202012Validator)


def test_numbers_of_numpy_are_written_as_numbers(tmp_path: Path) -> None:
    node = Observation("circle", (np.float32(1.5), np.float64(2)), (4.0, 4.0), track=np.int64(3))  # type: ignore[arg-type]
    Scene(9, 9, [node]).save(tmp_path / "scene.json")
    (axiom,) = read(tmp_path / "scene.json")["axioms"]
    assert (axiom["position"], axiom["track"]) == ([1.5, 2.0], 3)


@pytest.mark.parametrize("number", [math.nan, math.inf])
def test_a_number_that_json_has_no_word_for_is_refused(tmp_path: Path, number: float) -> None:
    with pytest.raises(UnrenderError, match=r"not finite \(NaN or infinity\), which JSON cannot write\.$"):
        Scene(9, 9, [Observation("circle", (number, 1.0), (4.0, 4.0))]).save(tmp_path / "scene.json")
    assert not list(tmp_path.iterdir())
