"""The text form of a grammar: `read` parses it, `write` prints it, and reading back gives the same grammar.

    axiom [house]
    attribute wooden: adjective 0..1 default 0.5
    [house] has wooden
    [house] -> [triangle] [square] as viewpoint "front"
        [triangle] y = -height / 4
        [square] y = height / 4, height = height / 2, red = 0.6 * red

A line under a rule constrains one of its parts, in their order; parts without constraints may be left out.
A list may go on in the next line after its comma. Attributes with blanks or hyphens stand in double quotes.
A part with a star is repeated, [petal]* 3..12 default 5: its constraints may say `count`, the number of
copies, and `index`, which of them it is, from 0; those of the other parts may say `count`.
A primitive that has a rule is refined by it: [square] -> [edge] [edge] [edge] [edge] draws four edges.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lark import Token

from unrender.errors import UnrenderError, nearest
from unrender.grammar.attribute import POSE_NAMES, Attribute
from unrender.grammar.expression import Expression, write_name, write_number
from unrender.grammar.rule import Part, Rule, RuleKind
from unrender.grammar.symbol import Symbol
from unrender.grammar.syntax import (
    Axiom,
    Declaration,
    Heading,
    Line,
    Possession,
    located,
    parse_statements,
    place,
)
from unrender.names import check_length

if TYPE_CHECKING:
    from unrender.grammar.grammar import Grammar


@dataclass
class Sheet:
    """What a text says, with the place of each word; `Grammar` then checks that it fits together."""

    symbols: list[Symbol] = field(default_factory=list)
    rules: list[Rule] = field(default_factory=list)
    axiom: str | None = None
    places: dict[tuple[str | int, ...], Token] = field(default_factory=dict)

    def place(self, where: tuple[str | int, ...]) -> str:
        """The line and column of a `GrammarError`, or nothing if its place is not in the text."""
        return place(self.places[where]) if where in self.places else ""

    def check_lengths(self) -> Sheet:
        """Itself; a name that is too long is an `UnrenderError` that begins with its place."""
        for i, rule in enumerate(self.rules):
            located(self.places["rule", i], check_length, rule.symbol, "symbol")
            located(self.places["rule", i], check_length, rule.label, "rule")
        for where, token in self.places.items():
            if where[0] == "attribute":
                located(token, check_length, str(token), "attribute")
        return self


def read(text: str, terminals: Mapping[str, Symbol]) -> Sheet:
    """Parse the text form; a mistake is an `UnrenderError` that begins with its line and column."""
    sheet = Sheet()
    declared: dict[str, Attribute] = {}
    owners: dict[str, list[Token]] = {}  # the attributes of every symbol that has a rule
    headings: list[tuple[Heading, list[Line]]] = []
    for statement in parse_statements(text):
        match statement:
            case Axiom(symbol):
                if sheet.axiom is not None:
                    raise UnrenderError(f"{place(symbol)}The axiom is [{sheet.axiom}] already.")
                sheet.axiom = str(symbol)
                sheet.places["axiom",] = symbol
            case Declaration(name, attribute):
                if name in declared or name in POSE_NAMES:
                    raise UnrenderError(f'{place(name)}The attribute "{name}" exists already.')
                declared[str(name)] = attribute
                sheet.places["attribute", str(name)] = name
            case Possession(symbol, names):
                if symbol in terminals:
                    raise UnrenderError(
                        f"{place(symbol)}[{symbol}] is a primitive; its attributes are fixed."
                    )
                owners.setdefault(str(symbol), []).extend(names)
                sheet.places.setdefault(("symbol", str(symbol)), symbol)
            case Heading(symbol):
                owners.setdefault(str(symbol), [])
                headings.append((statement, []))
            case Line(symbol):
                if not headings:
                    raise UnrenderError(
                        f"{place(symbol)}[{symbol}] belongs to no rule; the rule comes first."
                    )
                headings[-1][1].append(statement)
    known = {a.name: a for terminal in terminals.values() for a in terminal.attributes} | declared
    plain = [terminal for name, terminal in terminals.items() if name not in owners]
    sheet.symbols = [*plain, *(_symbol(name, names, known) for name, names in owners.items())]
    for i, (heading, lines) in enumerate(headings):
        sheet.rules.append(_rule(i, heading, lines, sheet.places))
    return sheet


def _symbol(name: str, attributes: Iterable[Token], known: Mapping[str, Attribute]) -> Symbol:
    found: dict[str, Attribute] = {}
    for token in attributes:
        if token in POSE_NAMES:
            raise UnrenderError(f'{place(token)}Every symbol has "{token}" already.')
        if token not in known:
            hint = nearest(token, known)
            raise UnrenderError(f'{place(token)}The attribute "{token}" is not declared.{hint}')
        if token in found:
            raise UnrenderError(f'{place(token)}[{name}] has "{token}" already.')
        found[str(token)] = known[token]
    return Symbol(name, tuple(found.values()))


def _rule(
    i: int, heading: Heading, lines: Iterable[Line], places: dict[tuple[str | int, ...], Token]
) -> Rule:
    """Rule number `i`. Each line goes to the next part of its name, after the part of the line before."""
    names = [str(part) for part in heading.parts]  # tokens of different types are never equal
    constraints: list[dict[str, Expression]] = [{} for _ in names]
    places["rule", i] = heading.symbol
    places.update({("part", i, j): token for j, token in enumerate(heading.parts)})
    following = 0
    for line in lines:
        if line.part not in names[following:]:
            order = " ".join(f"[{name}]" for name in names)
            where = "here" if line.part in names else f"in the rule of [{heading.symbol}]"
            raise UnrenderError(
                f"{place(line.part)}There is no part [{line.part}] {where}; they are {order}."
            )
        j = names.index(line.part, following)
        following = j + 1
        for name, expression in line.constraints:
            if name in constraints[j]:
                raise UnrenderError(f'{place(name)}"{name}" of [{line.part}] is constrained twice.')
            constraints[j][str(name)] = expression
            places["constraint", i, j, str(name)] = name
    several = zip(names, constraints, heading.counts, strict=True)
    parts = tuple(Part(name, given, counts) for name, given, counts in several)
    kind, label = heading.kind, heading.label
    at = label or kind or heading.symbol
    return located(
        at, Rule, str(heading.symbol), parts, str(kind or RuleKind.CONFIGURATION), str(label or "")
    )


def write(grammar: Grammar) -> str:
    """The text form of a grammar; its terminals are not part of it."""
    owners = [symbol for symbol in grammar.declared if symbol.attributes and not symbol.terminal]
    lines = [f"axiom [{grammar.axiom}]"] if grammar.axiom is not None else []
    for attribute in dict.fromkeys(a for owner in owners for a in owner.attributes):
        lines.append(_write_attribute(attribute))
    for owner in owners:
        lines.append(f"[{owner.name}] has " + ", ".join(write_name(a.name) for a in owner.attributes))
    for rule in grammar.rules:
        lines += ["", str(rule), *_write_parts(rule)]
    return "\n".join(lines).lstrip("\n") + "\n"


def _write_attribute(attribute: Attribute) -> str:
    low, high, period, default = attribute.low, attribute.high, attribute.period, attribute.default
    text = f"attribute {write_name(attribute.name)}: {attribute.role}"
    if (low, high) != ((0, 1) if period is None else (-period / 2, period / 2)):
        text += f" {write_number(low)}..{write_number(high)}"
    if period is not None:
        text += f" period {write_number(period)}"
    return text + (f" default {write_number(default)}" if default != 0 else "")


def _write_parts(rule: Rule) -> list[str]:
    """A part without constraints is left out, unless a later one of its name would take its place."""
    lines: list[str] = []
    later: set[str] = set()
    for part in reversed(rule.parts):
        if part.constraints:
            later.add(part.symbol)
        if part.symbol in later:
            constraints = (f"{write_name(name)} = {value}" for name, value in part.constraints.items())
            lines.append(f"    [{part.symbol}] {', '.join(constraints)}".rstrip())
    return lines[::-1]
