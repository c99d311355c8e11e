"""unrender train: weights, card and loss curve; interrupted, the same command goes on."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import torch
from PIL import Image
from rich.console import Console

from unrender.cli import main
from unrender.cli.train import Finished, progress
from unrender.learning.primitives.fit import Plan, kept_steps
from unrender.learning.primitives.weights import load_encoder
from unrender.perception.encoder.session import run as run_network

from .conftest import Run

COMMAND = [sys.executable, "-m", "unrender.cli", "train"]
ENVIRONMENT = os.environ | {"OMP_NUM_THREADS": "1"}


def test_train_writes_weights_card_and_curve_and_prints_the_card(
    tmp_path: Path, run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("train", "circle", "--steps", "2", "--seed", "5", "--out", "trained") == 0
    printed = capsys.readouterr().out
    card = json.loads((tmp_path / "trained" / "circle.json").read_text())
    assert (card["primitive"], card["steps"], card["seed"]) == ("circle", 2, 5)
    assert {"precision", "recall", "centre_px"} <= card["scores"].keys()
    pixels = np.random.default_rng(0).standard_normal((3, 32, 48)).astype(np.float32)
    with torch.no_grad():
        expected = load_encoder("circle", tmp_path / "trained")(torch.from_numpy(pixels)[None])[0]
    assert run_network(tmp_path / "trained" / "circle.onnx", pixels) == pytest.approx(expected, abs=1e-4)
    with Image.open(tmp_path / "trained" / "circle.png") as curve:
        assert curve.size[0] > 300
    for word in (
        "[circle] step 2 of 2, loss",
        "steps",
        "seed",
        "precision",
        "circle.safetensors",
        "circle.onnx",
    ):
        assert word in printed
    left = [path.name for path in (tmp_path / "out" / "training").iterdir()]
    assert left == [], "a finished training leaves no checkpoint"


def test_a_primitive_of_another_package_is_trained_like_any_other(tmp_path: Path) -> None:
    heart = Path(__file__).parents[2] / "examples" / "heart"
    program = "import unrender_heart; from unrender.cli import main; main()"
    paths = os.pathsep.join([str(heart), *sys.path])
    done = subprocess.run(
        [sys.executable, "-c", program, "train", "heart", "--steps", "1", "--out", "trained"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
        env=ENVIRONMENT | {"PYTHONPATH": paths},
    )
    assert done.returncode == 0, done.stderr
    written = sorted(path.name for path in (tmp_path / "trained").iterdir())
    assert written == ["heart.json", "heart.onnx", "heart.png", "heart.safetensors"]


def test_ctrl_c_leaves_the_checkpoint_and_says_how_to_go_on(tmp_path: Path) -> None:
    words = ["square", "--steps", "100000", "--out", "trained"]
    log = tmp_path / "log"
    with log.open("w") as said:
        process = subprocess.Popen(
            [*COMMAND, *words], cwd=tmp_path, stdout=said, stderr=said, env=ENVIRONMENT
        )
    checkpoint = tmp_path / "out" / "training" / "square.checkpoint"
    deadline = time.monotonic() + 240
    while not checkpoint.exists() and time.monotonic() < deadline and process.poll() is None:
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGINT)
    assert process.wait(timeout=60) == 130
    (line,) = log.read_text().splitlines()
    kept = kept_steps("square", Plan(steps=100_000), checkpoint.parent)
    assert kept >= 20
    assert line == f"Stopped [square]; the same command goes on from step {kept} of 100000."


def test_all_that_an_interrupted_job_has_finished_is_remembered_for_that_job_only(tmp_path: Path) -> None:
    path = tmp_path / "all.json"
    job = Finished(path, Plan(steps=7), tmp_path / "weights")
    assert job.names() == []
    job.add("circle")
    job.add("square")
    assert Finished(path, Plan(steps=7), tmp_path / "weights").names() == ["circle", "square"]
    assert Finished(path, Plan(steps=8), tmp_path / "weights").names() == []
    assert Finished(path, Plan(steps=7), tmp_path / "elsewhere").names() == []
    job.forget()
    job.forget()
    assert job.names() == []
    path.write_text("{")
    assert job.names() == []


def test_the_bar_shows_loss_and_time_left_on_a_terminal() -> None:
    console = Console(width=100, force_terminal=True, color_system=None)
    with console.capture() as captured, progress(console, "circle", 200) as show:
        for step in range(150, 200):  # as if the first 149 steps were of an earlier run
            show(step + 1, 2.0)
    assert "[circle]" in captured.get()
    assert "200/200 loss 2.000" in captured.get()
    assert "left" in captured.get()


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["circel"], 'no primitive called [circel]. Did you mean "circle"?'),
        (["moon"], "Known are: arc, circle, curve, edge, path, square, triangle."),
        (["circle", "--out", "{folder}/file"], "Cannot write"),
        (["circle", "--out", "{folder}/file/below"], "Cannot write"),
    ],
)
def test_what_cannot_be_trained_is_one_line_and_exit_code_2(
    words: list[str], complaint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SystemExit) as ended:
        main(["train", *(word.format(folder=tmp_path) for word in words)])
    told = capsys.readouterr()
    assert ended.value.code == 2
    assert told.out == ""
    assert told.err.startswith("unrender: ")
    assert told.err.count("\n") == 1
    assert complaint in told.err


@pytest.mark.parametrize("words", [["--steps", "0"], ["--steps", "many"], ["--seed", "-1"]])
def test_options_out_of_range_exit_with_2(words: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["train", "circle", *words])
    assert ended.value.code == 2
