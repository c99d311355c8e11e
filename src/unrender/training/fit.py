"""Fitting γ of a primitive capsule from scratch ("Training Primitive Capsules").

Repeatable: the seed fixes the first weights and every picture. Interrupted, it goes on from its last
checkpoint with the same result as if it had never stopped.
"""

from __future__ import annotations

import math
import os
import pickle
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor

from unrender.capsules.encoder import SEEN, STRIDE, Encoder, encode_targets, normalise
from unrender.errors import UnrenderError
from unrender.graphics.draw import HEIGHT, WIDTH, X, Y
from unrender.graphics.registry import Primitive, primitives
from unrender.training.synthesize import Batch, Synthesizer

HIDDEN = (0.3, 0.45)  # visible share: below the first a shape is not asked for, between them either is right
FRINGE = 1.2  # extents this factor outside SEEN are neither asked for nor forbidden


@dataclass(frozen=True)
class Plan:
    """How a capsule is trained."""

    steps: int = 4200
    batch: int = 64
    rate: float = 4e-3
    seed: int = 0
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
    others = [p for name, p in sorted(primitives().items()) if name != primitive.name]
    synthesizer = Synthesizer(primitive, others)
    rng = torch.Generator().manual_seed(plan.seed)
    with torch.random.fork_rng(devices=[]):  # the generator of the program belongs to its author
        torch.manual_seed(plan.seed)  # the first weights
        encoder = Encoder().to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    optimiser = torch.optim.AdamW(encoder.parameters(), plan.rate, weight_decay=1e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, plan.rate, plan.steps, pct_start=0.15)
    run = Fit(encoder)
    path = None if folder is None else checkpoint_of(primitive.name, folder)
    state = None if path is None else _load(path, plan)
    if state is not None:
        encoder.load_state_dict(state["encoder"])
        optimiser.load_state_dict(state["optimiser"])
        schedule.load_state_dict(state["schedule"])
        rng.set_state(state["rng"])
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
                "rng": rng.get_state(),
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


def _identity(plan: Plan) -> list[float]:
    return [plan.steps, plan.batch, plan.rate, plan.seed]


def loss_of(primitive: Primitive, encoder: Encoder, batch: Batch) -> Tensor:
    """Is a shape of this kind centred here, and what are its attributes?"""
    output = encoder(normalise(batch.pictures)).permute(0, 2, 3, 1)  # (N, G, G, CHANNELS)
    target, weight, truth = assign(primitive, batch, output.shape[1])
    logit = output[..., 0]
    bce = F.binary_cross_entropy_with_logits(logit, target, reduction="none")
    surprise = (target - logit.detach().sigmoid()).abs() ** 1.5  # easy places count little
    positives = target.sum().clamp_min(1.0)
    found = (bce * weight * surprise).sum() / positives
    at = target > 0
    said, true = output[..., 1:][at], truth[at]
    per_channel = F.smooth_l1_loss(said, true, beta=0.1, reduction="none")
    outlined = (true[:, 7] < 0.5).to(true.dtype)
    scale = torch.ones_like(per_channel)
    scale[:, 8] = outlined  # a filled shape has no stroke to be asked for
    described = (per_channel * scale).sum() / positives
    loss: Tensor = 4.0 * found + described
    return loss


def assign(primitive: Primitive, batch: Batch, cells: int) -> tuple[Tensor, Tensor, Tensor]:
    """For every cell: is it a centre (N, G, G), does it count (N, G, G), the attributes' targets there."""
    attributes = batch.attributes
    extent = (attributes[..., WIDTH] * attributes[..., HEIGHT]).clamp_min(1e-6).sqrt()
    low, high = SEEN
    asked = batch.own & (batch.visible > HIDDEN[1]) & (extent > low) & (extent < high)
    maybe = batch.own & (batch.visible > HIDDEN[0]) & (extent > low / FRINGE) & (extent < high * FRINGE)
    centre = (torch.arange(cells) + 0.5) * STRIDE
    y, x = torch.meshgrid(centre, centre, indexing="ij")
    dx = attributes[:, None, None, :, X] - x[None, :, :, None]
    dy = attributes[:, None, None, :, Y] - y[None, :, :, None]
    off = torch.maximum(dx.abs(), dy.abs())  # (N, G, G, K)
    reach = 0.75 * STRIDE
    at = (off < reach) & asked[:, None, None, :]
    around = (off < 1.5 * reach) & maybe[:, None, None, :]
    nearest = torch.where(at, off, torch.full_like(off, math.inf)).argmin(-1)
    chosen = (
        attributes[:, None, None]
        .expand(-1, cells, cells, -1, -1)
        .gather(3, nearest[..., None, None].expand(-1, -1, -1, 1, attributes.shape[-1]))[..., 0, :]
    )
    positive = at.any(-1)
    weight = (positive | ~around.any(-1)).to(attributes.dtype)
    safe = torch.where(positive[..., None], chosen, torch.ones_like(chosen))
    return positive.to(attributes.dtype), weight, encode_targets(primitive, safe, x, y)
