"""Training a primitive capsule from nothing to a shipped file: fit, score, save with its card and curve."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import torch

from unrender.capsules.encoder import STRIDE, normalise
from unrender.capsules.library import WEIGHTS, Card, save_capsule
from unrender.capsules.primitive import PrimitiveCapsule
from unrender.graphics.registry import Primitive, find, primitives
from unrender.training.fit import Fit, Plan, assign, fit
from unrender.training.synthesize import Synthesizer

HELD_OUT = 1_000_003  # added to the seed for the pictures that score a capsule


def train(
    name: str,
    plan: Plan,
    out: Path = WEIGHTS,
    scratch: Path | None = None,
    progress: Callable[[int, float], None] = lambda step, loss: None,
) -> Card:
    """Train the capsule of the primitive `name`; weights, card and loss curve go to `out`.

    scratch: where checkpoints are kept, so that an interrupted training goes on from there.
    """
    primitive = find(name)
    run = fit(primitive, plan, scratch, progress)
    capsule = PrimitiveCapsule(primitive, run.encoder)
    card = Card(
        primitive=name,
        steps=plan.steps,
        samples=plan.steps * plan.batch,
        seconds=round(run.seconds, 1),
        seed=plan.seed,
        scores=score(capsule, plan.seed + HELD_OUT),
    )
    save_capsule(capsule, card, out)
    plot_losses(run, name, out / f"{name}.png")
    if scratch is not None:
        (scratch / f"{name}.checkpoint").unlink(missing_ok=True)
    return card


@torch.no_grad()
def score(capsule: PrimitiveCapsule, seed: int, count: int = 512) -> dict[str, float]:
    """First estimates, before any refinement, on pictures the capsule was not trained on."""
    primitive: Primitive = capsule.primitive
    others = [p for name, p in sorted(primitives().items()) if name != primitive.name]
    batch = Synthesizer(primitive, others).sample(torch.Generator().manual_seed(seed), count)
    output = capsule.encoder(normalise(batch.pictures)).permute(0, 2, 3, 1)
    target, weight, truth = assign(primitive, batch, output.shape[1])
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
    losses = torch.tensor(run.losses)
    span = max(1, len(losses) // 60)
    smooth = losses[: len(losses) // span * span].reshape(-1, span).mean(1)
    axes.plot(losses.numpy(), color="0.85", linewidth=0.5)
    axes.plot((torch.arange(len(smooth)) + 0.5).numpy() * span, smooth.numpy(), color="tab:blue")
    axes.set(xlabel="step", ylabel="loss", title=f"[{name}]", yscale="log")
    figure.savefig(path, dpi=110)
