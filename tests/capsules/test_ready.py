"""The loops of seeing are compiled before they are needed, and kept where they can be."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from unrender.capsules.ready import is_ready, loops, make_ready

LOOP = """
from unrender.graphics.compiled import Floats1, compiled

@compiled
def total(values: Floats1) -> float:
    sum_ = 0.0
    for value in values:
        sum_ += value
    return sum_

if __name__ == "__main__":
    import numpy as np
    print(total(np.ones(3, np.float32)), sum(total.stats.cache_hits.values()), total.stats.cache_path)
"""
OTHERS = """
from unrender.capsules.ready import loops
import unrender

brain = unrender.open()
for path in ("docs/pictures/asteroids.png", "docs/pictures/ship.png"):
    brain.see(path)
print([(loop.py_func.__name__, loop.signatures) for loop, types in loops() if {*loop.signatures} - {types}])
"""


def run(*arguments: str, **variables: str) -> str:
    done = subprocess.run(
        [sys.executable, *arguments], env=os.environ | variables, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_pictures_need_no_other_loops_than_those_compiled_beforehand() -> None:
    assert run("-c", OTHERS).strip() == "[]"


def test_what_was_made_ready_is_ready() -> None:
    make_ready()
    assert is_ready()


def test_processes_share_the_loops(tmp_path: Path) -> None:
    taken, kept = tmp_path / "taken", tmp_path / "kept"
    taken.mkdir()
    count = len(loops())
    for number in range(count - 1):
        (taken / str(number)).touch()
    run("-m", "unrender.capsules.ready", str(taken), NUMBA_CACHE_DIR=str(kept))
    assert len(list(taken.iterdir())) == count
    assert len(list(kept.rglob("*.nbi"))) == 1


def test_loops_of_a_package_that_cannot_be_written_are_kept_for_the_user(tmp_path: Path) -> None:
    (tmp_path / "loop.py").write_text(LOOP)
    (tmp_path / "__pycache__").write_text("not a folder")
    told = [run(str(tmp_path / "loop.py"), XDG_CACHE_HOME=str(tmp_path / "home")).split() for _ in range(2)]
    assert [words[:2] for words in told] == [["3.0", "0"], ["3.0", "1"]]
    assert told[0][2].startswith(str(tmp_path / "home"))


def test_loops_that_can_be_kept_nowhere_are_compiled_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "loop.py").write_text(LOOP)
    (tmp_path / "__pycache__").write_text("not a folder")
    (tmp_path / "home").write_text("nor is this")
    said = run(str(tmp_path / "loop.py"), XDG_CACHE_HOME=str(tmp_path / "home"))
    assert said.split() == ["3.0", "0", "None"]
