"""The generative grammar G = (S, V, Σ, R, A, C): symbols, rules, and what they produce and draw."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from unrender.errors import UnrenderError, nearest
from unrender.grammar import pixels
from unrender.grammar.check import GrammarError, check, group, own
from unrender.grammar.production import Given, Production, produce
from unrender.grammar.rule import Assignment, Rule
from unrender.grammar.symbol import Symbol

if TYPE_CHECKING:
    from unrender.grammar.text import Sheet


@dataclass(frozen=True, init=False, repr=False)
class Grammar:
    """A value: two grammars are equal if they have the same symbols, rules in the same order, and axiom.

    `symbols` are by name; those of the non-terminals V have, besides their own attributes, all attributes
    of their parts. `rules` is R with the constraints C. `axiom` is S, or None if there are several tops.

    >>> from unrender import Grammar
    >>> grammar = Grammar.parse("[lamp] -> [circle] [square]")
    >>> grammar.axiom
    'lamp'
    >>> grammar.draw("lamp", {"red": 1.0}, canvas=(40, 30)).shape
    (30, 40, 3)
    >>> Grammar.parse(str(grammar)) == grammar
    True
    """

    symbols: Mapping[str, Symbol]
    rules: tuple[Rule, ...]
    axiom: str | None

    def __init__(
        self, symbols: Iterable[Symbol], rules: Iterable[Rule] = (), axiom: str | None = None
    ) -> None:
        """Check everything; without an `axiom`, the only symbol that is nobody's part becomes the axiom."""
        object.__setattr__(self, "rules", tuple(rules))
        object.__setattr__(self, "symbols", Assignment(check(symbols, self.rules)))
        if axiom is not None and axiom not in self.symbols:
            hint = nearest(axiom, self.symbols)
            raise GrammarError(f"The axiom [{axiom}] is not a symbol of the grammar.{hint}", "axiom")
        if axiom is None and len(self.axioms) == 1:
            axiom = self.axioms[0]
        object.__setattr__(self, "axiom", axiom)

    @classmethod
    def parse(cls, text: str, terminals: Mapping[str, Symbol] | None = None) -> Grammar:
        """Read the text form. `terminals` is Σ by name; None takes all registered primitives."""
        from unrender.grammar.text import read

        known = pixels.terminals() if terminals is None else terminals
        return cls._of(read(text, known).check_lengths())

    @classmethod
    def kept(cls, text: str) -> Grammar:
        """Read what a brain file holds; in those of earlier versions names may be longer than today."""
        from unrender.grammar.text import read

        return cls._of(read(text, pixels.terminals()))

    @classmethod
    def _of(cls, sheet: Sheet) -> Grammar:
        try:
            return cls(sheet.symbols, sheet.rules, sheet.axiom)
        except GrammarError as error:
            raise UnrenderError(sheet.place(error.where) + str(error)) from None

    @classmethod
    def load(cls, path: str | PathLike[str], terminals: Mapping[str, Symbol] | None = None) -> Grammar:
        """Read the text form from a UTF-8 file."""
        try:
            text = Path(path).read_text(encoding="utf-8-sig")
        except OSError as error:
            raise UnrenderError(f'Cannot read the grammar "{path}": {error.strerror or error}.') from None
        except ValueError:  # not UTF-8, or a path with a zero byte
            raise UnrenderError(f'Cannot read the grammar "{path}": it is not a UTF-8 text file.') from None
        try:
            return cls.parse(text, terminals)
        except UnrenderError as error:
            raise UnrenderError(f"{path}: {error}") from None

    @staticmethod
    def union(*grammars: Grammar, axiom: str = "dining-room") -> Grammar:
        """The higher-level grammar of "Connecting Capsules": a new axiom that produces the previous ones."""
        from unrender.grammar.union import union

        return union(grammars, axiom)

    @cached_property
    def axioms(self) -> tuple[str, ...]:
        """The tops: the non-terminals that are nobody's part, in the order of their rules."""
        parts = {part.symbol for rule in self.rules for part in rule.parts}
        return tuple(name for name in self._by_symbol if name not in parts)

    @cached_property
    def declared(self) -> tuple[Symbol, ...]:
        """The symbols without what their parts give them: what the constructor needs beside the rules."""
        return tuple(
            s if s.terminal else replace(s, attributes=own(self.symbols, self.rules_of(s.name), s))
            for s in self.symbols.values()
        )

    @cached_property
    def _by_symbol(self) -> dict[str, tuple[Rule, ...]]:
        return group(self.rules)

    def symbol(self, name: str) -> Symbol:
        """The symbol called `name`, or an error with the nearest names."""
        if name not in self.symbols:
            raise UnrenderError(f"There is no symbol [{name}].{nearest(str(name), self.symbols)}")
        return self.symbols[name]

    def rules_of(self, symbol: str) -> tuple[Rule, ...]:
        """The rules that produce `symbol`, in their order; none for a terminal."""
        return self._by_symbol.get(self.symbol(symbol).name, ())

    def produce(
        self, symbol: str, attributes: Mapping[str, Given], rules: Mapping[str, str | int] | None = None
    ) -> Production:
        """Apply rules and constraints from `symbol` down to the primitives: the parse-tree.

        `attributes` names attributes of the symbol; "position": (x, y) and "size": (w, h) are shorthands
        (px). What is missing has its default, but a symbol without any colour is white. `rules` chooses
        among the rules of a symbol by label or by number, counted from 1; otherwise the first is used.
        "count": of a symbol whose rule repeats a part, how often.
        """
        return produce(self, symbol, attributes, rules or {})

    def draw(
        self,
        symbol: str,
        attributes: Mapping[str, Given],
        canvas: tuple[int, int] | NDArray[np.uint8],
        rules: Mapping[str, str | int] | None = None,
        form: Sequence[float] = (),
    ) -> NDArray[np.uint8]:
        """Produce `symbol` and draw its primitives, back to front (Equation pixLayer). uint8 HxWx3.

        `canvas` is (width, height) for black ground, or a uint8 HxWx3 picture to draw on. The arguments
        are those of `produce`; a missing pose is the centre of the canvas and 0.8 of its smaller side, and a
        straight stroke may be told by its length and width. form: of a primitive that has one.
        """
        ground = pixels.draw((), canvas)
        height, width = ground.shape[:2]
        side = 0.8 * min(width, height)
        across = side if self.rules_of(symbol) else pixels.usual_height(symbol, side)
        pose = {"x": width / 2, "y": height / 2, "width": side, "height": across}
        given = pixels.measured(symbol, attributes)
        production = produce(self, symbol, given, rules or {}, pose)
        return pixels.draw([(leaf.symbol, leaf.attributes) for leaf in production.leaves()], ground, form)

    def __str__(self) -> str:
        from unrender.grammar.text import write

        return write(self)

    def __repr__(self) -> str:
        top = f"[{self.axiom}]" if self.axiom else "no axiom"
        return f"<Grammar {top}, {len(self.symbols)} symbols, {len(self.rules)} rules>"
