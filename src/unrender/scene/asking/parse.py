"""English questions as programs."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from unrender.scene.asking import program as ask
from unrender.scene.asking.filters import Filter, Phrase, Same, Things
from unrender.scene.asking.phrases import Phrases
from unrender.scene.asking.program import Program


class Parser(Phrases):
    """Reads one question, and tries another kind of question where one does not fit."""

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
            found = self._attempt(partial(self._whole, way))
            if found is not None:
                return found
        raise self._error()

    def _whole(self, way: Callable[[], Program]) -> Program:
        return self._end(way())

    def _count(self) -> Program:
        self._take("how many")
        self._accept("of")
        things = self._things()
        if self._accept("do"):
            owner = self._phrase()
            self._take("have")
            return ask.Count(Things(things.filters, owner, things.text))
        if self._accept("is") and not self._accept("there") and self._more():
            return ask.Count(_with(things, self._predicate()))
        if self._more():
            return ask.Count(_with(things, self._modifiers()))
        return ask.Count(things)

    def _there(self) -> Program:
        self._take("is")
        self._take("there")
        if sign := self._accept("more", "fewer"):
            things = self._things()
            self._take("than")
            return ask.CountsCompare(things, sign.kind, self._things())
        if self._accept("as many"):
            things = self._things()
            self._take("as")
            return ask.CountsCompare(things, "as many", self._things())
        sign = self._accept("at least", "at most", "more than", "fewer than", "exactly")
        if sign or self._next("number"):
            number = int(self._take("number").value)
            return ask.CountIs(self._things(), sign.kind if sign else "exactly", number)
        if self._accept("no"):
            return ask.CountIs(self._things(), "exactly", 0)
        self._accept("a", "the")
        return ask.CountIs(self._things(), "at least", 1)

    def _test(self, with_relations: bool) -> Program:
        self._take("is")
        subject = self._phrase(with_relations)
        return ask.Check(subject, self._predicate())

    def _having(self) -> Program:
        self._take("do")
        owner = self._phrase()
        if self._accept("and"):
            other = self._phrase()
            self._take("have")
            self._take("the")
            self._take("same")
            return ask.Check(owner, (Same(self._take("property").value, other),))
        self._take("have")
        self._accept("a")
        things = self._things()
        return ask.CountIs(Things(things.filters, owner, things.text), "at least", 1)

    def _property(self) -> Program:
        """What colour is it, how large is it, how damaged is it?"""
        asked = self._take("what", "how")
        word = self._take("property", "adjective")
        if asked.kind == "what" and word.kind == "adjective":
            raise self._stuck("property")
        verb = self._take("is", "do")
        if self._next("relation"):
            return ask.Property(Phrase(Things(self._predicate()), "any"), word.value)
        subject = self._phrase()
        if verb.kind == "do":
            self._take("have")
        return ask.Property(subject, word.value)

    def _property_of(self) -> Program:
        """What is the colour of it?"""
        self._take("what")
        self._take("is")
        self._accept("the")
        word = self._take("property", "adjective")
        self._take("of")
        return ask.Property(self._phrase(), word.value)

    def _choice(self) -> Program:
        """Which is larger, this or that?"""
        self._take("what")
        if self._next("noun"):
            self._take("noun")
        self._take("is")
        word = self._take("comparative").value
        one = self._phrase()
        self._take("or")
        return ask.Choice(word, one, self._phrase())

    def _distance(self) -> Program:
        self._take("how far")
        self._take("is")
        one = self._phrase(with_relations=False)
        self._take("from", "to")
        return ask.Distance(one, self._phrase())

    def _where(self) -> Program:
        self._take("where")
        self._take("is")
        return ask.Property(self._phrase(), "position")

    def _what_is(self) -> Program:
        """What is left of it; what is the largest thing?"""
        self._take("what")
        self._take("is")
        found = self._attempt(lambda: self._end(self._predicate()))
        if found is not None:
            return ask.Which(Things(found))
        self._accept("the", "a", "all")
        return ask.Which(self._things())

    def _which(self) -> Program:
        """Which circle is red; which parts does it have?"""
        self._take("what")
        things = self._things()
        if self._accept("do"):
            owner = self._phrase()
            self._take("have")
            return ask.Which(Things(things.filters, owner, things.text))
        self._take("is")
        return ask.Which(_with(things, self._predicate()))


def _with(things: Things, filters: tuple[Filter, ...]) -> Things:
    return Things((*things.filters, *filters), things.parts_of, things.text)
