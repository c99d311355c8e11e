"""Expressions: one constraint α_j^i = g_j^i(α_Ω) of the grammar, as an immutable tree.

The names in an expression are attributes of the parent Ω. Lengths are pixels, angles degrees.
"""

from __future__ import annotations

import math
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from unrender.errors import UnrenderError, nearest
from unrender.names import check_form

MAX_DEPTH: Final = 100
"""Levels of nesting. Deeper trees are refused when built, so that walking one never exhausts the stack."""

KEYWORDS: Final = frozenset({"axiom", "attribute", "has", "as", "period", "default"})
"""Words of the text form; an attribute with such a name is written in quotes."""


class Expression(ABC):
    """A formula over attribute names. `str()` writes it; `Expression.parse` reads that text back."""

    binding: int = 5  # how tightly the outermost operator binds: 1 for a sum, 5 for a name
    depth: int

    @staticmethod
    def parse(text: str) -> Expression:
        """The expression written as `text`, for example "0.8 * width - sqrt(height)"."""
        from unrender.grammar.syntax import parse_expression

        return parse_expression(text)

    @property
    def operands(self) -> tuple[Expression, ...]:
        """The expressions directly inside this one, from left to right."""
        return ()

    def __post_init__(self) -> None:
        depth = 1 + max((operand.depth for operand in self.operands), default=0)
        if depth > MAX_DEPTH:
            raise UnrenderError(f"An expression may nest at most {MAX_DEPTH} operations; shorten this one.")
        object.__setattr__(self, "depth", depth)

    def evaluate(self, values: Mapping[str, float]) -> float:
        """The number this expression has for the parent's attribute `values`; always finite."""
        try:
            result = self._compute(values)
        except ZeroDivisionError:
            reason = "it divides by zero"
        except OverflowError:
            reason = "the result is too large"
        except ValueError:
            reason = "the result is not a real number"
        else:
            if math.isfinite(result):
                return result
            reason = f"the result is {result}, which is not finite"
        raise UnrenderError(f"Cannot evaluate {self}: {reason}.")

    def names(self) -> tuple[str, ...]:
        """The attributes this expression mentions, each once, in the order of their first mention."""
        return tuple(dict.fromkeys(name for operand in self.operands for name in operand.names()))

    def substituted(self, values: Mapping[str, float]) -> Expression:
        """The same formula with numbers, none of them negative, in place of some names."""
        if not self.operands:
            return self
        return self._of([operand.substituted(values) for operand in self.operands])

    def _of(self, operands: Sequence[Expression]) -> Expression:
        """The same operation on other operands."""
        return self

    @abstractmethod
    def _compute(self, values: Mapping[str, float]) -> float:
        """The value, which may be an ArithmeticError or not finite."""

    def _inside(self, binding: int) -> str:
        """This expression as text, in parentheses if it binds less tightly than `binding`."""
        return str(self) if self.binding >= binding else f"({self})"


@dataclass(frozen=True)
class Number(Expression):
    """A constant, finite and not negative (a negative one is the `Negation` of a number)."""

    value: float

    def __post_init__(self) -> None:
        value = float(self.value) + 0.0  # turns -0.0 into 0.0
        if not (math.isfinite(value) and value >= 0.0):
            raise UnrenderError(f"A number in an expression must be finite and not negative, not {value}.")
        object.__setattr__(self, "value", value)
        super().__post_init__()

    def _compute(self, values: Mapping[str, float]) -> float:
        return self.value

    def __str__(self) -> str:
        return write_number(self.value)


@dataclass(frozen=True)
class Reference(Expression):
    """The value of the parent's attribute `name`."""

    name: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "name", check_form(self.name, "attribute"))
        super().__post_init__()

    def names(self) -> tuple[str, ...]:
        """Its one name."""
        return (self.name,)

    def substituted(self, values: Mapping[str, float]) -> Expression:
        """The number that stands for it, if there is one."""
        return Number(values[self.name]) if self.name in values else self

    def _compute(self, values: Mapping[str, float]) -> float:
        if self.name not in values:
            raise UnrenderError(f'There is no attribute "{self.name}".{nearest(self.name, values)}')
        return float(values[self.name])

    def __str__(self) -> str:
        return write_name(self.name)


@dataclass(frozen=True)
class Negation(Expression):
    """The operand with its sign turned. -a ^ b is -(a ^ b), as in mathematics."""

    operand: Expression

    binding = 3

    @property
    def operands(self) -> tuple[Expression, ...]:
        """The one operand."""
        return (self.operand,)

    def _of(self, operands: Sequence[Expression]) -> Expression:
        return Negation(*operands)

    def _compute(self, values: Mapping[str, float]) -> float:
        return -self.operand.evaluate(values)

    def __str__(self) -> str:
        return "-" + self.operand._inside(3)


def _power(base: float, exponent: float) -> float:
    result = base**exponent
    if isinstance(result, complex):
        raise ValueError("a root of a negative number")
    return float(result)


# operator: (binding, binding the left and the right operand need to stand without parentheses, function)
_OPERATORS: Final[dict[str, tuple[int, int, int, Callable[[float, float], float]]]] = {
    "+": (1, 1, 2, lambda a, b: a + b),
    "-": (1, 1, 2, lambda a, b: a - b),
    "*": (2, 2, 3, lambda a, b: a * b),
    "/": (2, 2, 3, lambda a, b: a / b),
    "^": (4, 5, 3, _power),
}


@dataclass(frozen=True)
class Operation(Expression):
    """`left` + - * / ^ `right`. The power groups to the right, the others to the left."""

    operator: str
    left: Expression
    right: Expression

    def __post_init__(self) -> None:
        if self.operator not in _OPERATORS:
            raise UnrenderError(f"There is no operator {self.operator!r}; use one of + - * / ^.")
        object.__setattr__(self, "binding", _OPERATORS[self.operator][0])
        super().__post_init__()

    @property
    def operands(self) -> tuple[Expression, ...]:
        """Left and right."""
        return (self.left, self.right)

    def _of(self, operands: Sequence[Expression]) -> Expression:
        return Operation(self.operator, *operands)

    def _compute(self, values: Mapping[str, float]) -> float:
        function = _OPERATORS[self.operator][3]
        return function(self.left.evaluate(values), self.right.evaluate(values))

    def __str__(self) -> str:
        _, left, right, _ = _OPERATORS[self.operator]
        return f"{self.left._inside(left)} {self.operator} {self.right._inside(right)}"


# name: (the number of arguments, None for one or more; the function)
_FUNCTIONS: Final[dict[str, tuple[int | None, Callable[..., float]]]] = {
    "sin": (1, lambda degrees: math.sin(math.radians(math.fmod(degrees, 360.0)))),
    "cos": (1, lambda degrees: math.cos(math.radians(math.fmod(degrees, 360.0)))),
    "sqrt": (1, math.sqrt),
    "abs": (1, abs),
    "min": (None, lambda *values: min(values)),
    "max": (None, lambda *values: max(values)),
}


@dataclass(frozen=True)
class Call(Expression):
    """`function`(`arguments`): sin and cos of degrees, sqrt, abs, and min and max of any number."""

    function: str
    arguments: tuple[Expression, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "arguments", tuple(self.arguments))
        if self.function not in _FUNCTIONS:
            hint = nearest(self.function, _FUNCTIONS)
            raise UnrenderError(f'There is no function "{self.function}".{hint}')
        count = _FUNCTIONS[self.function][0]
        if not self.arguments or count not in (None, len(self.arguments)):
            wanted = "at least one argument" if count is None else "one argument"
            raise UnrenderError(f'The function "{self.function}" takes {wanted}, not {len(self.arguments)}.')
        super().__post_init__()

    @property
    def operands(self) -> tuple[Expression, ...]:
        """The arguments."""
        return self.arguments

    def _of(self, operands: Sequence[Expression]) -> Expression:
        return Call(self.function, tuple(operands))

    def _compute(self, values: Mapping[str, float]) -> float:
        return float(_FUNCTIONS[self.function][1](*(a.evaluate(values) for a in self.arguments)))

    def __str__(self) -> str:
        return f"{self.function}({', '.join(map(str, self.arguments))})"


def write_number(value: float) -> str:
    """The shortest text that reads back as exactly this float: "4", "0.1", "1e-05"."""
    value = float(value)
    return str(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)


def write_name(name: str) -> str:
    """An attribute name as it stands in a formula: in quotes if it is not a plain word, or is a keyword."""
    plain = re.fullmatch(r"[^\W\d]\w*", name) and name not in KEYWORDS
    return name if plain else f'"{name}"'
