"""A real process that is killed in the middle, and the same command given again."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pandas
import pytest

ENVIRONMENT = os.environ | {"OMP_NUM_THREADS": "1"}


@pytest.fixture
def many(folder: Path) -> Path:
    """A folder with fourteen pictures."""
    for i in range(12):
        os.link(folder / "one.png", folder / f"more{i:02d}.png")
    return folder


def alive(process: str) -> bool:
    return Path(f"/proc/{process}").exists()


def kill_in_the_middle(command: list[str], journal: Path, how: int) -> None:
    """Stop the command as soon as it has written a few lines."""
    process = subprocess.Popen(
        command, env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True
    )
    deadline = time.monotonic() + 120
    while not (journal.exists() and journal.read_bytes().count(b"\n") >= 3) and time.monotonic() < deadline:
        time.sleep(0.005)
    workers = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    os.kill(process.pid, how)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == (130 if how == signal.SIGINT else -how)
    if how == signal.SIGINT:
        assert re.fullmatch(rb"Stopped after \d+ of 14; the same command goes on\.\n", errors)
    while any(alive(worker) for worker in workers) and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not any(alive(worker) for worker in workers)


@pytest.mark.parametrize(
    ("name", "journal", "jobs", "how"),
    [
        ("all.jsonl", "all.jsonl", "2", signal.SIGKILL),
        ("all.parquet", "all.parquet.jsonl", "1", signal.SIGINT),
    ],
)
def test_nothing_is_lost_and_nothing_done_twice(
    many: Path, name: str, journal: str, jobs: str, how: int
) -> None:
    goal = many.parent / name
    command = [sys.executable, "-m", "unrender.cli", "see", str(many), "-o", str(goal), "--jobs", jobs]
    kill_in_the_middle(command, many.parent / journal, how)
    before = (many.parent / journal).read_bytes()
    whole = before[: before.rindex(b"\n") + 1]
    count = whole.count(b"\n")
    assert 3 <= count < 14
    done = subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert f"{count} of 14 were done before." in done.stderr
    if name.endswith("jsonl"):
        assert goal.read_bytes().startswith(whole)  # what was there has not been touched
        pictures = [json.loads(line)["image"] for line in goal.read_text().splitlines()]
    else:
        pictures = pandas.read_parquet(goal).query("symbol == 'circle'").picture.tolist()
    assert sorted(pictures) == sorted(str(path) for path in many.rglob("*.png"))
