"""A primitive is one function under a decorator; another package brings its own without touching a file."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image
from torch import Tensor

from unrender.errors import UnrenderError
from unrender.grammar.attribute import Attribute
from unrender.graphics import registry
from unrender.graphics.draw import draw
from unrender.graphics.paint import Layer, ground, paint
from unrender.graphics.registry import Primitive, find, primitive, primitives

ROUNDNESS = Attribute("roundness", low=0.0, high=1.0, default=0.5)


def rounded(x: Tensor, y: Tensor, a: Tensor, b: Tensor, roundness: Tensor) -> Tensor:
    """A rectangle with round corners, as this test's own primitive."""
    radius = roundness * torch.minimum(a, b)
    dx, dy = x.abs() - a + radius, y.abs() - b + radius
    outside = (dx.clamp_min(0).square() + dy.clamp_min(0).square() + 1e-20).sqrt()
    return outside + torch.maximum(dx, dy).clamp_max(0) - radius


@pytest.fixture
def cushion() -> Iterator[Primitive]:
    """[cushion], registered as any module would do it, and forgotten after the test."""
    primitive("cushion", order=4, shape=(ROUNDNESS,))(rounded)
    yield find("cushion")
    del registry._REGISTRY["cushion"]


def test_the_three_primitives_of_the_paper_are_there_with_their_symmetries() -> None:
    orders = {name: found.order for name, found in primitives().items()}
    assert orders["circle"] == 0
    assert orders["square"] == 4
    assert orders["triangle"] == 3


@pytest.mark.usefixtures("cushion")
def test_a_primitive_registered_outside_the_package_can_be_drawn() -> None:
    pose = {"x": 20, "y": 20, "width": 30, "height": 30, "red": 1.0}
    round_one = paint([Layer.from_vector("cushion", pose | {"roundness": 1.0})], ground((40, 40))).image
    disc = paint([Layer.from_vector("circle", pose)], ground((40, 40))).image
    sharp = paint([Layer.from_vector("cushion", pose | {"roundness": 0.0})], ground((40, 40))).image
    square = paint([Layer.from_vector("square", pose)], ground((40, 40))).image
    assert np.abs(round_one.astype(int) - disc).max() <= 2
    assert np.array_equal(sharp, square)


def test_its_own_attribute_has_a_default_a_range_and_a_gradient(cushion: Primitive) -> None:
    assert cushion.columns[-1] == "roundness"
    assert Layer.from_vector("cushion", {}).vector[-1] == 0.5
    with pytest.raises(UnrenderError, match=r'"roundness" of \[cushion\] must lie between 0 and 1'):
        Layer.from_vector("cushion", {"roundness": 2})
    values = [8.1, 8.2, 10.3, 9.1, 20, 1, 1, 1, 0.3, 0.1, 0.4]
    batch = torch.tensor([values], dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(lambda a: draw(cushion, a, 16, 16), batch, fast_mode=True)


def test_two_packages_cannot_give_the_same_name_to_two_primitives() -> None:
    assert "circle" in primitives()
    with pytest.raises(UnrenderError, match=r"\[circle\] exists already"):
        primitive("circle", order=0)(rounded)


EARLY = """
from unrender.graphics.registry import find, primitive

try:
    primitive("circle", order=0)(lambda x, y, a, b: x * y * a * b)
except Exception as error:
    print(type(error).__name__, error)
print(find("circle").distance.__module__)
"""


def test_a_name_of_the_package_cannot_be_taken_even_before_its_primitives_were_first_used() -> None:
    done = subprocess.run(
        [sys.executable, "-c", EARLY], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.splitlines() == [
        "UnrenderError A primitive called [circle] exists already; choose another name.",
        "unrender.graphics.primitives.circle",
    ]


def test_a_bad_name_is_refused() -> None:
    with pytest.raises(UnrenderError, match="a symbol: use letters"):
        primitive("two  blanks", order=1)(rounded)


def test_a_mistyped_primitive_gets_a_hint() -> None:
    with pytest.raises(UnrenderError, match=r'no primitive called .* Did you mean "triangle"'):
        find("triangel")


PLUGIN = """
from unrender.graphics.registry import primitive

@primitive("diamond", order=4)
def diamond(x, y, a, b):
    return ((x.abs() * b + y.abs() * a) - a * b) / (a * a + b * b).sqrt()
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
