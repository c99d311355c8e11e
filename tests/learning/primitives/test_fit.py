"""Fitting γ: the seed fixes every weight, an interruption changes nothing, and the loss falls."""

import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from torch import Tensor

from unrender.errors import UnrenderError
from unrender.learning.primitives.fit import Fit, Plan, fit, kept_steps
from unrender.primitives.registry import find

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
from unrender.primitives.registry import find
from unrender.learning.primitives.fit import Plan, fit

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


def test_a_primitive_whose_shapes_have_forms_of_their_own_cannot_be_trained() -> None:
    with pytest.raises(UnrenderError, match=r"^The shapes of \[square\] have forms of their own"):
        fit(replace(find("square"), formed=True), Plan(steps=1))


def test_the_network_has_an_output_for_each_own_parameter() -> None:
    from unrender.grammar.attribute import Attribute

    kind = replace(find("circle"), own=(Attribute("bent"), Attribute("cut")))
    run = fit(kind, Plan(steps=1, batch=8))
    assert run.encoder(torch.zeros(1, 3, 16, 16)).shape == (1, 12, 4, 4)
    assert torch.isfinite(torch.tensor(run.losses)).all()
