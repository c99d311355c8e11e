"""unrender bench: the programs of the folder `benchmarks`, and the page of their results."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from unrender.batch.machine import commit_of
from unrender.cli.results import sections

Run = Callable[..., int]

GOOD = '''"""How good it is.

More words.
"""
import argparse
from pathlib import Path
from PIL import Image

def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--much", default="little")
    given = parser.parse_args()
    given.out.mkdir(parents=True)
    Image.new("RGB", (3000, 300), "red").save(given.out / "plot.png")
    lines = ["## Good", "", "| what | verdict |", "|---|---|"]
    lines += [f"| {given.much} {given.seed} {given.quick} | pass |", "", "![A plot](plot.png)"]
    (given.out / "results.md").write_text("\\n".join(lines))

if __name__ == "__main__":
    main()
'''
BAD = GOOD.replace("given = ", "raise SystemExit(3)\n    given = ").replace("How good", "How bad")
MUTE = '"""Says nothing."""\nif __name__ == "__main__":\n    pass\n'
SLOW = '''"""Waits."""
import time

if __name__ == "__main__":
    try:
        print("waiting", flush=True)
        time.sleep(60)
    except KeyboardInterrupt:
        print("cleaned up")
'''
PAGE = """# Old

<!-- benchmark: bad -->

## Bad

Of old.

<!-- benchmark: good -->

## Good

Of old.
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A checkout with benchmarks of its own, and a page with results of three."""
    (tmp_path / "benchmarks").mkdir()
    (tmp_path / "docs").mkdir()
    for name, text in {"good": GOOD, "bad": BAD, "mute": MUTE, "part": "X = 1\n"}.items():
        (tmp_path / "benchmarks" / f"{name}.py").write_text(text)
    (tmp_path / "docs" / "results.md").write_text(PAGE)
    return tmp_path


def start(project: Path, *words: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "unrender.cli", "bench", *words]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, cwd=project, text=True, stdout=pipe, stderr=pipe, process_group=0)


def ended(project: Path, *words: str) -> tuple[int, str]:
    running = start(project, *words)
    out, err = running.communicate(timeout=60)
    return running.returncode, out + err


def test_the_benchmarks_are_listed_with_what_they_say_about_themselves(
    run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("bench", "--list") == 0
    listed = capsys.readouterr().out
    assert "draw       " in listed
    assert "How fast we draw" in listed
    assert not {"oneshot_table", "report", "clock"} & set(listed.split())


def test_a_benchmark_gets_the_words_after_its_name_and_its_exit_code_is_ours(
    run: Run, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run("bench", "kill", "--help") == 0
    assert "kill.py" in capfd.readouterr().out
    assert run("bench", "kill", "--nonsense") == 2


def test_an_unknown_benchmark_is_an_error(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("bench", "drw") == 2
    assert 'Did you mean "draw"' in capsys.readouterr().err
    assert run("bench", "draw", "--seed", "x") == 2
    assert "--seed: invalid int value" in capsys.readouterr().err


def test_all_run_though_some_fail_and_what_they_found_replaces_their_sections(project: Path) -> None:
    code, said = ended(project, "--seed", "7")
    assert code == 1
    assert "bad   failed with exit code 3" in said
    assert "good  done" in said
    assert "mute  failed" in said
    found = sections(project / "docs" / "results.md")
    assert list(found) == ["bad", "good"]
    assert found["bad"] == "## Bad\n\nOf old.\n"
    assert "| little 7 False | pass |" in found["good"]
    assert "Of old." not in found["good"]
    assert "`unrender bench good --seed 7`" in found["good"]
    for word in ("UTC", "core", "GB", "Python 3", "numpy 2", "onnxruntime 1", "unrender 0", "commit"):
        assert word in found["good"]
    assert "| good | 1 | 0 |" in (project / "docs" / "results.md").read_text()


def test_plots_are_copied_beside_the_page_and_made_small(project: Path) -> None:
    (project / "docs" / "results").mkdir()
    (project / "docs" / "results" / "good-old.png").write_bytes(b"")
    assert ended(project, "good", "--much", "a lot")[0] == 0
    assert "![A plot](results/good-plot.png)" in (project / "docs" / "results.md").read_text()
    assert "| a lot 0 False | pass |" in (project / "docs" / "results.md").read_text()
    (plot,) = (project / "docs" / "results").iterdir()
    with Image.open(plot) as opened:
        assert opened.width == 1100


@pytest.mark.parametrize("words", [("--quick", "good"), ("good", "--quick")], ids=" ".join)
def test_a_quick_run_leaves_the_page_of_results_as_it_is(project: Path, words: tuple[str, ...]) -> None:
    before = (project / "docs" / "results.md").read_text()
    assert ended(project, *words, "--out", "new")[0] == 0
    assert (project / "docs" / "results.md").read_text() == before
    assert "| little 0 True | pass |" in (project / "new" / "results.md").read_text()
    assert not (project / "docs" / "results").exists()


def test_the_commit_is_noted_and_whether_anything_but_the_results_was_changed(project: Path) -> None:
    def git(*words: str) -> str:
        own = ["git", "-C", str(project), "-c", "user.name=x", "-c", "user.email=x@example.org"]
        return subprocess.run([*own, *words], check=True, capture_output=True, text=True).stdout

    git("init", "-q")
    git("add", ".")
    git("commit", "-qm", "All")
    commit = git("rev-parse", "--short=10", "HEAD").strip()
    (project / "docs" / "results.md").write_text("")
    assert commit_of(project) == f"commit {commit}"
    (project / "benchmarks" / "part.py").write_text("X = 2\n")
    assert commit_of(project) == f"commit {commit} with changes"


def test_an_interruption_ends_the_benchmark_too_and_shows_no_traceback(project: Path) -> None:
    (project / "benchmarks" / "slow.py").write_text(SLOW)
    running = start(project, "slow")
    assert running.stdout is not None
    assert running.stdout.readline() == "waiting\n"
    os.killpg(running.pid, signal.SIGINT)  # as a terminal does
    out, err = running.communicate(timeout=30)
    assert running.returncode == 130
    assert out == "cleaned up\n"
    assert "Traceback" not in err
