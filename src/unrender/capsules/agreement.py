"""Agreement Z, window w and activation probability p (Equations CapsuleInternals2 and SemanticAgreement)."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from unrender.capsules.colours import STROKE
from unrender.capsules.geometry import Floats, Shapes
from unrender.capsules.outline import ACROSS, RAYS
from unrender.capsules.refine import Fitted

FAINT = 0.06  # colour distance that nobody sees
SEEN = 0.65  # of an outline must be visible to be judged by that alone
SLACK = 0.4  # px: an edge this far from where it should be agrees by 1/e
ROUGH = 0.9  # px: the same for a line, which people draw less exactly than they fill


def window(difference: Tensor, width: Tensor | float = 1.0) -> Tensor:
    """w: 1 at a difference of 0, falling to 1/e at `width`."""
    return torch.exp(-difference.abs() / width)


def activation(agreement: Tensor, weight: Tensor, least: Tensor | float = SEEN) -> Tensor:
    """p of a primitive capsule: the mean of Z over all that can be seen. (N, K), (N, K) -> (N,)

    A shape of which little can be seen is judged as if `least` of it could. The only inputs are pixels, whose
    own probability never differs from its past mean, so the factor w(p_i / p̄_i - 1) of the equation is 1.
    """
    visible = torch.maximum(weight.mean(1), torch.as_tensor(least, dtype=weight.dtype))
    return (agreement * weight).mean(1) / visible


def pixel_agreement(shapes: Shapes, fitted: Fitted, noise: float) -> tuple[Tensor, Tensor]:
    """Z of a primitive capsule, one entry for every ray across the outline.

    At each ray the drawn and the seen pixels are compared. What is left over, beyond the noise, divided by
    the squared contrast of the edge, is about the distance in pixels by which the edge is off.
    Returns the agreement (N, RAYS) and which rays can be judged (N, RAYS).
    """
    squared, shown, near = (torch.from_numpy(t) for t in (fitted.squared, fitted.shown, fitted.near))
    excess, counted = squared - 3 * noise**2, shown * near
    left = _along_rays(excess * counted).sum(1)
    there = _along_rays(counted).sum(1) / _along_rays(near).sum(1).clamp_min(1)
    to_ground = torch.from_numpy(_apart(fitted.paint, fitted.beside))
    to_inside = torch.from_numpy(_apart(fitted.colours[:, STROKE], fitted.behind))
    filled = shapes.filled[:, None]
    edge = torch.where(filled, to_ground, torch.maximum(to_ground, to_inside))
    weaker = torch.where(filled, to_ground, torch.minimum(to_ground, to_inside))  # a stroke has two edges
    off = left.clamp_min(0) / edge.square().clamp_min(1e-4)
    slack = torch.where(filled, SLACK, ROUGH)
    agreement = window(off, slack) * (weaker > FAINT + 3.0 * noise)
    deep = excess[:, ACROSS * RAYS :].clamp_min(0)
    deep = window(deep, 0.5 * edge.mean(1, keepdim=True).square() + 1e-4)
    counts = shown[:, ACROSS * RAYS :]
    solid = ((deep * counts).sum(1) + 1) / (counts.sum(1) + 1)
    return agreement * solid[:, None], (there > 0.6).to(agreement.dtype)


def _apart(colour: Floats, colours: Floats) -> Floats:
    """How far each of the colours (N, 3, RAYS) is from one (N, 3): (N, RAYS)."""
    off = colours - colour[:, :, None]
    distance: Floats = np.sqrt(np.einsum("ncr,ncr->nr", off, off))
    return distance


def _along_rays(samples: Tensor) -> Tensor:
    """Those of the samples (N, M) that lie across the outline: (N, ACROSS, RAYS)."""
    return samples[:, : ACROSS * RAYS].reshape(-1, ACROSS, RAYS)


def estimate_noise(picture: Tensor) -> float:
    """The standard deviation of the pixel noise of (3, H, W): the median of a local second difference."""
    top, left = (max(0, (side - 512) // 2) for side in picture.shape[1:])
    small = picture[:, top : top + 512, left : left + 512]
    second = small[:, 1:-1, 1:-1] * 4
    second = second - 2 * (
        small[:, :-2, 1:-1] + small[:, 2:, 1:-1] + small[:, 1:-1, :-2] + small[:, 1:-1, 2:]
    )
    second = second + small[:, :-2, :-2] + small[:, :-2, 2:] + small[:, 2:, :-2] + small[:, 2:, 2:]
    return float(second.abs().median()) / (0.6745 * 6.0) if second.numel() else 0.0
