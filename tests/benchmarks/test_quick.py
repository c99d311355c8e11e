"""No benchmark rots: each runs at tiny sizes, prints what it found and writes its report."""

from __future__ import annotations

import re
import sys
from importlib import import_module
from pathlib import Path

import pytest

from unrender.cli.bench import runs

FOLDER = Path(__file__).parents[2] / "benchmarks"
sys.path.append(str(Path(__file__).parent))
CLOSER = {"kill"}  # test_kill.py runs it at the same sizes and looks closer
SCRIPTS = sorted(path.stem for path in FOLDER.glob("*.py") if runs(path) and path.stem not in CLOSER)
CPU = 90.0  # seconds at most: a few, but whoever comes first in a new checkout compiles the loops of `see`


@pytest.mark.parametrize("name", SCRIPTS)
def test_every_benchmark_runs_at_tiny_sizes(name: str, tmp_path: Path) -> None:
    here = tmp_path / "here"
    here.mkdir()
    out = here / "out"
    words = ["--quick", "--seed", "3", "--out", str(out)]
    done = import_module("forked").run_script(FOLDER / f"{name}.py", words, here, timeout=500)
    assert done.code == 0, done.said
    assert done.seconds < CPU
    assert [path.name for path in here.iterdir()] == ["out"]
    text = (out / "results.md").read_text(encoding="utf-8")
    heading = re.match(r"## (.+)\n\n\S", text)
    assert heading is not None
    assert heading[1] in done.said
    assert re.search(r"^\|( :?-+:? \|)+$", text, re.MULTILINE)
    for plot in re.findall(r"!\[[^\]]+\]\(([^)]+)\)", text):
        assert (out / plot).stat().st_size > 1000
