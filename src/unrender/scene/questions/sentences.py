"""The grammar of English as a parser, prepared once for each installation.

Lark reads the rules, multiplies them out and works out what each may begin with, which takes as long as
importing numpy. What it finds is kept beside the compiled loops, under a name that changes with the rules,
the words and the version of Lark; where nothing is kept or it cannot be read, it is found again.
"""

from __future__ import annotations

import os
import pickle
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import lark
from lark import Lark, Token, Tree
from lark.common import LexerConf
from lark.exceptions import UnexpectedInput
from lark.grammar import NonTerminal, Rule
from lark.lexer import Lexer
from lark.parse_tree_builder import ParseTreeBuilder
from lark.parsers import earley

from unrender.primitives.kept import digest, folder, write
from unrender.scene.questions.vocabulary import OPEN, closed_words

_MADE_ANEW = ("lexer_conf", "parser_conf", "callbacks")  # of a parser: they hold what cannot be written


class _Tokens(Lexer):
    """Hands on tokens that were made already."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self._tokens = tokens

    def lex(self, expected: object) -> Iterator[Token]:  # type: ignore[override]
        return iter(self._tokens)


@dataclass(frozen=True)
class Sentences:
    """All sentences of one kind."""

    start: str
    rules: list[Rule]
    parser: earley.Parser

    def parse(self, tokens: Sequence[Token]) -> Tree[Token]:
        """The phrases of a sentence; a lark `UnexpectedInput` if there is no such sentence."""
        brief = copy(self.parser)
        brief.predictions = self._possible({token.type for token in tokens})
        tree: Tree[Token]
        if NonTerminal(self.start) in brief.predictions:
            with suppress(UnexpectedInput):
                tree = brief.parse(_Tokens(tokens), self.start)
                return tree
        tree = self.parser.parse(_Tokens(tokens), self.start)  # only all rules tell at which word it ends
        return tree

    def _possible(self, terminals: set[str]) -> dict[NonTerminal, list[Rule]]:
        """The rules that may begin each phrase, without those that need a terminal that is not among these:
        what is left reads a sentence of these terminals as all would, in a fraction of the time."""
        left = [rule for rule in self.rules if self._needed[id(rule)][0] <= terminals]
        count = -1
        while count != len(left):
            count, known = len(left), {rule.origin.name for rule in left}
            left = [rule for rule in left if self._needed[id(rule)][1] <= known]
        alive = {id(rule) for rule in left}
        return {
            origin: [rule for rule in begin if id(rule) in alive]
            for origin, begin in self.parser.predictions.items()
            if origin.name in known
        }

    @cached_property
    def _needed(self) -> dict[int, tuple[set[str], set[str]]]:
        """The names of the terminals and of the phrases in each rule, by its id."""

        def names(rule: Rule, terminal: bool) -> set[str]:
            return {part.name for part in rule.expansion if part.is_term == terminal}

        return {id(rule): (names(rule, True), names(rule, False)) for rule in self.rules}


@lru_cache
def english(start: str = "question") -> Sentences:
    """The grammar of a "question" or an "edit"."""
    rules = files(__package__).joinpath("english.lark").read_text("utf-8")
    text = f"{rules}\n%declare {' '.join(dict.fromkeys([*closed_words().values(), *OPEN]))}"
    kept = folder()
    made_by = (lark.__version__, sys.version_info[:2])
    path = kept and kept / f"english-{start}-{digest(repr((made_by, text)))}.grammar"
    return (path and _loaded(path, start)) or _prepared(path, start, text)


def _prepared(path: Path | None, start: str, text: str) -> Sentences:
    """What Lark makes of the rules, kept at `path`."""
    made = Lark(text, parser="earley", lexer=_Tokens, start=start)
    parser = made.parser.parser
    told = {name: value for name, value in vars(parser).items() if name not in _MADE_ANEW}
    if path:
        with suppress(OSError):
            write(path, pickle.dumps((made.rules, told)))
    return Sentences(start, made.rules, parser)


def _loaded(path: Path, start: str) -> Sentences | None:
    """What was kept; None if nothing was, or nothing that can be read."""
    try:
        with path.open("rb") as file:
            rules, told = pickle.load(file)
        os.utime(path)  # what is not used for long is deleted
        parser: Any = object.__new__(earley.Parser)
        vars(parser).update(told)
        parser.callbacks = ParseTreeBuilder(rules, Tree, maybe_placeholders=True).create_callback()
        parser.lexer_conf = LexerConf([], re)
        return Sentences(start, rules, parser)
    except Exception:  # not there, half written, or of another Lark
        return None
