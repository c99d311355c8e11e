"""Symbols: the sets V (non-terminal) and Σ (terminal) of the grammar."""

from __future__ import annotations

from dataclasses import dataclass

from unrender.errors import UnrenderError, nearest
from unrender.grammar.attribute import POSE, Attribute
from unrender.names import check_form


@dataclass(frozen=True)
class Symbol:
    """A noun of the grammar. Terminal symbols are primitives and can be drawn; the others have rules.

    `attributes` are those besides the pose, which every symbol has.
    """

    name: str
    attributes: tuple[Attribute, ...] = ()
    terminal: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", check_form(self.name, "symbol"))
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
