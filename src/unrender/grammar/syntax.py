"""The syntax of the text form: from characters to statements with places, and mistakes in plain words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any, Final, NamedTuple, TypeVar

from lark import Lark, Token, Transformer, v_args
from lark.exceptions import UnexpectedInput, UnexpectedToken

from unrender.errors import UnrenderError, nearest
from unrender.grammar.attribute import Attribute, Role
from unrender.grammar.check import check_attribute
from unrender.grammar.expression import Call, Expression, Negation, Number, Operation, Reference
from unrender.grammar.rule import Counts
from unrender.names import check_form, composed

T = TypeVar("T")


def _whole(at: Token, value: float) -> int:
    """A number of copies."""
    if value != int(value):
        raise UnrenderError(f"{place(at)}A part is repeated a whole number of times, not {value:g} times.")
    return int(value)


class Axiom(NamedTuple):
    """axiom [symbol]"""

    symbol: Token


class Declaration(NamedTuple):
    """attribute name: role low..high period p default d"""

    name: Token
    attribute: Attribute


class Possession(NamedTuple):
    """[symbol] has name, name"""

    symbol: Token
    names: tuple[Token, ...]


class Heading(NamedTuple):
    """[symbol] -> [part] [part]* as kind "label" """

    symbol: Token
    parts: tuple[Token, ...]
    counts: tuple[Counts | None, ...]  # of each part
    kind: Token | None
    label: Token | None


class Line(NamedTuple):
    """[part] name = expression, name = expression"""

    part: Token
    constraints: tuple[tuple[Token, Expression], ...]


Statement = Axiom | Declaration | Possession | Heading | Line


def parse_statements(text: str) -> list[Statement]:
    """The statements of a grammar's text, in their order."""
    statements: list[Statement] = _parse(text, "start")
    return statements


def parse_expression(text: str) -> Expression:
    """One expression."""
    expression: Expression = _parse(text, "expression")
    return expression


def place(token: Token) -> str:
    """ "line 3, column 7: " """
    return f"line {token.line}, column {token.column}: "


def located(token: Token, make: Callable[..., T], *arguments: Any) -> T:
    """make(*arguments); its `UnrenderError` gets the place of `token`."""
    try:
        return make(*arguments)
    except UnrenderError as error:
        raise UnrenderError(place(token) + str(error)) from None


@v_args(inline=True)
class _Build(Transformer[Token, Any]):
    """Called by the parser for every rule of grammar.lark as it is recognised, hence without recursion."""

    def start(self, *statements: Statement) -> list[Statement]:
        return list(statements)

    def axiom(self, symbol: Token) -> Axiom:
        return Axiom(symbol)

    def declaration(self, name: Token, role: Token, *options: dict[str, float]) -> Declaration:
        if role not in list(Role):
            raise UnrenderError(f'{place(role)}There is no role "{role}".{nearest(role, Role)}')
        given: dict[str, Any] = {key: value for option in options for key, value in option.items()}
        if "period" in given:  # an angle without a range lies around zero
            given = {"low": -given["period"] / 2, "high": given["period"] / 2} | given
        attribute = replace(Attribute(str(name), Role(str(role))), **given)
        located(name, check_attribute, attribute)
        return Declaration(name, attribute)

    def range(self, low: float, high: float) -> dict[str, float]:
        return {"low": low, "high": high}

    def period(self, period: float) -> dict[str, float]:
        return {"period": period}

    def default(self, default: float) -> dict[str, float]:
        return {"default": default}

    def number(self, minus: Token | None, digits: Token) -> float:
        return -float(digits) if minus else float(digits)

    def possession(self, symbol: Token, *names: Token) -> Possession:
        return Possession(symbol, names)

    def rule(self, symbol: Token, *rest: Any) -> Heading:
        *parts, kind, label = rest
        names, counts = zip(*(part for part in parts if part is not None), strict=True)
        return Heading(symbol, names, counts, kind, label)

    def part(
        self,
        name: Token,
        star: Token | None,
        bounds: dict[str, float] | None = None,
        default: dict[str, float] | None = None,
    ) -> tuple[Token, Counts | None]:
        if star is None:
            return name, None
        told = {key: _whole(star, value) for key, value in {**(bounds or {}), **(default or {})}.items()}
        return name, located(star, lambda: Counts(**told))

    def line(self, part: Token, *constraints: tuple[Token, Expression]) -> Line:
        return Line(part, constraints)

    def constraint(self, name: Token, expression: Expression) -> tuple[Token, Expression]:
        return name, expression

    def name(self, token: Token) -> Token:
        return token.update(value=located(token, check_form, token.strip('"'), "attribute"))

    def operation(self, left: Expression, operator: Token, right: Expression) -> Expression:
        return located(operator, Operation, str(operator), left, right)

    def negation(self, minus: Token, operand: Expression) -> Expression:
        return located(minus, Negation, operand)

    def constant(self, digits: Token) -> Expression:
        return located(digits, Number, float(digits))

    def reference(self, name: Token) -> Expression:
        return Reference(str(name))

    def call(self, function: Token, *arguments: Expression | None) -> Expression:
        return located(function, Call, str(function), tuple(a for a in arguments if a is not None))

    def SYMBOL(self, token: Token) -> Token:  # noqa: N802
        return token.update(value=located(token, check_form, token[1:-1].strip(), "symbol"))

    PART = SYMBOL

    def LABEL(self, token: Token) -> Token:  # noqa: N802
        return token.update(value=composed(token[1:-1]))


@cache
def _parser() -> Lark:
    return Lark.open(
        "grammar.lark",
        rel_to=__file__,
        parser="lalr",
        start=["start", "expression"],
        maybe_placeholders=True,
        transformer=_Build(),
    )


def _parse(text: str, start: str) -> Any:
    if not isinstance(text, str):
        raise UnrenderError(f"A grammar is read from text, not from {type(text).__name__}.")
    end = "\n" if start == "start" else ""
    try:
        return _parser().parse(text + end, start=start)
    except UnexpectedInput as error:
        accepts = error.interactive_parser.accepts()
        place = f"line {error.line}, column {error.column}: "
        raise UnrenderError(f"{place}expected {_expected(accepts)}, found {_found(error, text)}.") from None


_OPERATORS: Final = {"PLUS", "MINUS", "STAR", "SLASH", "CARET"}
_WORDS: Final = {
    "SYMBOL": "a symbol in brackets",
    "PART": "a part in brackets",
    "STAR": '"*"',
    "NAME": "an attribute",
    "KIND": "viewpoint, configuration or style",
    "ROLE": "preposition, adjective or verb",
    "LABEL": "a label in quotes",
    "NUMBER": "a number",
    "_ARROW": '"->"',
    "_HAS": '"has"',
    "_AS": '"as"',
    "_PERIOD": '"period"',
    "_DEFAULT": '"default"',
    "_EQUALS": '"="',
    "_COLON": "a colon",
    "_RANGE": '".."',
    "operator": "an operator",
    "_COMMA": "a comma",
    "_LPAR": '"("',
    "_RPAR": '")"',
    "_NL": "the end of the line",
    "$END": "the end of the text",
}


def _expected(accepts: set[str]) -> str:
    if "_AXIOM" in accepts:
        return "a rule, a part or a declaration"
    if {"NUMBER", "_LPAR"} <= accepts:
        words = ["an expression"] + (['")"'] if "_RPAR" in accepts else [])
    else:
        if "PLUS" in accepts:
            accepts = accepts - {"STAR"} | {"operator"}
        words = [word for name, word in _WORDS.items() if name in accepts]
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " or " + words[-1]


def _found(error: UnexpectedInput, text: str) -> str:
    if isinstance(error, UnexpectedToken):
        if error.token.type == "$END":
            return "the end of the text"
        if error.token.type == "_NL":
            return "the end of the line"
        word = str(error.token).split("\n")[0]
        return f'"{word}"' if not word.startswith('"') else word
    character = text[error.pos_in_stream or 0]
    if character == "[":
        return 'a "[" without its "]"'
    if character == '"':
        return "a quote that is not closed"
    return f'"{character}"' if character.isprintable() else repr(character)
