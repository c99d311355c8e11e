from __future__ import annotations

from collections.abc import Iterator

import pytest

import unrender


@pytest.fixture(scope="session")
def brain() -> Iterator[unrender.Brain]:
    with unrender.open() as opened:
        yield opened
