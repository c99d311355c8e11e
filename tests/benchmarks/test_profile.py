"""The breakdown by stage adds up and leaves no trace; its script does not replace the standard `profile`."""

from __future__ import annotations

import subprocess
import sys
import time
from importlib import import_module
from pathlib import Path

import unrender
from unrender.perception import pipeline

FOLDER = Path(__file__).parents[2] / "benchmarks"
sys.path.append(str(FOLDER))  # scripts, not a package


def test_the_stages_of_seeing_and_teaching_are_all_timed_and_add_up() -> None:
    stages = import_module("stages")
    brain = unrender.open()
    picture = brain.draw("circle", position=(26, 42), size=(24, 24))
    scene = brain.see(picture)
    before = pipeline.divide
    start = time.perf_counter()
    seen = stages.breakdown(lambda: brain.see(picture), stages.SEE)
    taught = stages.breakdown(lambda: brain.teach(scene, "dot"), stages.TEACH)
    passed = time.perf_counter() - start
    assert all(seen[stage] > 0 for stage in ("image model", "regions", "refine", "bits", "routing"))
    assert all(taught[stage] > 0 for stage in ("lesson", "train g", "store"))
    assert 0.5 * passed < sum(seen.values()) + sum(taught.values()) <= passed
    assert pipeline.divide is before


def test_a_stage_inside_another_counts_for_itself_only() -> None:
    watch = import_module("stages").Stopwatch()
    inner = watch.around("inner", lambda: time.sleep(0.05))
    start = time.perf_counter()
    watch.around("outer", inner)()
    passed = time.perf_counter() - start
    assert watch.seconds["inner"] >= 0.05
    assert watch.seconds["inner"] + watch.seconds["outer"] <= passed


def test_benchmarks_that_need_the_standard_profiler_get_it() -> None:
    code = f"import sys; sys.path.insert(0, {str(FOLDER)!r}); import cProfile; cProfile.run('1 + 1')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "function calls" in done.stdout
