"""Rules: the set R of the grammar, Ω → λ_1 ... λ_|λ|, each with its constraints C(r)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeVar

from unrender.errors import UnrenderError, nearest
from unrender.grammar.expression import Expression
from unrender.names import check_form, composed

V = TypeVar("V")


class Assignment(Mapping[str, V]):
    """An immutable mapping that keeps its order and can be hashed: what belongs to each name.

    As with dict, the order does not matter when two of them are compared.
    """

    __slots__ = ("_items",)

    def __init__(self, items: Mapping[str, V] | Iterable[tuple[str, V]] = ()) -> None:
        self._items = dict(items)

    def __getitem__(self, name: str) -> V:
        return self._items[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __hash__(self) -> int:
        return hash(frozenset(self._items.items()))

    def __repr__(self) -> str:
        return repr(self._items)


class RuleKind(StrEnum):
    """Why a symbol has more than one rule."""

    VIEWPOINT = "viewpoint"  # from the front, from the back
    CONFIGURATION = "configuration"  # a chair with padding, a chair without padding
    STYLE = "style"  # a sketch, a photo


@dataclass(frozen=True)
class Part:
    """One symbol λ_j on the right-hand side of a rule.

    `constraints` gives g_j^i by attribute of the part, each an expression over the attributes of the
    parent, in the parent's frame: the origin at its centre, the axes turned with it, units of pixels.
    What they leave open: x, y and rotation are 0, everything else is as the parent has it.
    """

    symbol: str
    constraints: Mapping[str, Expression] = field(default_factory=Assignment)

    def __post_init__(self) -> None:
        object.__setattr__(self, "symbol", check_form(self.symbol, "symbol"))
        for name, value in self.constraints.items():
            if not isinstance(value, Expression):
                raise UnrenderError(f'"{name}" of [{self.symbol}] must be an Expression, not {value!r}.')
        kept = {check_form(name, "attribute"): value for name, value in self.constraints.items()}
        object.__setattr__(self, "constraints", Assignment(kept))


@dataclass(frozen=True)
class Rule:
    """Ω → λ: how `symbol` is produced from `parts`, the first of them drawn first, hence at the back."""

    symbol: str
    parts: tuple[Part, ...]
    kind: RuleKind = RuleKind.CONFIGURATION
    label: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "symbol", check_form(self.symbol, "symbol"))
        object.__setattr__(self, "parts", tuple(self.parts))
        object.__setattr__(self, "label", composed(self.label))
        if not self.parts:
            raise UnrenderError(f"A rule for [{self.symbol}] must produce at least one part.")
        try:
            object.__setattr__(self, "kind", RuleKind(self.kind))
        except ValueError:
            hint = nearest(str(self.kind), RuleKind)
            raise UnrenderError(f'There is no kind of rule "{self.kind}".{hint}') from None
        if not self.label.isprintable() or '"' in self.label:
            raise UnrenderError(f"The label {self.label!r} must be printable, without double quotes.")

    @property
    def production(self) -> tuple[str, tuple[Part, ...]]:
        """What the rule does, whatever it is called: two rules with an equal one are the same rule."""
        return self.symbol, self.parts

    def __str__(self) -> str:
        """The rule's first line in the text form, without the constraints."""
        line = f"[{self.symbol}] -> " + " ".join(f"[{part.symbol}]" for part in self.parts)
        if self.kind is not RuleKind.CONFIGURATION or self.label:
            line += f" as {self.kind.value}"
        return line + (f' "{self.label}"' if self.label else "")
