"""What ONNX Runtime says is what the trained networks say in torch."""

import subprocess
import sys

import numpy as np
import onnx
import pytest
import torch

from tests.perception.encoder.pictures import three_shapes
from unrender.capsules.encoder import normalise as torch_normalise
from unrender.capsules.library import load_capsule, trained
from unrender.capsules.pyramid import Pyramid
from unrender.capsules.views import bordered as torch_bordered
from unrender.perception.encoder.normalise import normalise
from unrender.perception.encoder.pyramid import bordered, levels_of
from unrender.perception.encoder.session import WEIGHTS, run, weights_of
from unrender.primitives.registry import find
from unrender.training.export import export_capsule

SIZES = [(96, 120), (83, 131), (40, 18)]


def random_picture(height: int, width: int) -> np.ndarray:
    return np.random.default_rng(height).random((height, width, 3), np.float32)


@pytest.mark.parametrize("size", SIZES)
def test_levels_with_their_border_are_those_of_torch(size: tuple[int, int]) -> None:
    image = random_picture(*size)
    levels, pyramid = levels_of(image), Pyramid.of(torch.from_numpy(image).permute(2, 0, 1))
    assert len(levels) == len(pyramid.levels)
    for k in range(len(levels)):
        np.testing.assert_allclose(
            bordered(levels, k), torch_bordered(pyramid, k)[0].permute(1, 2, 0), atol=1e-6
        )


@pytest.mark.parametrize("size", SIZES)
def test_brightness_and_contrast_are_taken_out_as_in_torch(size: tuple[int, int]) -> None:
    level = bordered(levels_of(random_picture(*size)), 0)
    expected = torch_normalise(torch.from_numpy(level).permute(2, 0, 1)[None])[0]
    np.testing.assert_allclose(normalise(level), expected, atol=2e-5)


@pytest.mark.parametrize("name", ["circle", "square", "triangle"])
@torch.no_grad()
def test_every_network_says_the_same_as_in_torch(name: str) -> None:
    path = weights_of(find(name))
    assert path is not None
    capsule, levels = load_capsule(name), levels_of(three_shapes())
    for k in range(len(levels)):
        pixels = normalise(bordered(levels, k))
        expected = capsule.encoder(torch.from_numpy(pixels)[None])[0]
        np.testing.assert_allclose(run(path, pixels), expected, atol=1e-4)


def test_the_files_that_ship_are_those_of_the_trained_weights(tmp_path) -> None:
    for name in trained():
        fresh = export_capsule(name, folder=tmp_path)
        shipped = WEIGHTS / fresh.name
        mine, its = (
            {each.name: onnx.numpy_helper.to_array(each) for each in onnx.load(path).graph.initializer}
            for path in (fresh, shipped)
        )
        assert mine.keys() == its.keys()
        for key in mine:
            np.testing.assert_allclose(mine[key], its[key], rtol=1e-5, atol=1e-6)
        assert shipped.stat().st_size < 1_000_000


def test_estimates_need_no_torch() -> None:
    code = (
        "import sys, numpy as np; from unrender.perception.encoder.estimates import estimates;"
        "estimates(np.zeros((40, 40, 3), np.float32)); print('torch' in sys.modules, 'onnx' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]
