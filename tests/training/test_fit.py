"""Fitting γ: the seed fixes every weight, an interruption changes nothing, and the loss falls."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import torch
from torch import Tensor

from unrender.capsules.encoder import CHANNELS, STRIDE, decode_estimates
from unrender.capsules.library import WEIGHTS, Card, load_capsule, save_capsule, trained
from unrender.capsules.primitive import PrimitiveCapsule
from unrender.errors import UnrenderError
from unrender.graphics import registry
from unrender.graphics.draw import HEIGHT, RED, WIDTH, X, Y
from unrender.graphics.registry import Primitive, find, primitive
from unrender.training.fit import HIDDEN, Fit, Plan, assign, fit, kept_steps
from unrender.training.synthesize import Batch

SHORT = Plan(steps=6, batch=4, seed=11, checkpoint_every=2)


def weights(run: Fit) -> dict[str, Tensor]:
    state: dict[str, Tensor] = run.encoder.state_dict()
    return state


def same_weights(one: Fit, other: Fit) -> bool:
    return all(torch.equal(value, weights(other)[key]) for key, value in weights(one).items())


@pytest.fixture(scope="module")
def whole() -> Fit:
    """A short training without interruption."""
    return fit(find("circle"), SHORT)


def test_the_same_seed_gives_the_same_losses_and_weights_bit_for_bit(whole: Fit) -> None:
    torch.rand(3)  # what other code draws does not matter
    again = fit(find("circle"), Plan(steps=6, batch=4, seed=11, checkpoint_every=5))
    assert again.losses == whole.losses
    assert same_weights(again, whole)


def test_another_seed_gives_other_weights(whole: Fit) -> None:
    other = fit(find("circle"), Plan(steps=2, batch=4, seed=12))
    assert other.losses != whole.losses[:2]
    assert not same_weights(other, whole)


PROGRAM = """
import os, signal, sys, torch
from pathlib import Path
from unrender.graphics.registry import find
from unrender.training.fit import Plan, fit

torch.set_num_threads({threads})

def die(step, loss):
    if step == 5:
        os.kill(os.getpid(), signal.SIGKILL)

fit(find("circle"), {plan!r}, Path({folder!r}), die)
"""


def test_a_training_that_was_killed_goes_on_as_if_nothing_had_happened(whole: Fit, tmp_path: Path) -> None:
    program = PROGRAM.format(threads=torch.get_num_threads(), plan=SHORT, folder=str(tmp_path))
    killed = subprocess.run([sys.executable, "-c", program], timeout=240, env=os.environ, check=False)
    assert killed.returncode == -signal.SIGKILL
    assert kept_steps("circle", SHORT, tmp_path) == 4
    heard: list[int] = []
    resumed = fit(find("circle"), SHORT, tmp_path, lambda step, loss: heard.append(step))
    assert heard == [5, 6], "only what was missing is done"
    assert resumed.losses == whole.losses
    assert same_weights(resumed, whole)
    assert resumed.seconds > 0


def test_a_finished_training_is_not_repeated_and_another_plan_starts_anew(tmp_path: Path) -> None:
    plan = Plan(steps=2, batch=2, seed=1)
    first = fit(find("square"), plan, tmp_path)
    heard: list[int] = []
    second = fit(find("square"), plan, tmp_path, lambda step, loss: heard.append(step))
    assert heard == []
    assert second.losses == first.losses
    assert same_weights(first, second)
    other = Plan(steps=2, batch=2, seed=2)
    assert kept_steps("square", other, tmp_path) == 0
    fit(find("square"), other, tmp_path, lambda step, loss: heard.append(step))
    assert heard == [1, 2]


def test_a_damaged_checkpoint_is_an_error_of_one_sentence(tmp_path: Path) -> None:
    fit(find("circle"), Plan(steps=1, batch=1), tmp_path)
    path = tmp_path / "circle.checkpoint"
    for content in (b"", b"not a checkpoint", path.read_bytes()[:5000]):
        path.write_bytes(content)
        with pytest.raises(
            UnrenderError, match=r'circle.checkpoint" is damaged; delete it to start again\.$'
        ):
            fit(find("circle"), Plan(steps=1, batch=1), tmp_path)


def test_the_loss_falls() -> None:
    losses = torch.tensor(fit(find("square"), Plan(steps=60, batch=8, seed=3)).losses)
    assert torch.isfinite(losses).all()
    assert losses[-15:].mean() < 0.75 * losses[:5].mean()


@pytest.fixture
def diamond() -> Iterator[Primitive]:
    """A fourth primitive, forgotten after the test."""

    def distance(x: Tensor, y: Tensor, a: Tensor, b: Tensor) -> Tensor:
        return (x.abs() * b + y.abs() * a - a * b) / (a * a + b * b).sqrt()

    primitive("diamond", order=4)(distance)
    yield find("diamond")
    del registry._REGISTRY["diamond"]


def test_adding_a_capsule_changes_no_other_capsules_files(diamond: Primitive, tmp_path: Path) -> None:
    for path in WEIGHTS.glob("*.*"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    run = fit(diamond, Plan(steps=1, batch=2))
    card = Card("diamond", steps=1, samples=2, seconds=0.1, seed=0)
    save_capsule(PrimitiveCapsule(diamond, run.encoder), card, tmp_path)
    after = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert {name: after[name] for name in before} == before
    assert after.keys() - before.keys() == {"diamond.safetensors", "diamond.json"}
    assert "diamond" in trained(tmp_path)
    assert load_capsule("diamond", tmp_path).primitive == diamond


def one_shape(visible: float, extent: float = 10.0) -> Batch:
    """A single triangle centred between cells, of which `visible` shows."""
    attributes = torch.zeros(1, 2, 10)
    attributes[0, 0, X], attributes[0, 0, Y] = 17.0, 23.0
    attributes[0, :, WIDTH : HEIGHT + 1] = extent
    own = torch.tensor([[True, False]])
    return Batch(torch.zeros(1, 3, 48, 48), attributes, own, torch.tensor([[visible, 1.0]]))


def test_the_cells_around_a_centre_are_asked_for_its_attributes() -> None:
    triangle = find("triangle")
    batch = one_shape(1.0)
    target, weight, truth = assign(triangle, batch, 12)
    rows, columns = target[0].nonzero(as_tuple=True)
    centres = torch.stack([(columns + 0.5) * STRIDE, (rows + 0.5) * STRIDE], 1)
    assert len(rows) >= 1
    assert ((centres - torch.tensor([17.0, 23.0])).abs() < 3).all()
    output = torch.zeros(len(rows), CHANNELS)
    output[:, 1:] = truth[0][rows, columns]
    decoded = decode_estimates(triangle, output, centres[:, 0], centres[:, 1])
    expected = batch.attributes[0, 0, :RED].expand(len(rows), -1)
    assert torch.allclose(decoded[:, :RED], expected, atol=1e-3)
    assert (weight[0][rows, columns] == 1).all()
    assert weight.mean() > 0.9, "all other places are asked to say no"


def test_a_shape_that_is_nearly_hidden_or_of_another_level_is_neither_asked_for_nor_forbidden() -> None:
    triangle = find("triangle")
    for batch in (one_shape(sum(HIDDEN) / 2), one_shape(1.0, extent=19.5)):
        target, weight, _ = assign(triangle, batch, 12)
        assert target.sum() == 0
        assert 0 < (weight == 0).sum() < 16
    for batch in (one_shape(0.05), one_shape(1.0, extent=40.0)):
        target, weight, _ = assign(triangle, batch, 12)
        assert target.sum() == 0
        assert (weight == 1).all(), "such a shape must not be seen"
