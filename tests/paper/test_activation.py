"""Equation CapsuleInternals2: p = 1/|λ| Σ ‖Z‖₁/|Z| · w(p_i/p̄_i - 1), with w(0) = 1 = sup w."""

import math

import pytest
import torch

from unrender.capsules.agreement import activation, window


def test_the_window_is_one_at_zero_and_nowhere_larger() -> None:
    differences = torch.linspace(-5, 5, 1001, dtype=torch.float64)
    values = window(differences)
    assert window(torch.zeros(())) == 1
    assert values.max() <= 1
    assert (values > 0).all()
    assert values.argmax() == 500


def test_the_window_falls_on_both_sides_alike_and_slower_when_it_is_wide() -> None:
    differences = torch.linspace(0, 4, 50)
    assert torch.equal(window(differences), window(-differences))
    assert (window(differences).diff() < 0).all()
    assert (window(differences[1:], 3.0) > window(differences[1:], 1.0)).all()
    assert float(window(torch.tensor(3.0), 3.0)) == pytest.approx(float(window(torch.tensor(1.0))))


def test_the_activation_probability_of_inputs_that_are_all_seen_is_the_mean_of_their_agreement() -> None:
    """By hand: |λ| = 4 pixels, each with |Z| = 1; their own p_i equals p̄_i, so w(p_i/p̄_i - 1) = w(0) = 1."""
    Z = torch.tensor([[1.0, 0.5, 0.25, 0.25], [1.0, 1.0, 1.0, 1.0], [0.0, 0.0, 0.0, 0.0]])
    p_i, p_bar = torch.full((4,), 0.9), torch.full((4,), 0.9)
    by_hand = [sum(float(z * window(p_i[k] / p_bar[k] - 1)) for k, z in enumerate(row)) / 4 for row in Z]
    assert by_hand == [0.5, 1.0, 0.0]
    assert activation(Z, torch.ones_like(Z)).tolist() == pytest.approx(by_hand)


def test_inputs_that_cannot_be_seen_do_not_contribute() -> None:
    Z = torch.tensor([[0.8, 0.6, 0.7, 0.0, 0.9]])
    seen = torch.tensor([[1.0, 1.0, 1.0, 0.0, 1.0]])
    assert float(activation(Z, seen)) == pytest.approx((0.8 + 0.6 + 0.7 + 0.9) / 4)


def test_what_is_hardly_seen_cannot_be_sure() -> None:
    Z = torch.ones(1, 10)
    sureness = [float(activation(Z, (torch.arange(10) < shown)[None].float())) for shown in range(11)]
    assert sureness == sorted(sureness)
    assert sureness[0] == 0
    assert sureness[1] < 0.5
    assert sureness[10] == 1
    assert all(math.isfinite(p) for p in sureness)
