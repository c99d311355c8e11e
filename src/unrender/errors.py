"""The one error type that a user can cause."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class UnrenderError(Exception):
    """Something the caller asked for cannot be done; the message is one sentence that says what to do."""


def nearest(word: str, known: Iterable[str]) -> str:
    """A hint for a mistyped word: ' Did you mean "red"?', or the whole list when nothing is near."""
    choices = sorted(known)
    close = get_close_matches(word, choices, n=3, cutoff=0.6)
    if close:
        return " Did you mean " + " or ".join(f'"{c}"' for c in close) + "?"
    return " Known are: " + ", ".join(choices) + "." if choices else ""
