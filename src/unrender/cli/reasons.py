"""Why a question is asked, in few words."""

from __future__ import annotations

import re
from collections.abc import Iterable


def brief(texts: Iterable[str]) -> list[str]:
    """The texts without those that only differ in a number from a later one: of several thresholds that are
    passed, the last.

    >>> brief(["off by more than 1", "nothing alike", "off by more than 2.5"])
    ['nothing alike', 'off by more than 2.5']
    """
    last: dict[str, str] = {}
    for text in texts:
        kind = re.sub(r"\d+(\.\d+)?", "#", text)
        last.pop(kind, None)
        last[kind] = text
    return list(last.values())
