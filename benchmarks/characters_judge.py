"""The judge of matches, learned from alphabets: which of several matches is the one with the same character?

Each step takes a run: every drawing with its own character and those that fit it best by the plain misfit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from characters_learning import Matches
from numpy.random import Generator
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from unrender.matching.match import ROWS, TERMS, WAYS

HIDDEN = 32
NETWORKS, STEPS = 3, 500
RIVALS = 8  # that a drawing is compared with, its own character among them
RATE, DECAY, DROPPED = 4e-3, 2e-2, (0.1, 0.2)
SWAPPED = 0.5  # of all runs: who teaches and who writes
BENT = torch.tensor([0, 0, 1, 1])  # of the ways: what is bent onto what
WHOSE = torch.tensor([0, 1, 0, 1])  # and whether these are points of what is bent


@dataclass(frozen=True)
class Examples:
    """Matches of runs, in float16, for there are many."""

    rows: list[NDArray[np.float16]]  # (named, known, WAYS, N, R)
    terms: list[NDArray[np.float32]]  # (named, known, T)

    @classmethod
    def of(cls, several: Sequence[Matches]) -> Examples:
        rows = [np.array([[m.rows.astype(np.float16) for m in row] for row in one]) for one in several]
        return cls(rows, [np.array([[m.terms for m in row] for row in one]) for one in several])

    def __add__(self, other: Examples) -> Examples:
        return Examples(self.rows + other.rows, self.terms + other.terms)

    def step(self, k: int, rng: Generator) -> tuple[Tensor, Tensor]:
        """(named, rivals, ...): rows and terms of a run, of every drawing with its own character first."""
        rows, terms = self.rows[k], self.terms[k]
        if rng.random() < SWAPPED:
            rows = rows.swapaxes(0, 1)[:, :, [2, 3, 0, 1]]
            terms = terms.swapaxes(0, 1)[:, :, [*range(len(TERMS) - 2), -1, -2]]
        misfit = terms[..., TERMS.index("misfit")].copy()
        np.fill_diagonal(misfit, -1)
        rivals, own = np.argsort(misfit, 1)[:, :RIVALS], np.arange(len(misfit))[:, None]
        return torch.tensor(rows[own, rivals].astype(np.float32)), torch.tensor(terms[own, rivals])


class Network(nn.Module):
    """As one of those in `unrender.matching.judge`, of rows and terms in units of their spread."""

    def __init__(self, examples: Examples) -> None:
        super().__init__()
        some = [own[::3, ::3].reshape(-1, len(ROWS)) for own in examples.rows]
        rows = np.concatenate(some).astype(np.float32)
        terms = np.concatenate([own.reshape(-1, len(TERMS)) for own in examples.terms])
        (self.middle, self.spread), (self.middles, self.spreads) = (
            (torch.tensor(a.mean(0)), torch.tensor(a.std(0) + 1e-3)) for a in (rows, terms)
        )
        self.point = nn.Linear(len(ROWS) + 2, HIDDEN)
        self.beside = nn.Conv1d(HIDDEN, HIDDEN, 3, padding=1)
        self.whole = nn.Linear(4 * HIDDEN + len(TERMS), HIDDEN)
        self.last = nn.Linear(HIDDEN, 1)
        self.linear = nn.Linear(len(TERMS), 1, bias=False)
        self.drops = nn.ModuleList(nn.Dropout(share) for share in DROPPED)

    def forward(self, rows: Tensor, terms: Tensor) -> Tensor:
        """(P,) of (P, WAYS, N, R) and (P, T)."""
        pairs, _, points, _ = rows.shape
        rows, terms = (rows - self.middle) / self.spread, (terms - self.middles) / self.spreads
        which = torch.stack([BENT, WHOSE], 1).float()[None, :, None].expand(pairs, WAYS, points, 2)
        seen = torch.relu(self.point(torch.cat([rows, which], 3))).reshape(-1, points, HIDDEN).transpose(1, 2)
        told = torch.relu(self.beside(seen)).reshape(pairs, 2, 2, HIDDEN, points)
        pooled = torch.cat([told.mean((2, 4)).flatten(1), told.amax((2, 4)).flatten(1)], 1)
        hidden = torch.relu(self.whole(torch.cat([self.drops[0](pooled), terms], 1)))
        found: Tensor = self.last(self.drops[1](hidden)) + self.linear(terms)
        return found[:, 0]

    def tensors(self) -> dict[str, NDArray[Any]]:
        """As the package reads it: the units of rows and terms folded in."""
        point = self.point.weight[:, : len(ROWS)] / self.spread
        which = self.point.weight[:, len(ROWS) :] @ torch.stack([BENT, WHOSE]).float()
        start = which.T + self.point.bias - point @ self.middle
        of_terms = self.whole.weight[:, 4 * HIDDEN :] / self.spreads
        linear = self.linear.weight[0] / self.spreads
        found = {
            "point": point,
            "start": start,
            "beside": self.beside.weight,
            "shift": self.beside.bias,
            "whole": torch.cat([self.whole.weight[:, : 4 * HIDDEN], of_terms], 1),
            "offset": self.whole.bias - of_terms @ self.middles,
            "last": self.last.weight[0],
            "linear": linear,
            "bias": self.last.bias[0] - linear @ self.middles,
        }
        return {name: tensor.detach().numpy().astype(np.float32) for name, tensor in found.items()}


def learn_network(examples: Examples, rng: Generator, steps: int) -> Network:
    torch.manual_seed(int(rng.integers(2**31)))
    network = Network(examples).train()
    optimiser = torch.optim.AdamW(network.parameters(), RATE, weight_decay=DECAY)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, RATE, total_steps=max(steps, 2))
    order: list[int] = []
    for _ in range(steps):
        order = order or rng.permutation(len(examples.rows)).tolist()
        rows, terms = examples.step(order.pop(), rng)
        found = network(rows.flatten(0, 1), terms.flatten(0, 1)).reshape(terms.shape[:2])
        loss = cross_entropy(found, torch.zeros(len(found), dtype=torch.long))
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
    return network.eval()


def learn_judge(examples: Examples, rng: Generator, steps: int = STEPS) -> dict[str, NDArray[Any]]:
    """The tensors of several networks, each from another beginning."""
    several = [learn_network(examples, rng, steps).tensors() for _ in range(NETWORKS)]
    return {name: np.stack([one[name] for one in several]) for name in several[0]}
