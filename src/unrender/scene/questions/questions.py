"""English questions as programs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from lark import Token

from unrender.errors import UnrenderError
from unrender.scene.language.words import listed
from unrender.scene.questions import filters as keep
from unrender.scene.questions import program as ask
from unrender.scene.questions.filters import Phrase, Things
from unrender.scene.questions.phrases import Phrases
from unrender.scene.questions.predicates import DIMENSIONS, LENGTHS, Amount, Children, chain, first, meant
from unrender.scene.questions.program import Program

_ALL = Phrase(Things(), "all")


def _where_too(things: Things, others: Things) -> Things:
    """Things that are where others are: of "more squares than circles in the box", both are in the box."""
    where = [own for own in others.filters if isinstance(own, keep.Related | keep.Place | keep.PartOf)]
    if any(type(own) in map(type, where) for own in things.filters) or things.parts_of:
        return things
    return replace(things.but(*where), parts_of=others.parts_of)


def _among(own: keep.Filter) -> bool:
    """Whether an object passes a filter or not by what else there is to choose from, or by what it is."""
    return isinstance(
        own, keep.Extreme | keep.Nearest | keep.MostParts | keep.Alike | keep.Mutual | keep.Kind
    )


def _loosely(own: keep.Filter) -> keep.Filter:
    """A relation as it is taken where yes or no is asked: what is above and far to the right is above."""
    match own:
        case keep.Related():
            return replace(own, loosely=True)
        case keep.Not(of):
            return keep.Not(tuple(map(_loosely, of)))
    return own


def _unworded(own: keep.Filter) -> keep.Filter:
    """The same whether it was said of one or of several."""
    return replace(own, text="") if isinstance(own, keep.Kind) else own


class Questions(Phrases):
    """Makes a program of the parse-tree of a question; each method is called as its rule in english.lark."""

    def question(self, of: Children) -> Program:
        program: Program = of[0]
        return program

    # Yes or no

    def exists(self, of: Children) -> Program:
        amount, things = first(Amount, of) or Amount("at least", 1), of[-1]
        alike = [own.name for own in things.filters if isinstance(own, keep.Alike)]
        if alike:  # two boxes with the same colour
            rest = tuple(own for own in things.filters if not isinstance(own, keep.Alike))
            return ask.AnyAlike(replace(things, filters=rest), tuple(alike), max(2, amount.number))
        return ask.CountIs(things, amount.sign, amount.number)

    def all_are(self, of: Children) -> Program:
        return ask.Check(_ALL, (keep.Either(tuple(things.filters for things in of[-1])),))

    def compare_counts(self, of: Children) -> Program:
        sign, things, others = of
        things = _where_too(things, others)
        return ask.CountsCompare(things, "as many" if isinstance(sign, Token) else sign, others)

    def compare_parts(self, of: Children) -> Program:
        """ "does the car have more wheels than the house has windows"."""
        owners = [own for own in of if isinstance(own, Phrase)]
        one, other = (
            replace(things, parts_of=owner)
            for things, owner in zip((own for own in of if isinstance(own, Things)), owners, strict=True)
        )
        return ask.CountsCompare(one, next((own for own in of if own in ("more", "fewer")), "as many"), other)

    def more_of(self, of: Children) -> Program:
        things, others = (own for own in of if isinstance(own, Things))
        return ask.MoreOf(things, others)

    def same_counts(self, of: Children) -> Program:
        return ask.CountsCompare(of[0], "as many", of[1])

    def compare_numbers(self, of: Children) -> Program:
        """Is the number of circles larger than that of squares, or than three?"""
        things, word, term = of
        signs = {"larger": "more", "higher": "more", "smaller": "fewer", "lower": "fewer"}
        if word not in signs:
            raise UnrenderError(f'A number is larger or smaller than another, not "{word}".')
        if isinstance(term, ask.Count):
            return ask.CountsCompare(things, signs[word], term.things[0])
        return ask.CountIs(things, f"{signs[word]} than", term)

    def any_alike(self, of: Children) -> Program:
        return ask.AnyAlike(of[-2], tuple(of[-1]), first(int, of) or 2)

    def check(self, of: Children) -> Program:
        subject, filters = (own for own in of if not isinstance(own, Token))
        filters = tuple(map(_loosely, filters))
        single = subject.quantity == "any" or (subject.quantity == "bare" and not subject.things.many)
        if single and not subject.things.joined and not any(map(_among, filters)):
            return ask.CountIs(subject.things.but(*filters), "at least", 1)  # is anything red: is there such
        return ask.Check(
            subject, filters, denied=any(isinstance(own, Token) and own.type == "NOT" for own in of)
        )

    def counted(self, of: Children) -> tuple[Things, Amount]:
        *amount, what = of
        if isinstance(what, list):  # nothing
            what = self.everything([what])
        return what.things if isinstance(what, Phrase) else what, self.amount(amount)

    def check_count(self, of: Children) -> Program:
        (things, amount), filters = of
        alike = [own.name for own in filters if isinstance(own, keep.Alike)]
        if alike:  # are two of the circles the same size
            if amount.sign not in ("so many", "at least") or len(alike) < len(filters):
                raise UnrenderError("Ask whether any two of them are the same.")
            return ask.AnyAlike(things, tuple(alike), max(2, amount.number))
        return ask.CountIs(things.but(*filters), amount.sign, amount.number)

    def check_but(self, of: Children) -> Program:
        """ "is anything blue besides the windows?"."""
        subject, filters, gone = of
        return ask.Check(replace(subject, things=subject.things.but(keep.But(gone))), filters)

    def half_of(self, of: Children) -> str:
        return (
            of[0]
            if isinstance(of[0], str) and not isinstance(of[0], Token)
            else ("more than" if of[0].type == "MOST" else "exactly")
        )

    def check_share(self, of: Children) -> Program:
        """ "are more than half of the circles red?"."""
        sign, subject, filters = of
        return ask.Share(subject, filters, sign)

    def share(self, of: Children) -> Program:
        return ask.Share(of[1], of[2], str(of[0].type).lower())

    def average(self, of: Children) -> Program:
        return ask.Mean(of[1], of[0], total=False)

    def summed(self, of: Children) -> Program:
        return ask.Mean(of[1], of[0], total=True)

    def how_much(self, of: Children) -> Program:
        """ "how much taller is the house than the tree?"."""
        one, other = (own for own in of if isinstance(own, Phrase))
        word = next(own for own in of if isinstance(own, str))
        return ask.HowMuch(word, one, other)

    def how_different(self, of: Children) -> Program:
        """ "the difference in height between the house and the tree"."""
        name, _, one, other = of
        words = {own: word for word, (own, sign) in LENGTHS.items() if sign > 0}
        if name not in words:
            raise UnrenderError(f"I know the difference in {listed(list(words))}, not in {name}.")
        return ask.HowMuch(words[name], one, other)

    def commonest(self, of: Children) -> Program:
        return ask.Values(_ALL, of[0], "most")

    def background(self, of: Children) -> Program:
        return ask.Background()

    def how_to(self, of: Children) -> Program:
        return ask.HowTo(*of)

    def only_these(self, of: Children) -> Program:
        return ask.OnlyThese(of[1], of[2])

    def nearer_to(self, of: Children) -> Program:
        one, word, *others = of
        return ask.Which(Things((keep.Nearest(word, one),), joined=tuple(others)))

    # Numbers

    def count(self, of: Children) -> Program:
        group, *said = of
        return ask.Count((group.but(*said[0]),) if said else group)

    def count_parts(self, of: Children) -> ask.Count:
        kinds, owner = of
        several = kinds if isinstance(kinds, tuple) else (kinds,)
        return ask.Count(tuple(Things(own.filters, owner, text=own.text) for own in several))

    def count_per(self, of: Children) -> Program:
        """ "how many wheels are there per car"."""
        return self.count_parts([of[0], Phrase(self.things(of[1:]), "each")])

    def corners(self, of: Children) -> Program:
        return ask.Property(of[-1], "corners")

    def count_copies(self, of: Children) -> ask.Copies:
        word, owner = of
        return ask.Copies(owner, str(word))

    def count_more(self, of: Children) -> Program:
        sign, *counts = of
        counts[0] = _where_too(*counts)
        one, other = (ask.Count((things,)) for things in (counts if sign == "more" else reversed(counts)))
        return ask.Sum(one, (("minus", other),))

    def parts_more(self, of: Children) -> Program:
        sign, things, *owners = of
        one, other = (
            self.count_parts([things, owner]) for owner in (owners if sign == "more" else reversed(owners))
        )
        return ask.Sum(one, (("minus", other),))

    def term(self, of: Children) -> ask.Count | int:
        return ask.Count((of[0],)) if isinstance(of[0], Things) else of[0]

    def sum(self, of: Children) -> Program:
        signs = map(meant, of[1::2])
        return ask.Sum(of[0], tuple(zip(signs, of[2::2], strict=True)))

    def difference(self, of: Children) -> Program:
        return ask.Sum(of[1], (("from", of[2]),))

    def total(self, of: Children) -> Program:
        program: Program = of[0]
        return program

    def left_over(self, of: Children) -> Program:
        return ask.Count((first(Things, of).but(keep.But(first(Phrase, of))),))

    def with_more(self, of: Children) -> Program:
        """ "if two more ships came, how many would there be"."""
        more, things, *asked = (own for own in of if not isinstance(own, Token))
        counted = first(Things, asked) or things
        if not set(map(_unworded, counted.filters)) <= set(map(_unworded, things.filters)):
            raise UnrenderError(f"I do not know whether more {things.text} are more {counted.text}.")
        return ask.Sum(ask.Count((counted,)), (("plus", more),))

    def distinct(self, of: Children) -> Program:
        name = of[0] if not isinstance(of[0], Token) else "colour"
        return ask.Values(first(Phrase, of) or _ALL, name, "count")

    # Objects

    def which(self, of: Children) -> Program:
        things, said, number = first(Things, of) or Things(), chain(of), first(int, of)
        if not things.many:  # which ship is on the left: one of them, the leftmost
            said = tuple(replace(own, most=True) if isinstance(own, keep.Place) else own for own in said)
        return ask.Which(things.but(*said), number=number)

    def which_near(self, of: Children) -> Program:
        """ "which planet is the moon nearer to?"."""
        things, one, word = of
        return ask.Which(things.but(keep.Nearest(word, one)))

    def which_bears(self, of: Children) -> Program:
        """ "on which table is the cup"."""
        upon, things, phrase = sorted(of, key=lambda own: [str, Things, Phrase].index(type(own)))
        return ask.Which(things.but(keep.Hosts(phrase, upon, "at least", 1)))

    def which_of(self, of: Children) -> Program:
        phrase: Phrase = of[0]
        if phrase.number is None:
            return ask.Which(phrase.things.but(*of[1]))
        return ask.Which(Things(of[1], joined=(phrase,)))  # which of the two: if there are two

    def which_parts(self, of: Children) -> Program:
        return ask.Which(Things(of[0].filters, of[1], text=of[0].text))

    def what(self, of: Children) -> Program:
        return ask.Which(Things(of[0]))

    def what_is(self, of: Children) -> Program:
        phrase: Phrase = of[0]
        return ask.Which(phrase.things, there=phrase.quantity == "one")

    def option(self, of: Children) -> Phrase:
        return of[0] if isinstance(of[0], Phrase) else Phrase(Things(chain(of)), "one")

    def choice(self, of: Children) -> Program:
        """Which is larger, this or that? Of "the red or the blue one" both are of the kind that was named."""
        things, options = first(Things, of) or Things(), [own for own in of if isinstance(own, Phrase)]
        kinds = [replace(own, things=own.things.but(*things.filters)) for own in options]
        return ask.Which(Things((*things.filters, *chain(of)), joined=tuple(kinds)))

    def parts(self, of: Children) -> Program:
        return ask.MadeOf(of[0])

    # Properties

    def property_of(self, of: Children) -> Program:
        name = next(own for own in of if isinstance(own, str))
        return ask.Property(first(Phrase, of), name)

    def property_of_those(self, of: Children) -> Program:
        return ask.Property(Phrase(Things(of[1]), "any"), of[0])

    def all_values(self, of: Children) -> Program:
        return ask.Values(_ALL, of[0], "all")

    def common(self, of: Children) -> Program:
        wanted, name = sorted(of, key=lambda own: own not in ("most", "least"))
        return ask.Values(_ALL, name, wanted)

    def how(self, of: Children) -> Program:
        what: Any = of[0]
        name = self._vocabulary.meaning(what) if isinstance(what, Token) else DIMENSIONS[what]
        return ask.Property(of[1], name)

    def how_turned(self, of: Children) -> Program:
        return ask.Property(of[0], "rotation")

    def where(self, of: Children) -> Program:
        return ask.Property(of[0], "position")

    def distance(self, of: Children) -> Program:
        phrases = [own for own in of if isinstance(own, Phrase)]
        return ask.Distance(phrases[0], phrases[1] if len(phrases) == 2 else None)
