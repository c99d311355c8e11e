"""Forms: numbers beside the attributes, of primitives whose shape no attribute tells."""

import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import unrender
from unrender import Observation, Scene
from unrender.primitives import Primitive, Symmetry, register, registry
from unrender.primitives.protocol import IDENTITY, Doubles

FORM = (-1.0, -1.0, 0.0, 1.0, 1.0, -0.5)
LOOKS = {"red": 0.0, "green": 0.5, "blue": 1.0, "filled": 0.0, "thickness": 0.1}


def chain(
    x: Doubles, y: Doubles, a: Doubles, b: Doubles, own: Doubles, signed: Doubles, nx: Doubles, ny: Doubles
) -> None:
    """An open line through as many points as its form has."""
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            signed[i, j] = 1e30
            for k in range(own.shape[1] // 2 - 1):
                x0, y0 = own[i, 2 * k] * a[i], own[i, 2 * k + 1] * b[i]
                ex, ey = own[i, 2 * k + 2] * a[i] - x0, own[i, 2 * k + 3] * b[i] - y0
                along = ((x[i, j] - x0) * ex + (y[i, j] - y0) * ey) / (ex * ex + ey * ey)
                along = min(max(along, 0.0), 1.0)
                dx, dy = x[i, j] - x0 - along * ex, y[i, j] - y0 - along * ey
                off = math.sqrt(dx * dx + dy * dy)
                if off < signed[i, j]:
                    signed[i, j] = off
                    nx[i, j], ny[i, j] = dx / max(off, 1e-12), dy / max(off, 1e-12)


@pytest.fixture(autouse=True)
def line() -> Iterator[Primitive]:
    yield register(Primitive("chain", chain, Symmetry(), closed=False))
    del registry._REGISTRY["chain"]


def drawn() -> Scene:
    node = Observation("chain", (30.0, 20.0), (40.0, 20.0), 0.0, dict(LOOKS), form=FORM, count=3)
    return Scene(60, 40, [node])


def test_it_is_drawn_by_its_form() -> None:
    scene = drawn()
    blue = [0, 128, 255]
    assert scene.image[10, 10].tolist() == blue, "at its first end"
    assert scene.image[29, 30].tolist() == blue, "at the bend"
    assert scene.image[12, 30].tolist() == [0, 0, 0], "an open line has no inside"
    assert scene.axioms[0].path.startswith("M ")
    assert not scene.axioms[0].path.endswith("Z")


def test_it_is_kept_in_files_and_copies() -> None:
    scene = drawn()
    again = Scene.from_dict(scene.to_dict())
    assert (again.axioms[0].form, again.axioms[0].count) == (FORM, 3)
    assert np.array_equal(again.image, scene.image)


def test_it_is_saved_as_a_stroke(tmp_path: Path) -> None:
    drawn().save(tmp_path / "line.svg")
    text = (tmp_path / "line.svg").read_text()
    assert "<polyline" in text
    assert 'fill="none" stroke="#0080ff" stroke-width="4"' in text


def test_an_object_that_is_taught_keeps_the_forms_of_its_parts() -> None:
    line = drawn().axioms[0]
    dot = Observation("circle", (30.0, 8.0), (8.0, 8.0), 0.0, LOOKS | {"filled": 1.0}, depth=1)
    scene = Scene(60, 40, [line, dot])
    brain = unrender.open()
    brain.teach(scene, "swing", scene.axioms)
    (part, _) = brain.symbols["swing"][0].decode(brain.symbols["swing"][0].memory[0].whole)
    assert (part.symbol, part.form, part.count) == ("chain", FORM, 3)


def test_what_has_no_form_is_aligned_as_it_is(line: Primitive) -> None:
    assert line.align((), ()) == (IDENTITY, 0.0)
