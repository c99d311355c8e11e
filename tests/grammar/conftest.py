"""Terminals for grammars that do not need to be drawn: these tests never import torch."""

from __future__ import annotations

import pytest

from unrender.grammar.attribute import STYLE, Attribute
from unrender.grammar.symbol import Symbol


@pytest.fixture(scope="session")
def terminals() -> dict[str, Symbol]:
    """Σ: a circle, a square, a triangle, and a star with a further attribute of its own."""
    plain = {name: Symbol(name, STYLE, terminal=True) for name in ("circle", "square", "triangle")}
    star = Symbol("star", (*STYLE, Attribute("points", low=3, high=12, default=5)), terminal=True)
    return {**plain, "star": star}
