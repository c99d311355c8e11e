"""The trained γ: one safetensors file and one card for each primitive.

Those of the package's own primitives ship with it; those of another package lie beside the file that
registers the primitive.
"""

from __future__ import annotations

import json
import os
import sys
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import nn
from torch.nn.utils.fusion import fuse_conv_bn_eval

from unrender.capsules.encoder import Encoder
from unrender.capsules.primitive import PrimitiveCapsule
from unrender.errors import UnrenderError
from unrender.graphics.registry import find, primitives

WEIGHTS = Path(__file__).parent / "weights"


@dataclass(frozen=True)
class Card:
    """How a capsule was trained and what it scored, kept beside its weights."""

    primitive: str
    steps: int
    samples: int  # pictures it was shown
    seconds: float
    seed: int
    scores: dict[str, float] = field(default_factory=dict)  # on pictures it was not trained on
    note: str = "Trained only on pictures that its own draw synthesised."


def save_capsule(capsule: PrimitiveCapsule, card: Card, folder: Path = WEIGHTS) -> Path:
    """Write the weights (half precision) and the card of one capsule; no other file is touched."""
    if not any(isinstance(layer, nn.BatchNorm2d) for layer in capsule.encoder.layers):
        raise UnrenderError("A capsule that was loaded to see cannot be saved again; copy its files instead.")
    folder.mkdir(parents=True, exist_ok=True)
    name = capsule.primitive.name
    tensors = {
        key: (value.half() if value.is_floating_point() else value).contiguous()
        for key, value in capsule.encoder.state_dict().items()
    }
    weights, text = folder / f"{name}.safetensors", json.dumps(asdict(card), indent=2) + "\n"
    new_weights, new_card = weights.with_suffix(".safetensors.new"), weights.with_suffix(".json.new")
    save_file(tensors, new_weights)
    new_weights.chmod(0o644)
    new_card.write_text(text, encoding="utf-8")
    os.replace(new_weights, weights)
    os.replace(new_card, weights.with_suffix(".json"))
    return weights


def load_card(name: str, folder: Path = WEIGHTS) -> dict[str, Any]:
    """The card of a trained capsule."""
    try:
        card: dict[str, Any] = json.loads((folder / f"{name}.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        raise UnrenderError(
            f'The capsule [{name}] has no readable card; run "unrender train {name}".'
        ) from None
    return card


def load_capsule(name: str, folder: Path = WEIGHTS) -> PrimitiveCapsule:
    """The capsule of the primitive `name` with its trained weights, ready to see."""
    return PrimitiveCapsule(find(name), fused(load_encoder(name, folder)))


def load_encoder(name: str, folder: Path = WEIGHTS) -> Encoder:
    """The trained network of the primitive `name`, as it was saved."""
    path = folder / f"{name}.safetensors"
    if not path.exists():
        raise UnrenderError(f'The capsule [{name}] has no trained weights; run "unrender train {name}".')
    encoder = Encoder()
    try:
        encoder.load_state_dict({key: value.float() for key, value in load_file(path).items()})
    except (SafetensorError, RuntimeError, OSError):
        raise UnrenderError(f'The weights in "{path}" are damaged; run "unrender train {name}".') from None
    return encoder.eval()


def fused(encoder: Encoder) -> Encoder:
    """The same function with each batch normalisation folded into the convolution before it."""
    layers: list[nn.Module] = []
    for layer in encoder.layers:
        if isinstance(layer, nn.BatchNorm2d) and isinstance(layers[-1], nn.Conv2d):
            layers[-1] = fuse_conv_bn_eval(layers[-1], layer)
        else:
            layers.append(layer)
    encoder.layers = nn.Sequential(*layers)
    encoder.requires_grad_(False)
    return encoder.to(memory_format=torch.channels_last)  # type: ignore[call-overload, no-any-return]


def home(name: str) -> Path:
    """The folder in which the weights of a primitive are looked for."""
    package = find(name).distance.__module__
    file = getattr(sys.modules.get(package), "__file__", None)
    return WEIGHTS if file is None or package.startswith("unrender.") else Path(file).parent


def trained(folder: Path | None = None) -> list[str]:
    """Names of all primitives that have trained weights where they belong, or in `folder`."""
    places = {name: folder or home(name) for name in primitives()}
    return sorted(name for name, place in places.items() if (place / f"{name}.safetensors").exists())


def shipped() -> tuple[PrimitiveCapsule, ...]:
    """The capsules of all primitives that are known and trained, each loaded once."""
    return _loaded(tuple(trained()))


@lru_cache(maxsize=1)
def _loaded(names: tuple[str, ...]) -> tuple[PrimitiveCapsule, ...]:
    return tuple(load_capsule(name, home(name)) for name in names)
