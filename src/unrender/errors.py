"""The one error type that a user can cause."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

LONGEST = 900  # characters of a message


class UnrenderError(Exception):
    """Something the caller asked for cannot be done; the message is one sentence that says what to do.

    It may quote what the caller wrote, so it is kept to one line of a length that can be read.
    """

    def __init__(self, message: str) -> None:
        super().__init__(one_line(message))


def one_line(text: str) -> str:
    """Text that any terminal, file or page can show: line breaks and letters that cannot be printed are
    written as escapes, and of a long text the middle is left out."""
    if len(text) > LONGEST:
        text = f"{text[: LONGEST * 2 // 3]} ... {text[-LONGEST // 3 :]}"
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def nearest(word: str, known: Iterable[str]) -> str:
    """A hint for a mistyped word: ' Did you mean "red"?', or the whole list when nothing is near."""
    choices = sorted(known)
    close = get_close_matches(word, choices, n=3, cutoff=0.6)
    if close:
        return " Did you mean " + " or ".join(f'"{c}"' for c in close) + "?"
    return " Known are: " + ", ".join(choices) + "." if choices else ""
