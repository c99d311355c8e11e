"""What the benchmark of a life calls "nothing forgotten" was known, and still is."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))  # scripts, not a package


@pytest.mark.parametrize(
    ("found", "kept"),
    [
        ([[1.0, 1.0, 1.0], [0.9, 1.0, 1.0]], True),
        ([[0.96, 0.96]], True),
        ([[0.78, 0.78, 1.0]], False),  # never known well before the end: nothing could be forgotten
        ([[0.78, 1.0, 0.8]], False),  # known in between, lost at the end
        ([[1.0, 0.9], [0.96, 1.0]], False),  # what one object gains does not make up for another
        ([], False),
    ],
)
def test_nothing_is_forgotten_that_was_known_well_and_is_known_at_the_end(
    found: list[list[float]], kept: bool
) -> None:
    assert import_module("lifelong_memory").forgotten(found).passed is kept
