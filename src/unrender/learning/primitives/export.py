"""Trained weights as ONNX files, from which γ is computed without torch.

    python -m unrender.learning.primitives.export

writes one file for each primitive that has trained weights, beside these.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper
from torch import nn

from unrender.learning.primitives.network import SLOPE, Encoder
from unrender.learning.primitives.weights import load_encoder, trained
from unrender.perception.encoder.session import INPUT, OUTPUT, home
from unrender.primitives.registry import find

OPSET, IR = 17, 8  # what every ONNX Runtime since 1.15 reads


def export(name: str, folder: Path | None = None, out: Path | None = None) -> Path:
    """Write the network of the primitive `name` as name.onnx into `out`, from its weights in `folder`: by
    default both are where it is seen with."""
    source = folder or home(find(name))
    model = as_onnx(load_encoder(name, source))
    model.graph.name = name
    onnx.checker.check_model(model, full_check=True)
    path = (out or source) / f"{name}.onnx"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(model.SerializeToString(deterministic=True))
    return path


def as_onnx(encoder: Encoder) -> ModelProto:
    """A network with its batch normalisations folded into the convolutions before them.

    Weights are kept as they are stored, in half precision, beside the factors of the batch normalisation in
    full: ONNX Runtime multiplies them once, when it loads the file.
    """
    layers = list(encoder.layers)
    last = layers[-1]
    assert isinstance(last, nn.Conv2d)
    nodes: list[NodeProto] = []
    constants: list[TensorProto] = []
    flowing = INPUT
    for n, layer in enumerate(layers):
        if isinstance(layer, nn.Conv2d):
            after = layers[n + 1] if n + 1 < len(layers) else None
            factor, bias = _folded(layer, after if isinstance(after, nn.BatchNorm2d) else None)
            kernel = layer.weight.detach().half().numpy()
            constants += [
                numpy_helper.from_array(kernel, f"kernel{n}"),
                numpy_helper.from_array(factor[:, None, None, None], f"factor{n}"),
                numpy_helper.from_array(bias, f"bias{n}"),
            ]
            out = OUTPUT if after is None else f"convolved{n}"
            nodes += [
                helper.make_node("Cast", [f"kernel{n}"], [f"full{n}"], to=TensorProto.FLOAT),
                helper.make_node("Mul", [f"full{n}", f"factor{n}"], [f"weight{n}"]),
                helper.make_node(
                    "Conv",
                    [flowing, f"weight{n}", f"bias{n}"],
                    [out],
                    kernel_shape=kernel.shape[2:],
                    strides=layer.stride,
                    pads=[int(side) for side in layer.padding] * 2,
                    dilations=layer.dilation,
                ),
            ]
            flowing = out
        elif isinstance(layer, nn.LeakyReLU):
            nodes.append(helper.make_node("LeakyRelu", [flowing], [f"active{n}"], alpha=SLOPE))
            flowing = f"active{n}"
    graph = helper.make_graph(
        nodes,
        "encoder",
        [helper.make_tensor_value_info(INPUT, TensorProto.FLOAT, [1, 3, "height", "width"])],
        [helper.make_tensor_value_info(OUTPUT, TensorProto.FLOAT, [1, last.out_channels, "rows", "columns"])],
        constants,
    )
    return helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=IR, producer_name="unrender"
    )


def _folded(layer: nn.Conv2d, norm: nn.BatchNorm2d | None) -> tuple[np.ndarray, np.ndarray]:
    """The factor of each output channel (C,) and its bias (C,)."""
    bias = torch.zeros(layer.out_channels) if layer.bias is None else layer.bias.detach()
    if norm is None:
        return np.ones(layer.out_channels, np.float32), bias.numpy()
    assert norm.running_mean is not None
    assert norm.running_var is not None
    factor = norm.weight.detach() * torch.rsqrt(norm.running_var + norm.eps)
    return factor.numpy(), ((bias - norm.running_mean) * factor + norm.bias.detach()).numpy()


def main() -> None:
    """Export all capsules."""
    for name in trained():
        path = export(name)
        print(f"Wrote {path.name}: {path.stat().st_size // 1000} kB")


if __name__ == "__main__":
    main()
