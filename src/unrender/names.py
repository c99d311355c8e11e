"""Names of symbols and attributes: the one place that says which there may be.

A name has letters and digits of any script and underscores, in words that are joined by single blanks or
hyphens: "belt-scene", "car door", "kék hajó", "船". It is kept in the composed form of Unicode (NFC), so that
what looks the same is the same.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Any

from unrender.errors import UnrenderError

LONGEST = 64  # characters of a name

_FORM = re.compile("[a_][am0_]*(?:[ -][a0_][am0_]*)*")
_KINDS = {"L": "a", "M": "m", "N": "0"}  # letters, marks upon letters, numbers


def kinds(text: str) -> str:
    """One character for each of `text`: "a" a letter, "m" a mark, "0" a number, "?" what no name may have.

    Of the others "_", "-", " " and "'" stand for themselves.
    """
    return "".join(c if c in "_- '" else _KINDS.get(unicodedata.category(c)[0], "?") for c in text)


def composed(text: Any) -> Any:
    """A text in the form in which names are kept; anything else as it is."""
    return unicodedata.normalize("NFC", text) if isinstance(text, str) else text


def check_name(name: str, what: str) -> str:
    """`name` as it is kept, if it can name a `what` ("symbol", "attribute"); else an error that says why."""
    return check_length(check_form(name, what), what)


def check_length(name: str, what: str) -> str:
    """`name`, if it is no longer than a name may be."""
    if len(name) > LONGEST:
        raise UnrenderError(
            f"The name of {_a(what)} has at most {LONGEST} characters, and {name[:16]!r}... has {len(name)}; "
            "choose a shorter one."
        )
    return name


def check_form(name: str, what: str) -> str:
    """`check_name` for what is read from a brain file: brains of earlier versions may hold longer ones."""
    kept = composed(name)
    if not isinstance(kept, str) or not _FORM.fullmatch(kinds(kept)):
        raise UnrenderError(
            f"{name!r} cannot name {_a(what)}: use letters, digits and underscores, joined by single "
            "hyphens or blanks."
        )
    return kept


def _a(what: str) -> str:
    return f"{'an' if what[0] in 'aeiou' else 'a'} {what}"
