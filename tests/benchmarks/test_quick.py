"""No benchmark rots: each runs at tiny sizes, prints what it found and writes its report."""

from __future__ import annotations

import re
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from unrender.cli.bench import runs

FOLDER = Path(__file__).parents[2] / "benchmarks"
SCRIPTS = sorted(path.stem for path in FOLDER.glob("*.py") if runs(path))
CPU = 40.0  # seconds at most; a few on an idle machine


def spent() -> float:
    """CPU seconds of all processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@pytest.mark.parametrize("name", SCRIPTS)
def test_every_benchmark_runs_at_tiny_sizes(name: str, tmp_path: Path) -> None:
    out, before = tmp_path / "out", spent()
    command = [sys.executable, FOLDER / f"{name}.py", "--quick", "--seed", "3", "--out", out]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=280)
    assert done.returncode == 0, done.stderr
    assert spent() - before < CPU
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    text = (out / "results.md").read_text(encoding="utf-8")
    heading = re.match(r"## (.+)\n\n\S", text)
    assert heading is not None
    assert heading[1] in done.stdout
    assert re.search(r"^\|( :?-+:? \|)+$", text, re.MULTILINE)
    for plot in re.findall(r"!\[[^\]]+\]\(([^)]+)\)", text):
        assert (out / plot).stat().st_size > 1000
