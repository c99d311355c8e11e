"""What all benchmarks share: verdicts, tables and the file that `unrender bench` collects."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[2] / "benchmarks"
sys.path.append(str(FOLDER))  # scripts, not a package
report = import_module("report")


def test_a_goal_is_reached_in_its_own_direction_and_never_by_a_figure_that_is_missing() -> None:
    at_least = report.Goal("F1", 0.9, lambda score: score)
    at_most = report.Goal("error", 0.1, lambda score: score, True)
    assert [at_least.reached(value) for value in (0.89, 0.9, float("nan"))] == [False, True, False]
    assert [at_most.reached(value) for value in (0.11, 0.1, float("nan"))] == [False, True, False]
    assert (at_least.text(), at_most.text()) == ("F1 ≥ 0.9", "error ≤ 0.1")
    assert at_least.line("ships", float("nan")).measured == "none"


def test_a_table_shows_verdicts_and_leaves_out_columns_in_which_nothing_stands() -> None:
    lines = [report.Line("a|b", "≥ 1", "2", True, {"rival": "1"}), report.Line("c", "≥ 1", "0", False)]
    assert report.Table(lines, "row", more=["rival", "time"]).markdown().splitlines() == [
        "| row | goal | measured | verdict | rival |",
        "| --- | --- | --- | --- | --- |",
        "| a\\|b | ≥ 1 | 2 | pass | 1 |",
        "| c | ≥ 1 | 0 | FAIL |  |",
    ]


@pytest.mark.parametrize(
    ("ours", "theirs", "equal", "passed"),
    [
        (0.9, 0.8, False, True),
        (0.8, 0.8, False, False),
        (0.8, 0.8, True, True),
        (0.7, 0.8, True, False),
        (1.0, 1.0, False, True),
        (0.999, 1.0, False, False),
    ],
)
def test_as_good_as_a_rival_is_enough_only_where_asked_or_where_the_rival_is_perfect(
    ours: float, theirs: float, equal: bool, passed: bool
) -> None:
    assert report.ahead("F1", ours, {"one": 0.1, "other": theirs}, equal=equal).passed is passed


def test_results_are_printed_and_written_with_their_plots(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    figure, (axes,) = report.subplots()
    axes.plot([1, 2])
    plot = report.picture(figure, tmp_path / "new" / "curve.png", "A curve")
    report.publish(tmp_path / "new", "Title", "A sentence.", report.Table([report.Line("x", "", "1")]), plot)
    written = (tmp_path / "new" / "results.md").read_text(encoding="utf-8")
    assert written.startswith("## Title\n\nA sentence.\n\n| what | measured |\n")
    assert written.endswith("\n\n![A curve](curve.png)\n")
    assert (tmp_path / "new" / "curve.png").stat().st_size > 1000
    assert "A sentence." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("failure", "code"), [("KeyboardInterrupt", 130), ("__import__('unrender').UnrenderError('Mend it.')", 2)]
)
def test_a_benchmark_ends_without_a_traceback(failure: str, code: int) -> None:
    program = f"from report import run\ndef main():\n    raise {failure}\nrun(main)"
    done = subprocess.run([sys.executable, "-c", program], cwd=FOLDER, capture_output=True, text=True)
    assert done.returncode == code
    assert done.stderr == ("Mend it.\n" if code == 2 else "")
