"""Lessons: what each thing that a brain may be told changes in what it knows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from unrender.errors import UnrenderError
from unrender.knowledge import VERB, Change, Lesson
from unrender.scene import Observation, Scene

if TYPE_CHECKING:
    from unrender.agent.agent_state import Mind, Record
    from unrender.agent.question import Answer, Question
    from unrender.capsules.network import Network
    from unrender.capsules.route import Route
    from unrender.film.film import Film
    from unrender.film.track import Track
    from unrender.film.verbs.verb import Verb
    from unrender.grammar import Grammar

MAY_BE = {"stretch": "stretched"}  # how an attribute that is allowed is said


def taught(
    scene: Scene, name: str, parts: Sequence[Observation] | None, route: str | None, regime: str | None
) -> Lesson:
    """Parts make up an object."""
    from unrender.learning.objects.lesson import learn

    def lesson(network: Network, mind: Mind) -> Change:
        learned = learn(network, scene, name, parts, route, regime)
        title = f"{learned.route.symbol} from {_listed(part.symbol for part in learned.parts)}"
        if learned.guesses:
            title += f", seen of {_listed(learned.guesses)}"
        made = _made(network, learned.network, learned.route.name)
        return Change("teach", title, learned.network, made, outcome=learned, new=learned.changed)

    return lesson


def attribute_taught(scene: Scene, obs: Observation, name: str, value: float | None) -> Lesson:
    """An object has an attribute."""
    from unrender.learning.objects.attribute import learn_attribute

    def lesson(network: Network, mind: Mind) -> Change:
        learned = learn_attribute(network, scene, obs, name, value)
        title = f"{name} of {obs.symbol}, {learned.value:.2f}"
        return Change("attribute", title, learned.network, [learned.route], outcome=learned)

    return lesson


def allowed(symbol: str, names: Sequence[str]) -> Lesson:
    """An object may come in variants of which there is no example."""
    from unrender.learning.objects.allow import allow

    def lesson(network: Network, mind: Mind) -> Change:
        after = allow(network, symbol, names)
        new = after.capsules[symbol].routes[0].allows != network.capsules[symbol].routes[0].allows
        title = f"{symbol} may be {_listed(MAY_BE.get(name, name) for name in names)}"
        return Change("allow", title, after, _made(network, after), new=new)

    return lesson


def verb_taught(film: Film, track: Track, name: str, start: int | None, end: int | None) -> Lesson:
    """An object does something in a film."""
    from unrender.film.verbs.naming import verb_of_clip
    from unrender.learning.objects.names import all_names, check_adjective

    def lesson(network: Network, mind: Mind) -> Change:
        word = check_adjective(network, name)
        if word in all_names(network):
            raise UnrenderError(
                f'"{word}" is an attribute already, so it cannot be a verb; choose another word.'
            )
        verb = verb_of_clip(film, track, word, network, start, end)
        again = "again and again" if verb.cyclic else "once"
        title = f"{word} of {verb.symbol}, {again}, {verb.seconds:.2f} s"
        change = Change("verb", title, network, [], outcome=verb)
        return replace(change, records=[(VERB, verb.key, verb.body)])

    return lesson


def grammar_taught(grammar: Grammar) -> Lesson:
    """Every rule of a grammar, its g given."""
    from unrender.learning.objects.lesson import learn_rules

    def lesson(network: Network, mind: Mind) -> Change:
        after, made = learn_rules(network, grammar)
        return Change("grammar", f"{_listed(route.name for route in made)} from a grammar", after, made)

    return lesson


def answered(question: Question, answer: Answer) -> Lesson:
    """A question was answered: the remedy of its cause, and what the decision matrix learns from it."""
    from unrender.agent.question_selection import Wonder
    from unrender.agent.remedies import remedy, resolve

    def lesson(network: Network, mind: Mind) -> Change:
        meant = resolve(network, question, answer)
        learned = remedy(network, question, meant)
        corrected = Wonder(network, mind.matrix).about(question.scene, meant.parts)
        after, records = mind.with_answer(question, meant, corrected.features)
        taken = learned.route.memory[-1].parts if meant.cause.about_parts else meant.parts
        title = f"{meant.cause.value}: {meant.name} from {_listed(part.symbol for part in taken)}"
        change = Change("answer", title, learned.network, _made(network, learned.network, learned.route.name))
        return replace(change, mind=after, records=records, told=learned.told)

    return lesson


def skipped(question: Question) -> Lesson:
    """A question was left without an answer."""

    def lesson(network: Network, mind: Mind) -> Change:
        after, records = mind.with_skip(question)
        return replace(Change("skip", "a question skipped", network, []), mind=after, records=records)

    return lesson


def forgotten(name: str, verbs: Sequence[Verb] = ()) -> Lesson:
    """A symbol is unlearned, with its verbs; or a verb, of all symbols."""
    from unrender.learning.objects.rename import without_symbol

    def lesson(network: Network, mind: Mind) -> Change:
        gone: list[Record] = [(VERB, verb.key, None) for verb in verbs if name in (verb.symbol, verb.name)]
        if name not in network.capsules and gone:
            return replace(Change("forget", f"{name} forgotten", network, []), records=gone)
        after, (thinking, records) = without_symbol(network, name), mind.with_symbol(name, None)
        change = Change("forget", f"{name} forgotten", after, [], network.capsule(name).routes)
        return replace(change, mind=thinking, records=[*records, *gone])

    return lesson


def renamed(old: str, new: str, of: str | None, verbs: Sequence[Verb] = ()) -> Lesson:
    """A symbol, or an attribute or verb that was taught `of` one, has another name."""
    from unrender.learning.objects.attribute import renamed_attribute
    from unrender.learning.objects.rename import renamed

    def lesson(network: Network, mind: Mind) -> Change:
        adjectives = {name for capsule in network.capsules.values() for name in capsule.names}
        thinking = mind
        records: Sequence[Record] = ()
        gone: Sequence[Route] = ()
        own = [verb for verb in verbs if verb.name == old and of in (None, verb.symbol)]
        if own and old not in network.capsules and old not in adjectives:
            return _renamed_verbs(network, own, old, new)
        if of is not None or (old in adjectives and old not in network.capsules):
            after = renamed_attribute(network, old, new, of)
        else:
            after, gone = renamed(network, old, new), network.capsule(old).routes
            thinking, records = mind.with_symbol(old, new)
            records = [*records, *_moved([verb for verb in verbs if verb.symbol == old], symbol=new)]
        change = Change("rename", f"{old} is now called {new}", after, _made(network, after), gone)
        return replace(change, mind=thinking, records=records)

    return lesson


def _renamed_verbs(network: Network, verbs: Sequence[Verb], old: str, new: str) -> Change:
    from unrender.learning.objects.names import check_adjective

    change = Change("rename", f"{old} is now called {new}", network, [])
    return replace(change, records=_moved(verbs, name=check_adjective(network, new)))


def _moved(verbs: Sequence[Verb], **names: str) -> list[Record]:
    """The records of verbs that have another name, or are of a symbol that has."""
    found: list[Record] = [(VERB, verb.key, None) for verb in verbs]
    for verb in verbs:
        other = replace(verb, **names)  # type: ignore[arg-type]
        found.append((VERB, other.key, other.body))
    return found


def _made(before: Network, after: Network, first: str | None = None) -> list[Route]:
    """The routes that are new or changed, the one that a lesson is about before the others."""
    known = {route.name: route for route in before.routes}
    made = [route for route in after.routes if known.get(route.name) is not route]
    return sorted(made, key=lambda route: route.name != first)


def _listed(names: Iterable[str]) -> str:
    """ "a, b and c"."""
    *most, last = list(names) or [""]
    return f"{', '.join(most)} and {last}" if most else last
