"""The soak tells a leak from noise."""

import sys
from importlib import import_module
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).parents[2] / "benchmarks"))  # scripts, not a package


def test_growth_is_that_after_the_warm_up_and_single_slow_scenes_do_not_count() -> None:
    soak = import_module("soak")
    rng = np.random.default_rng(0)
    flat = rng.normal(100.0, 10.0, 2000)
    flat[:300] *= np.linspace(0.2, 1.0, 300)
    flat[rng.integers(1000, 2000, 40)] *= 20
    assert abs(soak.Trend.of(flat).growth) < 3.0
    leaking = flat + np.linspace(0.0, 20.0, 2000)
    trend = soak.Trend.of(leaking)
    assert 12.0 < trend.growth < 20.0
    assert not trend.line("memory", "MB", soak.MOST_TIME).passed
    assert soak.Trend.of(flat).line("memory", "MB", soak.MOST_TIME).passed


def test_the_memory_of_a_process_is_what_it_holds() -> None:
    soak = import_module("soak")
    before = soak.memory()
    held = np.ones(50 << 20, np.uint8)
    assert 40 < soak.memory() - before < 60
    del held
    assert before > 10
