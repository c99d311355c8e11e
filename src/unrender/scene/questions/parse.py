"""English questions: read by the grammar and answered, or refused with the nearest one that has an answer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from difflib import SequenceMatcher
from typing import Any

from lark import Token
from lark.exceptions import UnexpectedInput, VisitError

from unrender.errors import UnrenderError
from unrender.scene.graph import Scene
from unrender.scene.questions.agreement import agreed
from unrender.scene.questions.answer import Answer
from unrender.scene.questions.execute import Run
from unrender.scene.questions.phrases import Phrases
from unrender.scene.questions.program import Count, CountIs, CountsCompare, Mean, Program, Sum, Values
from unrender.scene.questions.questions import Questions
from unrender.scene.questions.sentences import english
from unrender.scene.questions.vocabulary import UnknownWordError, Vocabulary

_EXAMPLES = (
    "how many {many} are there",
    "how many {many} are {adjective}",
    "are there any {adjective} {many}",
    "is the {one} {adjective}",
    "are all {many} {adjective}",
    "what colour is the {one}",
    "where is the {one}",
    "which of the {many} is the largest",
    "what is left of the {one}",
    "what is near the {one}",
    "is the {one} larger than the {other}",
    "which is larger the {one} or the {other}",
    "is the {one} left of the {other}",
    "are there more {many} than {others}",
    "how far is the {one} from the {other}",
    "how many parts does the {one} have",
    "what is the {one} made of",
)
_UNHEEDED = {  # what needs no rule of the grammar
    "question": ("TOTAL", "TOGETHER"), "edit": ("TOTAL", "TOGETHER", "WHOLE"),
}  # fmt: skip
_ADDED = (Count, CountIs, Sum, Mean, Values, CountsCompare)  # programs that take things together
_TRIED = 12  # examples, the nearest first


def answer(scene: Scene, question: str, known: Iterable[str] = ()) -> Answer:
    """The answer to an English question about a scene."""
    vocabulary = Vocabulary(scene, known)
    try:
        asked, *otherwise = programs(vocabulary, question)
        return agreed(scene, asked, otherwise)
    except UnknownWordError as error:
        if not error.hint and (near := _nearest(scene, vocabulary, question)):
            raise UnrenderError(f'{str(error)[:-1]}; I can answer "{near}?".') from None
        raise
    except UnexpectedInput as error:
        near = _nearest(scene, vocabulary, question)
        example = f'; I can answer "{near}?"' if near else ""
        raise UnrenderError(f"{misread(error, vocabulary.tokens(question), 'question')}{example}.") from None


def program(vocabulary: Vocabulary, question: str) -> Program:
    """What a question most likely means; a lark `UnexpectedInput` if the grammar has no such sentence."""
    return programs(vocabulary, question)[0]


def programs(vocabulary: Vocabulary, question: str) -> list[Program]:
    """All that a question may mean, the most likely first."""
    types = {token.type for token in vocabulary.tokens(question)}
    found: list[Program] = meanings(vocabulary, question, "question", Questions)
    if types & {"TOTAL", "TOGETHER"} and not all(isinstance(own, _ADDED) for own in found):
        raise UnrenderError(
            "I can tell how many they are together, or their total width, and no more of them together."
        )
    total = "TOTAL" in types
    if not found:
        raise UnrenderError('Ask something, like "how many circles are red?".')
    return [replace(own, parts_too=True) if total and isinstance(own, Count) else own for own in found]


def meanings(vocabulary: Vocabulary, sentence: str, start: str, reader: type[Phrases]) -> list[Any]:
    """All that a sentence may mean, the most likely first, by what "one" stands for; none without words."""
    tokens, *otherwise = (
        [token for token in own if token.type not in _UNHEEDED[start]]
        for own in vocabulary.readings(sentence)
    )
    if not tokens:
        return []
    found = [read(tokens, start, reader(vocabulary))]
    for own in otherwise:
        try:
            found.append(read(own, start, reader(vocabulary)))
        except (UnexpectedInput, UnrenderError):
            continue  # what has no meaning is not meant
    return found


def read(tokens: list[Token], start: str, reader: Phrases) -> Any:
    """The most likely meaning of a sentence."""
    try:
        return reader.transform(english(start).parse(tokens))
    except VisitError as error:
        raise error.orig_exc from None


def misread(error: UnexpectedInput, tokens: list[Token], what: str) -> str:
    """At which word a sentence was not understood any more."""
    at = getattr(getattr(error, "token", None), "start_pos", None)
    if at is None or at >= len(tokens):
        return f'I do not understand how the {what} ends, after "{tokens[-1]}"'
    return f'I do not understand "{tokens[at]}" at this place of the {what}'


def _nearest(scene: Scene, vocabulary: Vocabulary, question: str) -> str:
    """The question most like one that was not understood among those that have an answer; "" for none."""
    words = question.lower().split()
    ways = sorted(
        dict.fromkeys(_examples(vocabulary, question)),
        key=lambda way: -SequenceMatcher(None, words, way.split(), autojunk=False).ratio(),
    )
    for way in ways[:_TRIED]:
        try:
            Run(scene).answer(program(vocabulary, way))
        except (UnrenderError, UnexpectedInput):
            continue
        return way
    return ""


def _examples(vocabulary: Vocabulary, question: str) -> Iterator[str]:
    """Questions about what was named, or about what is there."""
    tokens = vocabulary.tokens(question, skip=True)
    symbols = [
        vocabulary.noun(vocabulary.meaning(token)) for token in tokens if token.type in ("NOUN", "NOUNS")
    ]
    looks = [str(token) for token in tokens if token.type in ("COLOUR_NAME", "ATTRIBUTE")]
    for symbol in list(dict.fromkeys(symbols or vocabulary.present))[:2]:
        for other in [own for own in vocabulary.present if own != symbol][:2] or [symbol]:
            for adjective in (looks or ["red"])[:2]:
                names = {"one": vocabulary.single(symbol), "many": vocabulary.noun(symbol, many=True)}
                names |= {"other": vocabulary.single(other), "others": vocabulary.noun(other, many=True)}
                yield from (way.format(**names, adjective=adjective) for way in _EXAMPLES)
