"""A brain file survives the kill of what works on it, and the benchmark would notice if it did not."""

import re
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "benchmarks"


def test_nothing_that_was_confirmed_is_lost_by_a_kill_at_any_instant(tmp_path: Path) -> None:
    command = [sys.executable, FOLDER / "kill.py", "--quick", "--seed", "1", "--out", tmp_path]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    rows = re.findall(
        r"\| (\w.*?) \| .* \| (\d+) of (\d+) opened, (\d+) of (\d+) kept \| (\w+) \|",
        (tmp_path / "results.md").read_text(encoding="utf-8"),
    )
    assert {verdict for *_, verdict in rows} == {"pass"}
    assert all(opened == kills and kept == confirmed for _, opened, kills, kept, confirmed, _ in rows)
    assert len(rows) >= 6
    assert int(rows[-1][4]) > len(rows)  # some steps were confirmed


LIE = """
import os, sys, tempfile, time
from pathlib import Path
sys.path.append(sys.argv[1])
from kill import hunt
from kill_tasks import Task

def work(path, begin):
    for step in range(begin, 5):
        if {early}:
            yield
        time.sleep(0.02)
        path.with_name("new").write_text("x" * (step + 1))
        os.replace(path.with_name("new"), path)
        if not {early}:
            yield

task = Task("lies", 5, lambda path: path.write_text(""), work, {look})
with tempfile.TemporaryDirectory() as folder:
    tally = hunt(task, Path(folder), 8, 0)
print(tally.opened == tally.kills and tally.kept == tally.confirmed)
"""


def sound(early: bool, look: str = "lambda path: path.read_text()") -> bool:
    """What the benchmark finds out about work that confirms too `early`, or whose file says `look`."""
    program = LIE.format(early=early, look=look)
    done = subprocess.run(
        [sys.executable, "-c", program, FOLDER], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout == "True\n"


def test_the_benchmark_notices_a_step_that_is_lost_and_one_that_is_half_done() -> None:
    assert sound(early=False)
    assert not sound(early=True)
    assert not sound(early=False, look="lambda path: (path.read_text(), time.monotonic())")
