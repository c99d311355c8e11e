"""One case of fuzzing: it ends in a result or in an UnrenderError of one sentence, within the limits."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.strategies import SearchStrategy

from unrender import UnrenderError

from .limits import limits

HERE = Path(__file__).parent
FACTOR = int(os.environ.get("UNRENDER_FUZZ", "1"))
"""How many times as many cases as in the ordinary tests; `make fuzz` sets it."""

T = TypeVar("T")


class Count:
    """How many cases have run in this process."""

    cases = 0


def fuzz(cases: int, **given_by: SearchStrategy[Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """A test of so many cases times FACTOR, always the same ones."""
    chosen = settings(
        max_examples=cases * FACTOR,
        deadline=None,
        derandomize=True,
        phases=(Phase.generate,),  # few steps need no shrinking, and a slow case would shrink for hours
        suppress_health_check=list(HealthCheck),
    )

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        @wraps(test)
        def counted(*args: Any, **kwargs: Any) -> None:
            Count.cases += 1
            test(*args, **kwargs)

        return chosen(given(**given_by)(counted))

    return decorate


def ended(case: Callable[[], T]) -> T | None:
    """What a case results in, or None where it was refused in a sentence; anything else is a failure."""
    with limits():
        try:
            return case()
        except UnrenderError as error:
            check_sentence(str(error))
            return None


def check_sentence(text: str) -> None:
    """One line for a person, not the remains of an exception."""
    assert re.fullmatch(r"[^\n]+[.?!]\)?", text), f"not a sentence: {text[:300]!r}"


def kept(kind: str) -> Sequence[Path]:
    """Every case of a kind that ever failed."""
    return sorted((HERE / "regressions" / kind).glob("*"))


def corpus(kind: str) -> list[bytes]:
    """Small good files of a kind."""
    found = [path.read_bytes() for path in sorted((HERE / "corpus" / kind).glob("*"))]
    assert found, f"no corpus of {kind}"
    return found
