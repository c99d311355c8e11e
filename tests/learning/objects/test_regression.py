"""Small tanh networks, trained in numpy: their gradients are exact, and they learn what they are shown."""

import numpy as np
import pytest
import torch

from unrender.learning.objects.regression import ENOUGH, Regression, descended, fitted


def some(seed: int, *shape: int) -> np.ndarray:
    return np.random.default_rng(seed).uniform(-1, 1, shape).astype(np.float32)


def test_the_gradient_is_that_of_autograd() -> None:
    network = Regression.of(3, 2, hidden=5)
    parameters, inputs, targets = some(0, network.count), some(1, 7, 3), some(2, 7, 2)
    loss, gradient = network.loss(parameters, inputs, targets)
    tensor = torch.tensor(parameters, requires_grad=True)
    said = torch.tensor(inputs)
    for k, (weights, biases) in enumerate(network.layers(tensor)):  # type: ignore[arg-type]
        said = said @ weights.T + biases  # type: ignore[operator]
        said = said.tanh() if k < 3 else said
    mean = (said - torch.tensor(targets)).square().mean()
    mean.backward()
    assert loss == pytest.approx(mean.item(), rel=1e-5)
    assert tensor.grad is not None
    assert gradient == pytest.approx(tensor.grad.numpy(), rel=1e-3, abs=1e-6)


def test_it_begins_by_saying_nothing_and_learns_a_curve() -> None:
    x = np.linspace(-1, 1, 40)[:, None]
    y = np.hstack([np.sin(3 * x), x**2])
    network, parameters = fitted(x, y, seed=0)
    assert (network.decoder(network.start(0))(x) == 0).all()
    assert network.decoder(parameters)(x) == pytest.approx(y, abs=0.05)
    assert network.loss(parameters, x.astype(np.float32), y.astype(np.float32))[0] < 20 * ENOUGH


def test_outputs_are_told_in_their_units() -> None:
    network = Regression.of(2, 2)
    parameters, x = some(3, network.count), some(4, 5, 2).astype(float)
    unit = np.array([10.0, 0.5])
    assert network.decoder(parameters, unit)(x) == pytest.approx(
        network.decoder(parameters)(x) * unit, rel=1e-4
    )


def test_adam_follows_batches_that_are_new_at_every_step() -> None:
    rng = np.random.default_rng(5)

    def batch() -> tuple[np.ndarray, np.ndarray]:
        x = rng.uniform(-1, 1, (64, 2)).astype(np.float32)
        return x, x[:, :1] * x[:, 1:]

    network = Regression.of(2, 1)
    decoder = network.decoder(descended(network, 0, batch, 600, 1e-2))
    x, y = batch()
    left = np.mean((decoder(x.astype(float)) - y) ** 2)
    assert left < 0.03 * np.mean(y**2), "a product, of which no linear function explains anything"
