"""Symbols: the sets V (non-terminal) and Σ (terminal) of the grammar."""

from __future__ import annotations

import re
from dataclasses import dataclass

from unrender.errors import UnrenderError, nearest
from unrender.grammar.attribute import POSE, Attribute

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:[ -][A-Za-z0-9_]+)*")
"""A noun: letters, digits and underscores, joined by single hyphens or blanks ("belt-scene", "car door")."""


def check_name(name: str, what: str) -> str:
    """Return `name` if it can name a `what` ("symbol", "attribute"), else say how names look."""
    if not isinstance(name, str) or not NAME.fullmatch(name):
        article = "an" if what[0] in "aeiou" else "a"
        raise UnrenderError(
            f"{name!r} cannot name {article} {what}: use letters, digits and underscores, "
            "joined by single hyphens or blanks."
        )
    return name


@dataclass(frozen=True)
class Symbol:
    """A noun of the grammar. Terminal symbols are primitives and can be drawn; the others have rules.

    `attributes` are those besides the pose, which every symbol has.
    """

    name: str
    attributes: tuple[Attribute, ...] = ()
    terminal: bool = False

    def __post_init__(self) -> None:
        check_name(self.name, "symbol")
        seen = {a.name for a in POSE}
        for attribute in self.attributes:
            if attribute.name in seen:
                raise UnrenderError(f'[{self.name}] declares the attribute "{attribute.name}" twice.')
            seen.add(attribute.name)

    @property
    def all_attributes(self) -> tuple[Attribute, ...]:
        """The pose, then the rest: the attribute vector α of this symbol."""
        return POSE + self.attributes

    def attribute(self, name: str) -> Attribute:
        """The attribute called `name`, or an error with the nearest names."""
        for attribute in self.all_attributes:
            if attribute.name == name:
                return attribute
        known = [a.name for a in self.all_attributes]
        raise UnrenderError(f'[{self.name}] has no attribute "{name}".{nearest(name, known)}')
