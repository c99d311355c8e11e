"""Fonts for figures: names may be of any script, and matplotlib's own font does not have all of them."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

OWN = "DejaVu Sans"  # comes with matplotlib


@cache
def families(text: str) -> tuple[str, ...]:
    """The fonts to write `text` with: matplotlib's own, then installed ones that have what that lacks."""
    from matplotlib.font_manager import FontProperties, findfont, fontManager, get_font

    lacking = set(map(ord, text)) - get_font(findfont(FontProperties(family=OWN))).get_charmap().keys()
    found = [OWN]
    for font in fontManager.ttflist if lacking else ():
        has = lacking & get_font(font.fname).get_charmap().keys()
        if has:
            found.append(font.name)
            lacking -= has
        if not lacking:
            break
    return tuple(found)


@contextmanager
def boxes_allowed() -> Iterator[None]:
    """A letter that no font has is drawn as a box; there is nothing that a warning could change."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from font", UserWarning)
        yield
