"""Who is compared in `oneshot.py`: `unrender` by its public face, and what people use otherwise."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from oneshot_scenes import Lesson
from oneshot_scoring import Finding

import unrender

Image = NDArray[np.uint8]


@dataclass(frozen=True)
class Sight:
    """What a finder made of one picture."""

    found: list[Finding]
    seconds: float
    redrawn: Image | None = None


class Finder(Protocol):
    """Learns objects from one example each, then finds them."""

    def teach(self, lesson: Lesson) -> float:
        """Learn one example; seconds that it took."""
        ...

    def find(self, image: Image) -> Sight:
        """Everything known in a uint8 HxWx3 picture."""
        ...


class Unrender:
    """A brain, asked through its public face only."""

    def __init__(self, brain: unrender.Brain | None = None) -> None:
        self.brain = brain or unrender.open(":memory:")

    def teach(self, lesson: Lesson) -> float:
        scene = self.brain.see(lesson.image)
        parts = [node for node in scene.observations if node.symbol in lesson.parts]
        start = time.perf_counter()
        self.brain.teach(scene, lesson.name, parts=parts if lesson.parts else scene.primitives)
        return time.perf_counter() - start

    def find(self, image: Image) -> Sight:
        start = time.perf_counter()
        scene = self.brain.see(image)
        seconds = time.perf_counter() - start
        return Sight([finding(node) for node in scene.observations if node.route], seconds, scene.image)


def finding(node: Any) -> Finding:
    """An `Observation` of an object in the benchmark's own words."""
    return Finding(
        node.symbol,
        node.position,
        node.size,
        node.rotation,
        node.p,
        tuple(part.symbol for part in node.parts),
        tuple((part.symbol, part.position) for part in node.hidden),
    )


def template_finder(every: int = 1) -> Finder:
    """OpenCV's template matching over a bank of turns and sizes, or of `every` so manieth."""
    from oneshot_template import Template

    return Template(every)


def sift_finder() -> Finder:
    """SIFT features and RANSAC."""
    from oneshot_sift import Sift

    return Sift()


FINDERS: dict[str, Callable[[], Finder]] = {
    "unrender": Unrender,
    "template": template_finder,
    "sift": sift_finder,
}
