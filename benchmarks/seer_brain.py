"""Brains of both cores, so that every benchmark of whole objects can be run on either: `--core old,new`."""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

import unrender
from unrender import Scene


class NewBrain(unrender.Brain):
    """A brain that sees with `capsules/see.py`; all else is as it was."""

    def see(self, image: Any, after: Scene | None = None, *, max_seconds: float | None = None) -> Scene:
        from unrender.capsules.see import see
        from unrender.primitives.registry import primitives
        from unrender.scene.picture import read_picture

        picture = read_picture(image)
        network = self._knowledge.network
        scene = see(picture.pixels, network, list(primitives().values()))
        scene.picture = (picture.pixels * 255).round().astype(np.uint8)
        scene.scale = picture.scale
        scene.produce = network.produce if network.capsules else None
        scene.nouns = frozenset(self.symbols)
        return scene


BRAINS = {"old": unrender.Brain, "new": NewBrain}


def open_brain(core: str) -> unrender.Brain:
    """An empty brain that sees with a core."""
    return BRAINS[core](":memory:")


def add_core(known: argparse.ArgumentParser) -> None:
    """The option `--core`."""
    known.add_argument(
        "--core", default="old", help="which seer: old, new, or both of them, comma separated (default old)"
    )


def cores(options: argparse.Namespace, known: argparse.ArgumentParser) -> list[str]:
    """The cores that were asked for."""
    names = str(options.core).split(",")
    unknown = sorted(set(names) - set(BRAINS))
    if unknown:
        known.error(f"no such core: {', '.join(unknown)}")
    return names
