"""The phrases of a question: nouns, what stands before and after them, and what is said of them."""

from __future__ import annotations

from unrender.scene.asking import filters as keep
from unrender.scene.asking.filters import Filter, Phrase, Things
from unrender.scene.asking.reader import Reader
from unrender.scene.asking.vocabulary import PART, THING

_BEFORE_NOUNS = ("degree", "adjective", "superlative", "comparative", "most", "least", "and")


class Phrases(Reader):
    """Reads phrases."""

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
                late.append(keep.Extreme(token.value))
            elif token.kind in ("most", "least"):
                late.append(keep.Extreme(f"{token.kind} {self._take('adjective').value}"))
            elif token.kind == "degree":
                filters.append(keep.Looks(self._take("adjective").value, token.value))
            elif token.kind == "adjective":
                filters.append(keep.Looks(token.value))
        if late and self._next("of"):
            self._take("of")
            inner = self._phrase(with_relations)
            things = inner.things
            return Things((*things.filters, *filters, *late), things.parts_of, things.text), False
        if near := self._accept("nearest"):
            kind, _ = self._noun()
            self._take("to", "from")
            late.append(keep.Nearest(near.value, self._phrase()))
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

    def _noun(self) -> tuple[keep.Kind, bool]:
        token = self._take("noun")
        return keep.Kind(None if token.value in (THING, PART) else token.value, token.text), token.plural

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
                found.append(keep.Nearest(near.value, self._phrase()))
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
                filters[-1] = keep.Either((filters[-1], *more))
            else:
                filters += more
        return tuple(filters)

    def _one_predicate(self) -> tuple[Filter, ...]:
        if self._accept("not"):
            return tuple(keep.Not(own) for own in self._one_predicate())
        if self._next("relation"):
            return self._related()
        if token := self._accept("degree"):
            return (keep.Looks(self._take("adjective").value, token.value),)
        if token := self._accept("adjective"):
            return (keep.Looks(token.value),)
        if token := self._accept("comparative"):
            self._take("than")
            return (keep.Compared(token.value, self._phrase()),)
        if token := self._accept("more", "fewer"):
            word = f"{token.kind} {self._take('adjective').value}"
            self._take("than")
            return (keep.Compared(word, self._phrase()),)
        the = self._accept("the")
        if token := self._accept("nearest"):
            if self._next("noun"):
                self._take("noun")
            self._take("to", "from")
            return (keep.Nearest(token.value, self._phrase()),)
        if token := self._accept("superlative", "most", "least"):
            plain = token.kind == "superlative"
            most = keep.Extreme(token.value if plain else f"{token.kind} {self._take('adjective').value}")
            return (most, self._noun()[0]) if self._next("noun") else (most,)
        if the and self._accept("same"):
            what = self._take("property").value
            self._take("as")
            return (keep.Same(what, self._phrase()),)
        self._accept("a")
        return self._things().filters

    def _related(self) -> tuple[Filter, ...]:
        word = self._take("relation").value
        first = self._phrase()
        if word == "between" and first.quantity != "all":
            self._take("and")
            return (keep.Related(word, (first, self._phrase())),)
        return (keep.Related(word, (first,)),)
