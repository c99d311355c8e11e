"""Rules: the set R of the grammar, Ω → λ_1 ... λ_|λ|, each with its constraints C(r)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import groupby
from typing import TypeVar

from unrender.errors import UnrenderError, nearest
from unrender.grammar.expression import Expression
from unrender.names import check_form, composed

V = TypeVar("V")
COUNT, INDEX = "count", "index"  # how many copies there are, and which of them this one is, from 0
MOST_COPIES = 24  # of one part, so that the grammar stays finite
USUAL_COPIES = (2, 12)  # the bounds of [petal]* where none are told


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
class Counts:
    """Between how many copies of a part a rule may say, and how many it says where nobody tells."""

    low: int = USUAL_COPIES[0]
    high: int = USUAL_COPIES[1]
    default: int | None = None  # the lowest, if None

    def __post_init__(self) -> None:
        if not 1 <= self.low <= self.high <= MOST_COPIES:
            raise UnrenderError(
                f"A part is repeated 1 to {MOST_COPIES} times, not {self.low}..{self.high} times."
            )
        if self.default is not None and not self.low <= self.default <= self.high:
            raise UnrenderError(
                f"The usual number of copies {self.default} lies outside {self.low}..{self.high}."
            )

    @property
    def usual(self) -> int:
        return self.low if self.default is None else self.default

    def check(self, count: object, symbol: str) -> int:
        """A count that somebody gives, if it can be."""
        whole = isinstance(count, int) and not isinstance(count, bool)
        if not whole or not self.low <= count <= self.high:  # type: ignore[operator]
            raise UnrenderError(
                f"The count of [{symbol}] must be a whole number from {self.low} to {self.high}, "
                f"not {count!r}."
            )
        return count  # type: ignore[return-value]

    def __str__(self) -> str:
        usual = "" if self.default is None else f" default {self.default}"
        return f"* {self.low}..{self.high}{usual}"


@dataclass(frozen=True)
class Part:
    """One symbol λ_j on the right-hand side of a rule.

    `constraints` gives g_j^i by attribute of the part, each an expression over the attributes of the
    parent, in the parent's frame: the origin at its centre, the axes turned with it, units of pixels.
    What they leave open: x, y and rotation are 0, everything else is as the parent has it.

    `counts`: of a part that is repeated, [petal]*. Its constraints may then say `count` and `index`.
    """

    symbol: str
    constraints: Mapping[str, Expression] = field(default_factory=Assignment)
    counts: Counts | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "symbol", check_form(self.symbol, "symbol"))
        for name, value in self.constraints.items():
            if not isinstance(value, Expression):
                raise UnrenderError(f'"{name}" of [{self.symbol}] must be an Expression, not {value!r}.')
        kept = {check_form(name, "attribute"): value for name, value in self.constraints.items()}
        object.__setattr__(self, "constraints", Assignment(kept))

    def numbered(self, numbers: Mapping[str, float]) -> Part:
        """One copy, or what stands beside the copies: `count` and `index` are numbers."""
        told = {name: own.substituted(numbers) for name, own in self.constraints.items()}
        return Part(self.symbol, Assignment(told))

    def __str__(self) -> str:
        return f"[{self.symbol}]" + (str(self.counts) if self.counts is not None else "")


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
        if len({part.counts for part in self.parts if part.counts is not None}) > 1:
            raise UnrenderError(
                f"All parts that a rule for [{self.symbol}] repeats are repeated equally often."
            )
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
    def counts(self) -> Counts | None:
        """Of a rule that repeats parts, how often; all of them equally often."""
        return next((part.counts for part in self.parts if part.counts is not None), None)

    def unrolled(self, count: int) -> Rule:
        """The same rule for one count: its copies are parts like all others. Parts that are repeated and
        stand side by side are one unit: [square]* [circle]* is a square and a circle again and again."""
        parts: list[Part] = []
        for repeated, unit in groupby(self.parts, lambda part: part.counts is not None):
            own = list(unit)
            for index in range(count if repeated else 1):
                numbers = {COUNT: float(count), INDEX: float(index)} if repeated else {COUNT: float(count)}
                parts += [part.numbered(numbers) for part in own]
        return replace(self, parts=tuple(parts))

    @property
    def production(self) -> tuple[str, tuple[Part, ...]]:
        """What the rule does, whatever it is called: two rules with an equal one are the same rule."""
        return self.symbol, self.parts

    def __str__(self) -> str:
        """The rule's first line in the text form, without the constraints."""
        line = f"[{self.symbol}] -> " + " ".join(map(str, self.parts))
        if self.kind is not RuleKind.CONFIGURATION or self.label:
            line += f" as {self.kind.value}"
        return line + (f' "{self.label}"' if self.label else "")
