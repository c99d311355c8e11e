"""Counting: how many cases each test has run, and at the end how many all of them have."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from .cases import Count

MEMORY = Path("/dev/shm")


@pytest.fixture
def tmp_path(tmp_path: Path) -> Iterator[Path]:
    """In memory where the system has such a place: thousands of brains need no disk that is sure of each."""
    if not MEMORY.is_dir():
        yield tmp_path
        return
    with TemporaryDirectory(dir=MEMORY) as folder:
        yield Path(folder)


@pytest.fixture(autouse=True)
def counted(record_property: Callable[[str, object], None]) -> Iterator[None]:
    before = Count.cases
    yield
    record_property("cases", Count.cases - before)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    reports = [own for kind in terminalreporter.stats.values() for own in kind]
    counts = {
        own.nodeid: int(count)
        for own in reports
        if isinstance(own, pytest.TestReport)
        for name, count in own.user_properties
        if name == "cases"
    }
    terminalreporter.write_line(f"{sum(counts.values()):,} cases of fuzzing")
