"""English questions as programs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from unrender.errors import UnrenderError
from unrender.scene.asking.program import (
    Check,
    Choice,
    Compared,
    Count,
    CountIs,
    CountsCompare,
    Distance,
    Either,
    Extreme,
    Filter,
    Kind,
    Looks,
    Nearest,
    Not,
    Phrase,
    Program,
    Property,
    Related,
    Same,
    Things,
    Which,
)
from unrender.scene.asking.vocabulary import PART, THING, Token, Vocabulary

T = TypeVar("T")

_BEFORE_NOUNS = ("degree", "adjective", "superlative", "comparative", "most", "least", "and")
_EXAMPLES = {
    "noun": "a noun",
    "number": "a number",
    "relation": "a relation like left of",
    "adjective": "an adjective like red",
    "is": "is or are",
    "": "the end of the question",
}


class _StuckError(Exception):
    """Here it does not go on like this; another way may."""


class Parser:
    """Reads one question from left to right, and tries another way where one does not lead on."""

    def __init__(self, vocabulary: Vocabulary, question: str) -> None:
        self._vocabulary = vocabulary
        self._tokens = vocabulary.tokens(question)
        self._at = 0
        self._furthest = 0
        self._wanted: dict[str, None] = {}  # kinds that could have stood where it went on furthest

    def program(self) -> Program:
        """What the question means."""
        ways: list[Callable[[], Program]] = [
            self._count,
            self._there,
            lambda: self._test(with_relations=False),
            lambda: self._test(with_relations=True),
            self._having,
            self._property,
            self._property_of,
            self._choice,
            self._distance,
            self._where,
            self._what_is,
            self._which,
        ]
        for way in ways:
            found = self._attempt(lambda way=way: self._whole(way))  # type: ignore[misc]
            if found is not None:
                return found
        raise self._error()

    def _whole(self, way: Callable[[], Program]) -> Program:
        found = way()
        if self._at < len(self._tokens):
            raise self._stuck("")
        return found

    # questions

    def _count(self) -> Program:
        self._take("how many")
        self._accept("of")
        things = self._things()
        if self._accept("do"):
            owner = self._phrase()
            self._take("have")
            return Count(Things(things.filters, owner, things.text))
        if self._accept("is") and not self._accept("there") and self._more():
            return Count(_with(things, self._predicate()))
        if self._more():
            return Count(_with(things, self._modifiers()))
        return Count(things)

    def _there(self) -> Program:
        self._take("is")
        self._take("there")
        if sign := self._accept("more", "fewer"):
            things = self._things()
            self._take("than")
            return CountsCompare(things, sign.kind, self._things())
        if self._accept("as many"):
            things = self._things()
            self._take("as")
            return CountsCompare(things, "as many", self._things())
        sign = self._accept("at least", "at most", "more than", "fewer than", "exactly")
        if sign or self._next("number"):
            number = int(self._take("number").value)
            return CountIs(self._things(), sign.kind if sign else "exactly", number)
        if self._accept("no"):
            return CountIs(self._things(), "exactly", 0)
        self._accept("a", "the")
        return CountIs(self._things(), "at least", 1)

    def _test(self, with_relations: bool) -> Program:
        self._take("is")
        subject = self._phrase(with_relations)
        return Check(subject, self._predicate())

    def _having(self) -> Program:
        self._take("do")
        owner = self._phrase()
        if self._accept("and"):
            other = self._phrase()
            self._take("have")
            self._take("the")
            self._take("same")
            return Check(owner, (Same(self._take("property").value, other),))
        self._take("have")
        self._accept("a")
        things = self._things()
        return CountIs(Things(things.filters, owner, things.text), "at least", 1)

    def _property(self) -> Program:
        """What colour is it, how large is it, how damaged is it?"""
        asked = self._take("what", "how")
        word = self._take("property", "adjective")
        if asked.kind == "what" and word.kind == "adjective":
            raise self._stuck("property")
        verb = self._take("is", "do")
        if self._next("relation"):
            return Property(Phrase(Things(self._predicate()), "any"), word.value)
        subject = self._phrase()
        if verb.kind == "do":
            self._take("have")
        return Property(subject, word.value)

    def _property_of(self) -> Program:
        """What is the colour of it?"""
        self._take("what")
        self._take("is")
        self._accept("the")
        word = self._take("property", "adjective")
        self._take("of")
        return Property(self._phrase(), word.value)

    def _choice(self) -> Program:
        """Which is larger, this or that?"""
        self._take("what")
        if self._next("noun"):
            self._take("noun")
        self._take("is")
        word = self._take("comparative").value
        one = self._phrase()
        self._take("or")
        return Choice(word, one, self._phrase())

    def _distance(self) -> Program:
        self._take("how far")
        self._take("is")
        one = self._phrase(with_relations=False)
        self._take("from", "to")
        return Distance(one, self._phrase())

    def _where(self) -> Program:
        self._take("where")
        self._take("is")
        return Property(self._phrase(), "position")

    def _what_is(self) -> Program:
        """What is left of it; what is the largest thing?"""
        self._take("what")
        self._take("is")
        found = self._attempt(lambda: self._end(self._predicate()))
        if found is not None:
            return Which(Things(found))
        self._accept("the", "a", "all")
        return Which(self._things())

    def _which(self) -> Program:
        """Which circle is red; which parts does it have?"""
        self._take("what")
        things = self._things()
        if self._accept("do"):
            owner = self._phrase()
            self._take("have")
            return Which(Things(things.filters, owner, things.text))
        self._take("is")
        return Which(_with(things, self._predicate()))

    # parts of questions

    def _phrase(self, with_relations: bool = True) -> Phrase:
        """Things with an article."""
        article = self._accept("the", "a", "all")
        things, many = self._counted(with_relations)
        if article is None or article.kind == "a":
            return Phrase(things, "any")
        return Phrase(things, "all" if article.kind == "all" or many else "one")

    def _things(self) -> Things:
        self._accept("the")
        return self._counted(with_relations=True)[0]

    def _counted(self, with_relations: bool) -> tuple[Things, bool]:
        """Adjectives, a noun and what follows it; and whether it was a plural."""
        first = self._at
        filters: list[Filter] = []
        late: list[Filter] = []  # superlatives come last: "the largest red circle"
        while token := self._accept(*_BEFORE_NOUNS):
            if token.kind in ("superlative", "comparative"):
                late.append(Extreme(token.value))
            elif token.kind in ("most", "least"):
                late.append(Extreme(f"{token.kind} {self._take('adjective').value}"))
            elif token.kind == "degree":
                filters.append(Looks(self._take("adjective").value, token.value))
            elif token.kind == "adjective":
                filters.append(Looks(token.value))
        if late and self._next("of"):
            self._take("of")
            inner = self._phrase(with_relations)
            things = inner.things
            return Things((*things.filters, *filters, *late), things.parts_of, things.text), False
        if near := self._accept("nearest"):
            kind, _ = self._noun()
            self._take("to", "from")
            late.append(Nearest(near.value, self._phrase()))
            return Things((kind, *filters, *late), text=self._said(first)), False
        kind, many = self._noun()
        filters.insert(0, kind)
        text = self._said(first)
        owner = None
        if self._accept("of"):
            owner = self._phrase(with_relations)
        if with_relations:
            filters += self._modifiers()
        return Things((*filters, *late), owner, text), many

    def _noun(self) -> tuple[Kind, bool]:
        token = self._take("noun")
        return Kind(None if token.value in (THING, PART) else token.value, token.text), token.plural

    def _modifiers(self) -> tuple[Filter, ...]:
        """What follows a noun: relations, and "that is red"."""
        found: list[Filter] = []
        while True:
            if self._accept("that", "what"):
                self._take("is")
                found += self._predicate()
            elif self._next("relation"):
                found += self._related()
            elif near := self._accept("nearest"):
                self._take("to", "from")
                found.append(Nearest(near.value, self._phrase()))
            elif found and self._next("and") and self._after("relation", "that", "what"):
                self._take("and")
            else:
                return tuple(found)

    def _predicate(self) -> tuple[Filter, ...]:
        """What may follow "is"."""
        filters = list(self._one_predicate())
        while joined := self._accept("and", "or"):
            more = self._one_predicate()
            if joined.kind == "or":
                filters[-1] = Either((filters[-1], *more))
            else:
                filters += more
        return tuple(filters)

    def _one_predicate(self) -> tuple[Filter, ...]:
        if self._accept("not"):
            return tuple(Not(own) for own in self._one_predicate())
        if self._next("relation"):
            return self._related()
        if token := self._accept("degree"):
            return (Looks(self._take("adjective").value, token.value),)
        if token := self._accept("adjective"):
            return (Looks(token.value),)
        if token := self._accept("comparative"):
            self._take("than")
            return (Compared(token.value, self._phrase()),)
        if token := self._accept("more", "fewer"):
            word = f"{token.kind} {self._take('adjective').value}"
            self._take("than")
            return (Compared(word, self._phrase()),)
        the = self._accept("the")
        if token := self._accept("nearest"):
            if self._next("noun"):
                self._take("noun")
            self._take("to", "from")
            return (Nearest(token.value, self._phrase()),)
        if token := self._accept("superlative", "most", "least"):
            plain = token.kind == "superlative"
            most = Extreme(token.value if plain else f"{token.kind} {self._take('adjective').value}")
            return (most, self._noun()[0]) if self._next("noun") else (most,)
        if the and self._accept("same"):
            what = self._take("property").value
            self._take("as")
            return (Same(what, self._phrase()),)
        self._accept("a")
        return self._things().filters

    def _related(self) -> tuple[Filter, ...]:
        word = self._take("relation").value
        first = self._phrase()
        if word == "between" and first.quantity != "all":
            self._take("and")
            return (Related(word, (first, self._phrase())),)
        return (Related(word, (first,)),)

    # tokens

    def _more(self) -> bool:
        return self._at < len(self._tokens)

    def _next(self, *kinds: str) -> bool:
        if self._at < len(self._tokens) and self._tokens[self._at].kind in kinds:
            return True
        self._stuck(*kinds)
        return False

    def _after(self, *kinds: str) -> bool:
        return self._at + 1 < len(self._tokens) and self._tokens[self._at + 1].kind in kinds

    def _accept(self, *kinds: str) -> Token | None:
        return self._take(*kinds) if self._next(*kinds) else None

    def _take(self, *kinds: str) -> Token:
        if not self._next(*kinds):
            raise self._stuck(*kinds)
        self._at += 1
        return self._tokens[self._at - 1]

    def _end(self, found: T) -> T:
        if self._more():
            raise self._stuck("")
        return found

    def _said(self, first: int) -> str:
        return " ".join(token.text for token in self._tokens[first : self._at])

    def _attempt(self, way: Callable[[], T]) -> T | None:
        start = self._at
        try:
            return way()
        except _StuckError:
            self._at = start
            return None

    def _stuck(self, *kinds: str) -> _StuckError:
        """Remember what could have stood here, if nothing led further."""
        if self._at > self._furthest:
            self._furthest, self._wanted = self._at, {}
        if self._at == self._furthest:
            self._wanted |= dict.fromkeys(kinds)
        return _StuckError()

    def _error(self) -> UnrenderError:
        """Which word was not understood, and what it could have been."""
        if not self._tokens:
            return UnrenderError('Ask something, like "how many circles are red?".')
        wanted = [_EXAMPLES[kind] for kind in self._wanted if kind in _EXAMPLES]
        if "noun" in self._wanted:
            wanted[wanted.index("a noun")] = f"a noun ({', '.join(self._vocabulary.words('noun'))})"
        if self._furthest == 0:
            wanted = ["how many", "is there", "is the", "what", "which", "where", "how"]
        could = f" Here could stand {', or '.join(wanted)}." if wanted else ""
        if self._furthest >= len(self._tokens):
            last = self._tokens[-1].text
            return UnrenderError(f'I do not understand how the question ends, after "{last}".{could}')
        word = self._tokens[self._furthest].text
        return UnrenderError(f'I do not understand "{word}" at this place of the question.{could}')


def _with(things: Things, filters: tuple[Filter, ...]) -> Things:
    return Things((*things.filters, *filters), things.parts_of, things.text)
