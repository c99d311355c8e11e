"""What ONNX Runtime says is what the trained networks say in torch."""

import subprocess
import sys

import numpy as np
import onnx
import pytest
import torch

from tests.perception.encoder.pictures import three_shapes
from unrender.learning.primitives.export import export
from unrender.learning.primitives.weights import load_encoder, trained
from unrender.perception.encoder.normalise import normalise
from unrender.perception.encoder.pyramid import bordered, levels_of
from unrender.perception.encoder.session import WEIGHTS, run, weights_of
from unrender.primitives.registry import find


@pytest.mark.parametrize("name", ["circle", "square", "triangle"])
@torch.no_grad()
def test_every_network_says_the_same_as_in_torch(name: str) -> None:
    path = weights_of(find(name))
    assert path is not None
    encoder, levels = load_encoder(name), levels_of(three_shapes())
    for k in range(len(levels)):
        pixels = normalise(bordered(levels, k))
        expected = encoder(torch.from_numpy(pixels)[None])[0]
        np.testing.assert_allclose(run(path, pixels), expected, atol=1e-4)


def test_the_files_that_ship_are_those_of_the_trained_weights(tmp_path) -> None:
    for name in trained():
        fresh = export(name, out=tmp_path)
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
