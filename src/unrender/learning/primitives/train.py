"""Training a primitive capsule from nothing to a shipped file: fit, score, save with its card and curve."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import torch

from unrender.learning.primitives.export import export
from unrender.learning.primitives.fit import Fit, Plan, asked, fit, synthesizer_of
from unrender.learning.primitives.network import Encoder, normalised
from unrender.learning.primitives.weights import Card, save_encoder
from unrender.perception.encoder.pyramid import STRIDE
from unrender.perception.encoder.session import home
from unrender.primitives.protocol import Primitive
from unrender.primitives.registry import find

HELD_OUT = 1_000_003  # added to the seed for the pictures that score a capsule


def train(
    name: str,
    plan: Plan,
    out: Path | None = None,
    scratch: Path | None = None,
    progress: Callable[[int, float], None] = lambda step, loss: None,
) -> Card:
    """Train the capsule of the primitive `name`; weights, network, card and loss curve go to `out`, or
    where it is seen with.

    scratch: where checkpoints are kept, so that an interrupted training goes on from there.
    """
    primitive = find(name)
    folder = out or home(primitive)
    run = fit(primitive, plan, scratch, progress)
    card = Card(
        primitive=name,
        steps=plan.steps,
        samples=plan.steps * plan.batch,
        seconds=round(run.seconds, 1),
        seed=plan.seed,
        scores=score(primitive, run.encoder, plan.seed + HELD_OUT),
    )
    save_encoder(run.encoder, card, folder)
    export(name, folder)
    plot_losses(run, name, folder / f"{name}.png")
    if scratch is not None:
        (scratch / f"{name}.checkpoint").unlink(missing_ok=True)
    return card


@torch.no_grad()
def score(primitive: Primitive, encoder: Encoder, seed: int, count: int = 512) -> dict[str, float]:
    """First estimates, before any refinement, on pictures the network was not trained on."""
    batch = synthesizer_of(primitive).sample(np.random.default_rng(seed), count)
    output = encoder(normalised(batch.pictures)).permute(0, 2, 3, 1)
    target, weight, truth = asked(primitive, batch, output.shape[1])
    at = target > 0
    said = output[..., 0] > 0
    right = float((said & at).sum())
    off = (output[..., 1:][at] - truth[at]).abs()
    scores = {
        "precision": right / max(float((said & (weight > 0)).sum()), 1.0),
        "recall": right / max(float(at.sum()), 1.0),
        "centre_px": float(torch.hypot(off[:, 0], off[:, 1]).median()) * STRIDE,
        "extent": float(off[:, 2].median()),
    }
    return {key: round(value, 4) for key, value in scores.items()}


def plot_losses(run: Fit, name: str, path: Path) -> None:
    """The loss curve as a PNG."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6, 3.2), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots()
    losses = np.array(run.losses)
    span = max(1, len(losses) // 60)
    smooth = losses[: len(losses) // span * span].reshape(-1, span).mean(1)
    axes.plot(losses, color="0.85", linewidth=0.5)
    axes.plot((np.arange(len(smooth)) + 0.5) * span, smooth, color="tab:blue")
    axes.set(xlabel="step", ylabel="loss", title=f"[{name}]", yscale="log")
    figure.savefig(path, dpi=110)
