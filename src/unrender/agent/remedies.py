"""From an answer to a lesson: what is wrong with it, or which of the four remedies it asks for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from unrender.agent.causes import Cause
from unrender.agent.question import Answer, Question
from unrender.agent.resemblance import Resemblance, nearest
from unrender.capsules.network import Network
from unrender.capsules.route import Route
from unrender.errors import UnrenderError
from unrender.learning.objects.attribute import learn_attribute
from unrender.learning.objects.example import check_parts
from unrender.learning.objects.lesson import learn
from unrender.learning.objects.names import POSE_WORDS, check_adjective, check_noun
from unrender.names import composed
from unrender.primitives.registry import primitives
from unrender.scene import Observation

YES = "yes"


@dataclass(frozen=True)
class Resolved:
    """An answer in full: what the oracle means by it."""

    cause: Cause
    name: str
    parts: list[Observation]
    value: float | None = None
    node: Observation | None = None  # B: the object as it was nearly seen

    @property
    def symbol(self) -> str:
        """The object that it is about."""
        return self.name if self.node is None else self.node.symbol


@dataclass(frozen=True)
class Remedy:
    """The network after an answer, and what changed in it."""

    network: Network
    route: Route
    told: str  # one sentence


def resolve(network: Network, question: Question, answer: Answer) -> Resolved:
    """What an answer means, or one sentence about what is wrong with it."""
    name = composed(answer.name).strip() if isinstance(answer.name, str) else ""
    if not name:
        raise UnrenderError("An answer needs a word: give a name, or skip the question.")
    if name.lower() == YES and question.cause is Cause.LACKING_ROUTE and question.resembles:
        name = question.resembles  # "Is this also a robot?"
    parts = question.parts if answer.parts is None else check_parts(question.scene, answer.parts)
    cause = _cause(network, question, answer, name, parts)
    if cause.about_parts:
        _check_noun(network, cause, name, answer)
        return Resolved(cause, name, list(parts))
    symbol = composed(answer.symbol) or question.resembles
    node = _object(network, question, parts, symbol)
    _check_adjective(network, cause, name, node.symbol)
    if name in POSE_WORDS and answer.value is not None:
        raise UnrenderError(f"The {name} of parts has no value that could be told; leave it out.")
    return Resolved(cause, name, list(parts), answer.value, node)


def _cause(
    network: Network, question: Question, answer: Answer, name: str, parts: Sequence[Observation]
) -> Cause:
    """The cause that the answer names, or the one that its word shows it to be.

    A new word for parts that were corrected is a noun where no object that they resemble has just these.
    """
    if answer.cause is not None:
        return Cause.of(answer.cause)
    if name in network.capsules:
        return Cause.LACKING_ROUTE
    if name in POSE_WORDS:
        return Cause.LACKING_DATA
    capsule = network.capsules.get(composed(answer.symbol) or question.resembles or "")
    if capsule is not None and name in capsule.names:
        return Cause.LACKING_DATA
    if answer.value is not None or answer.symbol is not None:
        return Cause.MISSING_ATTRIBUTE
    other = answer.parts is not None and _complete(network, question, parts, question.resembles) is None
    return Cause.MISSING_CAPSULE if question.cause.about_parts or other else Cause.MISSING_ATTRIBUTE


def _check_noun(network: Network, cause: Cause, name: str, answer: Answer) -> None:
    check_noun(network, name)
    if answer.value is not None:
        raise UnrenderError(f"An object has no value; leave it out, or answer B.2 to teach {name!r}.")
    if composed(answer.symbol) not in (None, name):
        raise UnrenderError(f"The parts cannot be both [{name}] and [{answer.symbol}]; name one of them.")
    if cause is Cause.LACKING_ROUTE and name not in network.capsules:
        raise UnrenderError(f"[{name}] is not known yet, so it cannot get a route; answer A.2 to teach it.")
    if cause is Cause.MISSING_CAPSULE and name in network.capsules:
        raise UnrenderError(f"[{name}] is known already; answer A.1 to give it a new route.")


def _object(
    network: Network, question: Question, parts: Sequence[Observation], symbol: str | None
) -> Observation:
    """The object, nearly seen in the parts, that an attribute is taught of."""
    if symbol is None:
        raise UnrenderError("Nothing known resembles these parts, so they have no attribute; name an object.")
    if symbol in primitives():
        raise UnrenderError(f"A {symbol} is a primitive, whose attributes are fixed; name another object.")
    network.capsule(symbol)
    near = _complete(network, question, parts, symbol)
    if near is None:
        raise UnrenderError(f"No route of [{symbol}] has exactly these parts; answer A.1 to give it one.")
    return near.whole


def _complete(
    network: Network, question: Question, parts: Sequence[Observation], symbol: str | None
) -> Resemblance | None:
    """How an object of this symbol would be seen in exactly these parts; None if no route has them."""
    near = question.near
    same = near is not None and {id(part) for part in near.whole.parts} == {id(part) for part in parts}
    if near is None or not (same and near.complete) or near.route.symbol != symbol:
        near = nearest(network, parts, symbol)
    return near if near is not None and near.complete else None


def _check_adjective(network: Network, cause: Cause, name: str, symbol: str) -> None:
    known = name in network.capsules[symbol].names or name in POSE_WORDS
    if name not in POSE_WORDS:
        check_adjective(network, name)
    if cause is Cause.LACKING_DATA and not known:
        raise UnrenderError(f'[{symbol}] has no attribute "{name}" yet; answer B.2 to teach it.')
    if cause is Cause.MISSING_ATTRIBUTE and known:
        raise UnrenderError(f'[{symbol}] has the attribute "{name}" already; answer B.1 to show more of it.')


def remedy(network: Network, question: Question, meant: Resolved) -> Remedy:
    """Learn from an answer: a route (A.1), a capsule (A.2), more data (B.1) or a new attribute (B.2)."""
    scene = question.scene
    if meant.node is None:
        taught = learn(network, scene, meant.name, meant.parts)
        name = taught.route.name
        if meant.cause is Cause.MISSING_CAPSULE:
            told = f"I now know a new object, {meant.name}."
        elif not taught.changed:
            told = f"I know this {meant.name} already, as {name}."
        elif taught.before is not None:
            told = f"I now know one more example of {name}."
        else:
            told = f"I now know {meant.name} in another form, {name}."
        return Remedy(taught.network, taught.route, told + taught.without)
    if meant.name in POSE_WORDS:
        taught = learn(network, scene, meant.symbol, meant.node.parts, meant.node.route)
        told = f"I now know that the parts of {meant.symbol} are not always in one place."
        return Remedy(taught.network, taught.route, told)
    learned = learn_attribute(network, scene, meant.node, meant.name, meant.value)
    if learned.new:
        told = f"I now know that {meant.symbol} can be {meant.name}."
    else:
        told = f"I now know more of how {meant.name} {meant.symbol} can be; this one is {learned.value:.2f}."
    return Remedy(learned.network, learned.route, told)
