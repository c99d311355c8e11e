"""Scene graphs from JSON, misshapen: a scene that is accepted can be drawn, asked, edited and saved."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st

from unrender import Scene, UnrenderError
from unrender.scene.tracking.follow import follow

from .cases import corpus, ended, fuzz, kept
from .mutators import misshapen, mistyped, nested

TEXTS = [text.decode() for text in corpus("scenes")]
VALUES = [json.loads(text) for text in TEXTS]
SUFFIXES = [".svg", ".json", ".tscn", ".coco.json", ".png"]


def use(data: Any, suffix: str, folder: Path) -> None:
    """Read a scene, and use it in every way."""
    scene = ended(lambda: Scene.from_dict(data))
    if scene is None:
        return
    ended(lambda: scene.image)
    ended(scene.describe)
    ended(lambda: scene.ask("what is left of the largest circle?"))
    ended(scene.rows)
    ended(lambda: scene.edit("*.rotation+=30", "1.x*=2"))
    ended(lambda: scene.save(folder / f"scene{suffix}"))
    again = ended(lambda: Scene.from_dict(scene.to_dict()))
    assert again is None or again.to_dict() == scene.to_dict()


@fuzz(25, data=misshapen(VALUES), suffix=st.sampled_from(SUFFIXES))
def test_a_misshapen_scene_is_used_or_refused(data: Any, suffix: str, tmp_path: Path) -> None:
    use(data, suffix, tmp_path)


@fuzz(10, text=mistyped(TEXTS), suffix=st.sampled_from(SUFFIXES))
def test_a_damaged_scene_file_is_used_or_refused(text: str, suffix: str, tmp_path: Path) -> None:
    path = tmp_path / "scene.json"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    scene = ended(lambda: Scene.load(path))
    if scene is not None:
        use(scene.to_dict(), suffix, tmp_path)


def after(before: Scene) -> None:
    """Follow the objects of a scene into the next frame."""
    now = Scene.from_dict(VALUES[-1])
    ended(lambda: follow(now, before))


@fuzz(3, changed=misshapen(VALUES[-1:]))
def test_a_frame_after_a_misshapen_one_is_seen_or_refused(changed: Any) -> None:
    before = ended(lambda: Scene.from_dict(changed))
    if before is not None:
        after(before)


@pytest.mark.parametrize("path", kept("scenes"), ids=lambda path: path.name)
def test_a_scene_that_once_failed_does_not_fail_again(path: Path, tmp_path: Path) -> None:
    scene = ended(lambda: Scene.load(path))
    if scene is not None:
        for suffix in SUFFIXES:
            use(scene.to_dict(), suffix, tmp_path)
        after(scene)


def node(**changes: Any) -> dict[str, Any]:
    plain = {"symbol": "circle", "position": [5, 5], "size": [4, 4], "parts": []}
    return plain | changes


def around(axioms: Any, **changes: Any) -> dict[str, Any]:
    return {"width": 20, "height": 20, "background": [0, 0, 0], "axioms": axioms} | changes


@pytest.mark.parametrize(
    "data",
    [
        around(nested(3000, "parts")),
        around([node(parts=nested(3000, "hidden"))]),
        around([], background=nested(3000)),
        around([], width=32768, height=32768),
        around([node(size=[1e300, 1e300])]),
        around([node(position=[float("nan"), 0])]),
        around([node(depth="front"), node()]),
        around([node(symbol="\ud800\0")]),
        around([], background="iVBORw0KGgo="),
        [],
        None,
    ],
    ids=[
        "deep",
        "deep below",
        "background",
        "large",
        "far",
        "nan",
        "depth",
        "letters",
        "png",
        "list",
        "none",
    ],
)
def test_a_monstrous_scene_is_refused(data: Any) -> None:
    with pytest.raises(UnrenderError):
        Scene.from_dict(data).image  # noqa: B018
