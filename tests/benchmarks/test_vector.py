"""What the vector benchmark counts is what is in the SVG files."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))  # scripts, not a package

SQUARE = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40">'
    '<rect width="40" height="40" fill="#000000"/>{}</svg>'
)


def test_an_element_is_a_true_primitive_if_it_paints_what_is_visible_of_it() -> None:
    vector, tracers, scatter = (import_module(name) for name in ("vector", "vector_tracers", "scatter"))
    behind = scatter.Shape("square", (20.0, 20.0), (30.0, 30.0), 0.0, (1.0, 0.0, 0.0))
    front = scatter.Shape("square", (20.0, 20.0), (12.0, 12.0), 0.0, (0.0, 1.0, 0.0))
    made = vector.drawing([behind, front], (0.0, 0.0, 0.0), 40, 40)

    def true(*elements: str) -> int:
        return int(vector.true_elements(tracers.elements(SQUARE.format("".join(elements))), made))

    inner = '<rect x="14" y="14" width="12" height="12" fill="#00ff00"/>'
    assert true('<rect x="5" y="5" width="30" height="30" fill="#ff0000"/>', inner) == 3
    hollow = '<path d="M5,5H35V35H5ZM14,14V26H26V14Z" fill="#ff0000"/>'
    assert true(hollow, inner) == 3
    assert true('<rect x="5" y="5" width="30" height="30" fill="#ff9900"/>', inner) == 2
    assert true('<rect x="5" y="5" width="15" height="30" fill="#ff0000"/>', inner) == 2
    assert true(inner, inner) == 2


def test_potrace_draws_rings_in_rings_as_one_path_each() -> None:
    tracers = import_module("vector_tracers")
    y, x = np.mgrid[:64, :64]
    far = np.hypot(x - 31.5, y - 31.5)
    white = ((far < 28) & (far > 20)) | ((far < 14) & (far > 7))
    image = np.repeat(np.where(white, 255, 0).astype(np.uint8)[..., None], 3, axis=2)
    svg = tracers.by_potrace(image, [(0.0, 0.0, 0.0), (1.0, 1.0, 1.0)])
    assert len(tracers.elements(svg)) == 3
    again = tracers.rendered(svg)[..., 0]
    assert (np.abs(again.astype(int) - image[..., 0]) > 128).mean() < 0.03  # a hole that is filled is more
