"""Agreement Z, window w and activation probability p (Equations CapsuleInternals2 and SemanticAgreement)."""

from __future__ import annotations

import math

import numpy as np
import torch
from torch import Tensor

from unrender.capsules.colours import STROKE
from unrender.capsules.geometry import TAU, Floats, Shapes
from unrender.capsules.outline import ACROSS, RAYS
from unrender.capsules.refine import Fitted
from unrender.graphics.compiled import Flags1, Floats2, Floats3, compiled

NEAR = 2.3  # px from an edge: what lies further off does not say where it is
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
    return (agreement * weight).mean(1) / visible.clamp_min(1e-6)


def pixel_agreement(shapes: Shapes, fitted: Fitted, noise: float) -> tuple[Tensor, Tensor]:
    """Z of a primitive capsule, one entry for every ray across the outline.

    At each ray the drawn and the seen pixels are compared. What is left over, beyond the noise, divided by
    the squared contrast of the edge, is about the distance in pixels by which the edge is off.
    Returns the agreement (N, RAYS) and which rays can be judged (N, RAYS).
    """
    agreement, there = np.empty((2, len(shapes), RAYS), np.float32)
    _compare(
        shapes.filled.numpy(),
        fitted.pose,
        fitted.signed,
        fitted.squared,
        fitted.shown,
        fitted.paint,
        fitted.beside,
        fitted.colours,
        fitted.behind,
        noise,
        agreement,
        there,
    )
    return torch.from_numpy(agreement), torch.from_numpy(there)


@compiled
def _compare(
    filled: Flags1,
    pose: Floats2,
    signed: Floats2,
    squared: Floats2,
    shown: Floats2,
    paint: Floats2,
    beside: Floats3,
    colours: Floats3,
    behind: Floats3,
    noise: float,
    agreement: Floats2,
    there: Floats2,
) -> None:
    """Fill in the last two; the others are fields of a `Fitted`."""
    expected, faint = 3 * noise**2, FAINT + 3 * noise
    for n in range(len(pose)):
        tau, contrast = pose[n, TAU], 0.0
        for r in range(RAYS):
            left, counted, near = 0.0, 0.0, 0
            for m in range(r, ACROSS * RAYS, RAYS):
                if abs(signed[n, m] - tau) < NEAR or abs(signed[n, m] + tau) < NEAR:
                    left += (squared[n, m] - expected) * shown[n, m]
                    counted += shown[n, m]
                    near += 1
            edge = weaker = _apart(paint[n], beside[n], r)
            slack = SLACK
            if not filled[n]:  # a stroke has two edges
                to_inside = _apart(colours[n, STROKE], behind[n], r)
                edge, weaker, slack = max(edge, to_inside), min(edge, to_inside), ROUGH
            off = max(left, 0.0) / max(edge * edge, 1e-4)
            agreement[n, r] = math.exp(-off / slack) if weaker > faint else 0.0
            there[n, r] = counted > 0.6 * max(near, 1)
            contrast += edge / RAYS
        solid, counts = 1.0, 1.0
        for m in range(ACROSS * RAYS, squared.shape[1]):
            excess = max(squared[n, m] - expected, 0.0)
            solid += shown[n, m] * math.exp(-excess / (0.5 * contrast * contrast + 1e-4))
            counts += shown[n, m]
        for r in range(RAYS):
            agreement[n, r] *= solid / counts


@compiled
def _apart(colour: Floats, colours: Floats, ray: int) -> float:
    """How far one of the colours (3, RAYS) is from another (3,)."""
    total = 0.0
    for c in range(3):
        total += (colours[c, ray] - colour[c]) ** 2
    return math.sqrt(total)


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
