"""Counting: how many cases each test has run, and at the end how many all of them have."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from .cases import Count


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
