"""What is kept of a scene: how much is in it, and what the files that are written need of it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from unrender.batch.look import View

if TYPE_CHECKING:
    from unrender.capsules.past import Observed
    from unrender.scene import Scene

Row = dict[str, Any]


@dataclass(frozen=True)
class Seen:
    """What is kept of one scene."""

    size: str  # "640x480", and "at 1/2" if it was scaled down
    found: dict[str, list[float]] = field(default_factory=dict)  # the p of every object, by symbol
    files: Mapping[str, bytes] = field(default_factory=dict)  # their content by suffix
    text: str = ""  # all of it as JSON
    rows: Sequence[Row] = ()
    complete: bool = True  # False if time was up
    observed: Observed = field(default_factory=dict)  # p of the parts of all wholes, by route


@dataclass(frozen=True)
class Keep:
    """Say what is in a scene, and make of it what is to be written; wherever this is, nothing is written."""

    suffixes: tuple[str, ...] = ()
    text: bool = False
    rows: bool = False
    remember: bool = False

    def __call__(self, scene: Scene, view: View) -> Seen:
        from unrender.capsules.past import observed
        from unrender.exports.rows import rows
        from unrender.exports.save import content

        found: dict[str, list[float]] = {}
        for axiom in scene.axioms:
            found.setdefault(axiom.symbol, []).append(axiom.p)
        name = view.name.rpartition("/")[2]
        scale = f" at 1/{1 / scene.scale:.0f}" if scene.scale < 1 else ""
        return Seen(
            f"{scene.width}x{scene.height}{scale}",
            found,
            {suffix: content(scene, f"{name}{suffix}") for suffix in self.suffixes},
            json.dumps(scene.to_dict()) if self.text else "",
            rows(scene, {"picture": str(view.source.path), "frame": view.frame}) if self.rows else (),
            scene.complete,
            observed(scene) if self.remember else {},
        )


def place(view: View) -> dict[str, object]:
    """Which picture or frame a line of JSON is about."""
    return {"image": str(view.source.path)} | ({} if view.frame is None else {"frame": view.frame})
