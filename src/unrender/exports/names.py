"""Names that other programs accept: any symbol becomes one, and no two are alike."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def legal(text: str) -> str:
    """`text` with U+FFFD for every character that neither XML nor UTF-8 can hold."""
    return _ILLEGAL.sub("\ufffd", text)


def numbered(words: Iterable[str]) -> list[str]:
    """ "ship", "circle", "ship" as "ship-1", "circle-1", "ship-2": never two alike."""
    counts: Counter[str] = Counter()
    names = []
    for word in words:
        counts[word] += 1
        names.append(f"{word}-{counts[word]}")
    return names
