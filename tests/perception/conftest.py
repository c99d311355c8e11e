"""The primitives that the tests of perception look for."""

import pytest

from unrender.primitives.protocol import Primitive
from unrender.primitives.registry import find


@pytest.fixture(scope="session")
def kinds() -> list[Primitive]:
    """circle, square and triangle, whatever else is registered."""
    return [find(name) for name in ("circle", "square", "triangle")]
