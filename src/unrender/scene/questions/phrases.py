"""The phrases of a sentence that stand for objects: nouns, and what stands around them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeGuard

from lark import Token

from unrender.errors import UnrenderError
from unrender.scene.questions import filters as keep
from unrender.scene.questions.filters import Filter, Phrase, Things, said
from unrender.scene.questions.predicates import EXTREMES, Amount, Children, Predicates, chain, first, shared


@dataclass(frozen=True)
class Owner:
    """Of what something is a part."""

    phrase: Phrase


@dataclass(frozen=True)
class Noun:
    """A noun."""

    kind: keep.Kind
    many: bool


def _joined(own: Filter) -> TypeGuard[keep.Either]:
    return isinstance(own, keep.Either) and own.both


def _definite(own: Filter) -> Filter:
    """What an adjective means where a single object has it: the large one is the largest."""
    if isinstance(own, keep.Place):
        return replace(own, most=True)
    return keep.Extreme(own.extreme) if isinstance(own, keep.Vague) else own


def _the(things: Things, number: int | None = None) -> Phrase:
    if things.many and number is not None:  # the two largest circles
        filters = (
            replace(own, count=number) if isinstance(own, keep.Extreme) else own for own in things.filters
        )
        things = replace(things, filters=tuple(filters))
    if things.many:
        return Phrase(things, "all", number)
    if any(isinstance(own, (keep.Extreme, keep.Nearest, keep.Nth)) for own in things.filters):
        return Phrase(things, "one")  # the largest circle on the left: not the leftmost of the largest
    return Phrase(replace(things, filters=tuple(map(_definite, things.filters))), "one")


def _excepting(phrases: Children) -> Children:
    """What "and" joins to an exception is one, too: "everything except the ship and the car"."""
    found: Children = []
    for own in phrases:
        before = found[-1].things if found else Things()
        if not any(isinstance(one, keep.But) for one in before.filters):
            found.append(own)
            continue
        among, kinds = (
            [one.symbol for one in things.filters if isinstance(one, keep.Kind)]
            for things in (before, own.things)
        )
        if not {None, *kinds} & {*among}:
            told = f"It is not clear whether the {own.things.text} is left out or meant, too"
            raise UnrenderError(f"{told}; say it in two sentences.")
        found[-1] = replace(found[-1], things=before.but(keep.But(own)))
    return found


class Phrases(Predicates):
    """Makes phrases of the branches of a parse-tree; each method is called as its rule in english.lark."""

    def noun(self, of: Children) -> Noun:
        own = of[0]
        open_word = own.type in ("NOUN", "NOUNS")
        symbol = self._vocabulary.meaning(own) if open_word else None
        shape = symbol is not None and self._vocabulary.is_shape(symbol)
        return Noun(keep.Kind(symbol, str(own), shape), many=own.type[-1] == "S")

    # Sets of objects

    def group(self, of: Children) -> tuple[Things, ...]:
        return tuple(own for own in of if isinstance(own, Things))

    def owner(self, of: Children) -> Owner:
        return Owner(of[0])

    def core(self, of: Children) -> Children:
        return of

    trailing = core

    def things(self, of: Children) -> Things:
        """Adjectives, a noun and what follows it."""
        flat = [own for child in of for own in (child if isinstance(child, list) else [child])]
        at = next(i for i, own in enumerate(flat) if isinstance(own, Noun))
        noun, before, after = flat[at], chain(flat[:at]), flat[at + 1 :]
        if not noun.many:  # the red and white ship is both
            before = chain(shared(chain(own.of)) if _joined(own) else (own,) for own in before)
        owner = first(Owner, after)
        text = " ".join([*map(said, before), noun.kind.text])
        return Things(
            (noun.kind, *before, *chain(after)), owner.phrase if owner else None, text=text, many=noun.many
        )

    def anything(self, of: Children) -> Things:
        """ "anything red"."""
        return self.things([Noun(keep.Kind(None, str(of[0])), False), *of[1:]])

    def hosting(self, of: Children) -> keep.Filters:
        """ "with a square inside it"."""
        *_, what, word, _ = of
        amount = first(Amount, of) or Amount("at least", 1)
        things = what if isinstance(what, Things) else self.things([what])
        return (keep.Hosts(things, word, amount.sign, amount.number),)

    def out_of(self, of: Children) -> Things:
        """ "largest of the circles"."""
        *before, phrase = of
        things: Things = phrase.things
        return replace(things.but(*chain(before)), many=False)

    def nearest_things(self, of: Children) -> Things:
        """ "nearest circle to the ship"."""
        *before, word, noun, phrase = of
        return self.things([*before, noun, (keep.Nearest(word, phrase),)])

    def ordinal_things(self, of: Children) -> Things:
        """ "second circle from the left"."""
        rank, side = first(int, of), of[-1]
        rest = [own for own in of[:-1] if own is not rank]
        return self.things([*rest, (keep.Extreme(EXTREMES[side], rank),)])

    # Phrases

    def the(self, of: Children) -> Phrase:
        return _the(of[-1], *of[:-1])

    def some(self, of: Children) -> Phrase:
        return Phrase(of[-1], "any")

    def every(self, of: Children) -> Phrase:
        return Phrase(of[-1], "all", *of[:-1])

    def both_of(self, of: Children) -> Phrase:
        """ "both ships", of which there must be two."""
        return Phrase(of[-1], "all", 2)

    def each(self, of: Children) -> Phrase:
        return Phrase(of[-1], "each")

    def bare(self, of: Children) -> Phrase:
        return Phrase(of[0], "bare")

    def owned(self, of: Children) -> Phrase:
        return _the(replace(of[1], parts_of=of[0]))

    def other(self, of: Children) -> Phrase:
        """ "the other ships" than the one that is compared with them."""
        return Phrase(of[0], "other")

    def everything(self, of: Children) -> Phrase:
        said_of = [own for own in of if not isinstance(own, Token)]
        return Phrase(self.things([Noun(keep.Kind(None, "things"), True), *said_of]), "all")

    def pair(self, of: Children) -> Phrase:
        """ "the red and the blue ship", of which the first is a ship, too."""
        *before, things = of
        kinds = tuple(own for own in things.filters if isinstance(own, keep.Kind))
        text = " ".join([*map(said, chain(before)), *(own.text for own in kinds)])
        one = Things((*kinds, *chain(before)), things.parts_of, text=text, many=things.many)
        return Phrase(Things(joined=(_the(one), _the(things))), "all")

    def it(self, of: Children) -> Phrase:
        raise UnrenderError(f'I do not know what "{of[0]}" means here; name the object.')

    def plain_the(self, of: Children) -> Phrase:
        return self.the(self._counted(of))

    def plain_some(self, of: Children) -> Phrase:
        return self.some([self.things(of)])

    def plain_every(self, of: Children) -> Phrase:
        return self.every(self._counted(of))

    def plain_both(self, of: Children) -> Phrase:
        return self.both_of([self.things(of)])

    def plain_each(self, of: Children) -> Phrase:
        return self.each([self.things(of)])

    def _counted(self, of: Children) -> Children:
        """A number, where there is one, and the things after it."""
        numbers = [own for own in of[:1] if isinstance(own, int)]
        return [*numbers, self.things(of[len(numbers) :])]

    def subject(self, of: Children) -> Phrase:
        """What a sentence is about: of "circles" alone, all are meant."""
        of = _excepting(of)
        if len(of) > 1:
            return Phrase(Things(joined=tuple(of)), "all")
        phrase: Phrase = of[0]
        bare = phrase.quantity == "bare" and phrase.things.many
        return replace(phrase, quantity="all") if bare else phrase
