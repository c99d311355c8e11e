""".json: the scene graph, without loss; `scene.schema.json` beside this file says how it looks."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

import numpy as np

from unrender.errors import UnrenderError
from unrender.exports.registry import exporter
from unrender.scene import Scene


@exporter(".json")
def scene_json(scene: Scene, name: str) -> str:
    """`scene.to_dict()`; `Scene.from_dict(json.load(file))` reads it back."""
    try:
        return json.dumps(scene.to_dict(), indent=1, allow_nan=False, default=_plain) + "\n"
    except ValueError:
        raise UnrenderError(
            "This scene holds a number that is not finite (NaN or infinity), which JSON cannot write."
        ) from None


def schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of the files."""
    found: dict[str, Any] = json.loads(files(__package__).joinpath("scene.schema.json").read_text("utf-8"))
    return found


def _plain(value: object) -> object:
    """A number of numpy as one of Python."""
    if isinstance(value, np.generic):
        return value.item()
    raise UnrenderError(f"This scene holds {value!r}, which JSON cannot write.")
