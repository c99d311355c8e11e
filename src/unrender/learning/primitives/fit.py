"""Fitting γ of a primitive capsule from scratch ("Training Primitive Capsules").

Repeatable: the seed fixes the first weights and every picture. Interrupted, it goes on from its last
checkpoint with the same result as if it had never stopped.
"""

from __future__ import annotations

import json
import os
import pickle
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor

from unrender.errors import UnrenderError
from unrender.learning.primitives.network import Encoder, normalised
from unrender.learning.primitives.synthesize import Batch, Synthesizer
from unrender.learning.primitives.targets import assign, channels
from unrender.primitives.protocol import Primitive
from unrender.primitives.registry import primitives

FORMAT = 2  # of checkpoints: others are not gone on with


@dataclass(frozen=True)
class Plan:
    """How a capsule is trained."""

    steps: int = 4200
    batch: int = 64
    rate: float = 4e-3
    seed: int = 0
    begin: str = ""  # the primitive whose weights are the first ones, if any; but for the last layer
    checkpoint_every: int = 20  # steps; has no influence on the result


@dataclass
class Fit:
    """A training run: the network and its loss curve so far."""

    encoder: Encoder
    losses: list[float] = field(default_factory=list)
    seconds: float = 0.0


def fit(
    primitive: Primitive,
    plan: Plan,
    folder: Path | None = None,
    progress: Callable[[int, float], None] = lambda step, loss: None,
) -> Fit:
    """Train γ of `primitive`; checkpoints go to `folder`, `progress` hears of every step."""
    synthesizer = synthesizer_of(primitive)
    rng = np.random.default_rng(plan.seed)
    with torch.random.fork_rng(devices=[]):  # the generator of the program belongs to its author
        torch.manual_seed(plan.seed)  # the first weights
        encoder = Encoder(channels(primitive)).to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    optimiser = torch.optim.AdamW(encoder.parameters(), plan.rate, weight_decay=1e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, plan.rate, plan.steps, pct_start=0.15)
    if plan.begin:
        _begin(encoder, plan.begin)
    run = Fit(encoder)
    path = None if folder is None else checkpoint_of(primitive.name, folder)
    state = None if path is None else _load(path, plan)
    if state is not None:
        encoder.load_state_dict(state["encoder"])
        optimiser.load_state_dict(state["optimiser"])
        schedule.load_state_dict(state["schedule"])
        rng.bit_generator.state = json.loads(state["rng"])
        run.losses, run.seconds = list(state["losses"]), state["seconds"]
    began = time.monotonic() - run.seconds
    encoder.train()
    for step in range(len(run.losses), plan.steps):
        batch = synthesizer.sample(rng, plan.batch)
        loss = loss_of(primitive, encoder, batch)
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(encoder.parameters(), 5.0)
        optimiser.step()
        schedule.step()
        run.losses.append(float(loss.detach()))
        run.seconds = time.monotonic() - began
        if path is not None and ((step + 1) % plan.checkpoint_every == 0 or step + 1 == plan.steps):
            path.parent.mkdir(parents=True, exist_ok=True)
            fresh = path.with_suffix(".new")
            state = {
                "plan": _identity(plan),
                "encoder": encoder.state_dict(),
                "optimiser": optimiser.state_dict(),
                "schedule": schedule.state_dict(),
                "rng": json.dumps(rng.bit_generator.state),
                "losses": run.losses,
                "seconds": run.seconds,
            }
            torch.save(state, fresh)
            os.replace(fresh, path)
        progress(step + 1, run.losses[-1])
    encoder.eval()
    return run


def checkpoint_of(name: str, folder: Path) -> Path:
    """Where the training of the primitive `name` keeps its state."""
    return folder / f"{name}.checkpoint"


def kept_steps(name: str, plan: Plan, folder: Path) -> int:
    """The step from which the training of `name` by this plan would go on."""
    state = _load(checkpoint_of(name, folder), plan)
    return 0 if state is None else len(state["losses"])


def _load(path: Path, plan: Plan) -> dict[str, Any] | None:
    """What an earlier run of the same plan left at `path`; nothing in it can run code."""
    if not path.exists():
        return None
    try:
        state: dict[str, Any] = torch.load(path, weights_only=True)
    except (OSError, EOFError, RuntimeError, ValueError, KeyError, pickle.UnpicklingError):
        raise UnrenderError(f'The checkpoint "{path}" is damaged; delete it to start again.') from None
    return state if state["plan"] == _identity(plan) else None


def _identity(plan: Plan) -> list[float | str]:
    return [FORMAT, plan.steps, plan.batch, plan.rate, plan.seed, plan.begin]


def _begin(encoder: Encoder, name: str) -> None:
    """Take the features of another primitive's network: lines look alike, whatever they are told as."""
    from unrender.learning.primitives.weights import load_encoder

    trained = load_encoder(name).state_dict()
    own = encoder.state_dict()
    same = {key: value for key, value in trained.items() if value.shape == own[key].shape}
    if not any(value.ndim == 4 for value in same.values()):
        raise UnrenderError(f"The network of [{name}] has other sizes than the one to be trained.")
    encoder.load_state_dict({**own, **same})


def synthesizer_of(primitive: Primitive) -> Synthesizer:
    """Pictures for the capsule of a primitive, with all others in the way."""
    if not has_gamma(primitive):
        raise UnrenderError(f"The shapes of [{primitive.name}] have forms of their own, which γ cannot tell.")
    others = [p for name, p in sorted(primitives().items()) if name != primitive.name and has_gamma(p)]
    return Synthesizer(primitive, others)


def has_gamma(primitive: Primitive) -> bool:
    """Whether a fixed number of outputs can tell its shapes."""
    return not primitive.formed or primitive.handles is not None


def asked(primitive: Primitive, batch: Batch, cells: int) -> tuple[Tensor, Tensor, Tensor]:
    """`assign` of every picture of a batch: (N, G, G), (N, G, G) and (N, G, G, channels - 1)."""
    each = [
        assign(primitive, shapes, visible, cells)
        for shapes, visible in zip(batch.scenes, batch.visible, strict=True)
    ]
    target, weight, truth = (
        torch.from_numpy(np.stack(own).astype(np.float32)) for own in zip(*each, strict=True)
    )
    return target, weight, truth


def loss_of(primitive: Primitive, encoder: Encoder, batch: Batch) -> Tensor:
    """Is a shape of this kind centred here, and what are its attributes?"""
    output = encoder(normalised(batch.pictures)).permute(0, 2, 3, 1)  # (N, G, G, channels)
    target, weight, truth = asked(primitive, batch, output.shape[1])
    logit = output[..., 0]
    bce = F.binary_cross_entropy_with_logits(logit, target, reduction="none")
    surprise = (target - logit.detach().sigmoid()).abs() ** 1.5  # easy places count little
    positives = target.sum().clamp_min(1.0)
    found = (bce * weight * surprise).sum() / positives
    at = (target > 0)[..., None] & truth.isfinite()
    described = F.smooth_l1_loss(output[..., 1:][at], truth[at], beta=0.1, reduction="sum") / positives
    loss: Tensor = 4.0 * found + described
    return loss
