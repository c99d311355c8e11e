"""The trained γ on disk: one safetensors file and one card for each primitive.

They lie where the primitive's network is looked for: `perception.encoder.session.home`.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from safetensors import SafetensorError
from safetensors.torch import load_file, save_file

from unrender.errors import UnrenderError
from unrender.learning.primitives.network import Encoder
from unrender.perception.encoder.session import home
from unrender.primitives.registry import find, primitives

LAST = "layers.26.weight"  # of the layer that says the channels


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


def save_encoder(encoder: Encoder, card: Card, folder: Path) -> Path:
    """Write the weights (half precision) and the card of one primitive; no other file is touched."""
    folder.mkdir(parents=True, exist_ok=True)
    tensors = {
        key: (value.half() if value.is_floating_point() else value).contiguous()
        for key, value in encoder.state_dict().items()
    }
    weights = folder / f"{card.primitive}.safetensors"
    new_weights, new_card = weights.with_suffix(".safetensors.new"), weights.with_suffix(".json.new")
    save_file(tensors, new_weights)
    new_weights.chmod(0o644)
    new_card.write_text(json.dumps(asdict(card), indent=2) + "\n", encoding="utf-8")
    os.replace(new_weights, weights)
    os.replace(new_card, weights.with_suffix(".json"))
    return weights


def load_card(name: str, folder: Path | None = None) -> dict[str, Any]:
    """The card of a trained primitive."""
    path = (folder or home(find(name))) / f"{name}.json"
    try:
        card: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        raise UnrenderError(
            f'The capsule [{name}] has no readable card; run "unrender train {name}".'
        ) from None
    return card


def load_encoder(name: str, folder: Path | None = None) -> Encoder:
    """The trained network of the primitive `name`, as it was saved."""
    path = (folder or home(find(name))) / f"{name}.safetensors"
    if not path.exists():
        raise UnrenderError(f'The capsule [{name}] has no trained weights; run "unrender train {name}".')
    try:
        tensors = {key: value.float() for key, value in load_file(path).items()}
        encoder = Encoder(len(tensors[LAST]))
        encoder.load_state_dict(tensors)
    except (SafetensorError, RuntimeError, OSError, KeyError):
        raise UnrenderError(f'The weights in "{path}" are damaged; run "unrender train {name}".') from None
    return encoder.eval()


def trained(folder: Path | None = None) -> list[str]:
    """Names of all primitives that have trained weights where they belong, or in `folder`."""
    places = {name: folder or home(primitive) for name, primitive in primitives().items()}
    return sorted(name for name, place in places.items() if (place / f"{name}.safetensors").exists())
