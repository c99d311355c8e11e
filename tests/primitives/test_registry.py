"""A primitive is one function; another package brings its own without touching a file."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from unrender.errors import UnrenderError
from unrender.grammar.attribute import Attribute
from unrender.primitives import registry
from unrender.primitives.protocol import Doubles, Primitive
from unrender.primitives.registry import find, register
from unrender.primitives.symmetry import Symmetry
from unrender.render.layer import Layer
from unrender.render.paint import blank, paint

ROUNDNESS = Attribute("roundness", low=0.0, high=1.0, default=0.5)


def rounded(
    x: Doubles, y: Doubles, a: Doubles, b: Doubles, own: Doubles, signed: Doubles, nx: Doubles, ny: Doubles
) -> None:
    """A rectangle with round corners, as this test's own primitive."""
    for i in range(x.shape[0]):
        radius = own[i, 0] * min(a[i], b[i])
        for j in range(x.shape[1]):
            dx, dy = abs(x[i, j]) - a[i] + radius, abs(y[i, j]) - b[i] + radius
            right, left = 1.0 if x[i, j] >= 0 else -1.0, 1.0 if y[i, j] >= 0 else -1.0
            out_x, out_y = max(dx, 0.0), max(dy, 0.0)
            off = (out_x * out_x + out_y * out_y) ** 0.5
            if off > 1e-9:
                signed[i, j], nx[i, j], ny[i, j] = off - radius, right * out_x / off, left * out_y / off
            else:
                signed[i, j] = max(dx, dy) - radius
                nx[i, j], ny[i, j] = (right, 0.0) if dx > dy else (0.0, left)


@pytest.fixture
def cushion() -> Iterator[Primitive]:
    """[cushion], registered as any module would do it, and forgotten after the test."""
    yield register(Primitive("cushion", rounded, Symmetry(2, 4, swaps=True), own=(ROUNDNESS,)))
    del registry._REGISTRY["cushion"]


def test_it_is_drawn(cushion: Primitive) -> None:
    pose = {"x": 20, "y": 20, "width": 30, "height": 30, "red": 1.0}
    round_one = paint([Layer.from_vector("cushion", pose | {"roundness": 1.0})], blank((40, 40))).image
    disc = paint([Layer.from_vector("circle", pose)], blank((40, 40))).image
    sharp = paint([Layer.from_vector("cushion", pose | {"roundness": 0.0})], blank((40, 40))).image
    square = paint([Layer.from_vector("square", pose)], blank((40, 40))).image
    assert np.abs(round_one.astype(int) - disc).max() <= 2
    assert np.array_equal(sharp, square)


def test_its_own_attribute_has_a_default_and_a_range(cushion: Primitive) -> None:
    assert Layer.from_vector("cushion", {}).own == (0.5,)
    with pytest.raises(UnrenderError, match=r'"roundness" of \[cushion\] must lie between 0 and 1'):
        Layer.from_vector("cushion", {"roundness": 2})


def test_two_packages_cannot_give_the_same_name_to_two_primitives() -> None:
    with pytest.raises(UnrenderError, match=r"\[circle\] exists already"):
        register(Primitive("circle", rounded, Symmetry()))


def test_a_bad_name_is_refused() -> None:
    with pytest.raises(UnrenderError, match="a symbol: use letters"):
        register(Primitive("two  blanks", rounded, Symmetry()))


def test_a_mistyped_primitive_gets_a_hint() -> None:
    with pytest.raises(UnrenderError, match=r'no primitive called .* Did you mean "triangle"'):
        find("triangel")


EARLY = """
from unrender.primitives.protocol import Primitive
from unrender.primitives.registry import find, register
from unrender.primitives.symmetry import Symmetry

try:
    register(Primitive("circle", print, Symmetry()))
except Exception as error:
    print(type(error).__name__, error)
print(find("circle").field.__module__)
"""


def test_a_name_of_the_package_cannot_be_taken_even_before_its_primitives_were_first_used() -> None:
    done = subprocess.run(
        [sys.executable, "-c", EARLY], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.splitlines() == [
        "UnrenderError A primitive called [circle] exists already; choose another name.",
        "unrender.primitives.circle",
    ]


PLUGIN = """
from unrender.primitives.protocol import Primitive
from unrender.primitives.registry import register
from unrender.primitives.symmetry import Symmetry


def field(x, y, a, b, own, signed, nx, ny):
    for i in range(x.shape[0]):
        length = (a[i] ** 2 + b[i] ** 2) ** 0.5
        for j in range(x.shape[1]):
            signed[i, j] = (abs(x[i, j]) * b[i] + abs(y[i, j]) * a[i] - a[i] * b[i]) / length
            nx[i, j] = (b[i] if x[i, j] >= 0 else -b[i]) / length
            ny[i, j] = (a[i] if y[i, j] >= 0 else -a[i]) / length


register(Primitive("diamond", field, Symmetry(turns=2, even=4, swaps=True)))
"""


def test_an_installed_package_brings_its_primitive_by_entry_point(tmp_path: Path) -> None:
    (tmp_path / "gems.py").write_text(PLUGIN)
    info = tmp_path / "gems-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: gems\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[unrender.primitives]\ngems = gems\n")
    program = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        "from unrender.cli import main\n"
        "main(['draw', 'diamond', 'width=20', 'height=30', '--canvas', '40', '-o', 'd.png'])\n"
    )
    subprocess.run([sys.executable, "-c", program], cwd=tmp_path, check=True, timeout=60)
    with Image.open(tmp_path / "d.png") as image:
        covered = np.asarray(image)[:, :, 0].sum() / 255
    assert covered == pytest.approx(20 * 30 / 2, rel=0.02)
