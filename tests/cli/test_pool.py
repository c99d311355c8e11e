"""Several processes: all is reported in its order, one that dies takes nothing with it, Ctrl-C ends all."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

MORE = 60  # pictures: enough that they are not all seen before anything happens
COMMAND = [sys.executable, "-m", "unrender.cli", "see", "--json", "--jobs", "2"]
ENVIRONMENT = os.environ | {"OMP_NUM_THREADS": "1"}


@pytest.fixture
def many(folder: Path) -> Path:
    """A folder of many pictures and a file that is none."""
    for i in range(MORE):
        os.link(folder / "one.png", folder / f"more{i:02d}.png")
    (folder / "more05.png").unlink()
    (folder / "more05.png").write_text("no picture")
    return folder


def start(many: Path, brain: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*COMMAND, str(many), "-b", str(brain)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=ENVIRONMENT,
        start_new_session=True,
    )


def children(process: int) -> list[int]:
    """The processes that `process` has started to look at pictures."""
    found = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    return [int(child) for child in found if b"popen_loky" in Path(f"/proc/{child}/cmdline").read_bytes()]


def ended(workers: list[int]) -> bool:
    """Whether all of these processes end within a while; those that do not are ended."""
    deadline = time.monotonic() + 20
    while any(alive(worker) for worker in workers) and time.monotonic() < deadline:
        time.sleep(0.05)
    late = [worker for worker in workers if alive(worker)]
    for worker in late:
        os.kill(worker, signal.SIGKILL)
    return not late


def alive(process: int) -> bool:
    """Whether a process is there; one that has ended may still wait for somebody to take notice."""
    try:
        return ") Z " not in Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False


def test_a_process_that_dies_takes_no_picture_with_it(many: Path, brain: Path) -> None:
    process = start(many, brain)
    assert process.stdout is not None
    first = process.stdout.readline()
    os.kill(children(process.pid)[0], signal.SIGKILL)
    lines = [json.loads(line) for line in (first, *process.stdout)]
    assert process.wait(timeout=60) == 1
    names = [f"more{i:02d}.png" for i in range(MORE)]
    assert [Path(line["image"]).name for line in lines] == ["two.png", *names, "one.png"]
    assert [line["image"] for line in lines if "error" in line] == [str(many / "more05.png")]
    assert all(len(line["axioms"]) == 2 for line in lines if "error" not in line)


def test_ctrl_c_ends_all_processes_and_says_how_far_it_came(many: Path, brain: Path) -> None:
    process = start(many, brain)
    assert process.stdout is not None
    process.stdout.readline()
    workers = children(process.pid)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does
    printed = 1 + len(list(process.stdout))
    assert process.wait(timeout=60) == 130
    assert process.stderr is not None
    told = process.stderr.read().splitlines()[-1]
    assert told in [f"Stopped after {count} of {MORE + 2}." for count in (printed, printed + 1)]
    assert ended(workers)


def test_no_process_outlives_the_one_that_started_it(many: Path, brain: Path) -> None:
    process = start(many, brain)
    assert process.stdout is not None
    process.stdout.readline()
    workers = children(process.pid)
    process.kill()
    assert len(workers) == 2
    assert ended(workers)
