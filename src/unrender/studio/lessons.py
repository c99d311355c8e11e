"""What a person teaches at the desk: answers, skipped questions, words for how things look."""

from __future__ import annotations

import time
from collections import Counter

from unrender.agent.question import Answer, Question
from unrender.scene import Scene
from unrender.scene.words import counted, listed
from unrender.studio.desk import Desk, Told
from unrender.studio.picture import Key, Picture, find


def answer(desk: Desk, picture: Picture, keys: list[Key], given: Answer) -> Told:
    """Learn from an answer about these parts; the picture is then understood anew."""
    start, before = time.perf_counter(), picture.seen()
    question = _question(desk, picture, keys)
    sentence = desk.brain.answer(question, given)
    seconds = time.perf_counter() - start
    return Told(sentence, _settled(desk, picture, question, before), seconds)


def skip(desk: Desk, picture: Picture, keys: list[Key]) -> Told:
    """These parts do not belong together."""
    start, before = time.perf_counter(), picture.seen()
    question = _question(desk, picture, keys)
    desk.brain.skip(question)
    seconds = time.perf_counter() - start
    return Told(
        "Skipped: I shall not ask about such parts again.", _settled(desk, picture, question, before), seconds
    )


def teach_word(desk: Desk, picture: Picture, key: Key, word: str, value: float) -> Told:
    """Learn what a word says about how an object looks."""
    start, before = time.perf_counter(), picture.seen()
    scene = desk.brain.see_again(picture.untouched())
    (node,) = find(scene, [key])
    learned = desk.brain.teach_attribute(scene, node, word, value)
    seconds = time.perf_counter() - start
    known = "can be" if learned.new else "can be more or less"
    desk.learned(picture)
    return Told(f"I now know that {node.symbol} {known} {word}.", difference(before, picture.seen()), seconds)


def _question(desk: Desk, picture: Picture, keys: list[Key]) -> Question:
    """The question about these parts, of a scene that is the brain's latest."""
    scene = desk.brain.see_again(picture.untouched())
    return desk.brain.ask_about(scene, find(scene, keys))


def _settled(desk: Desk, picture: Picture, question: Question, before: Scene) -> str:
    picture.seen().settled |= question.scene.settled
    desk.learned(picture)
    return difference(before, picture.seen())


def difference(before: Scene, after: Scene) -> str:
    """What the tops of the trees have become: "5 shapes became 1 ship"."""
    then, now = Counter(o.symbol for o in before.axioms), Counter(o.symbol for o in after.axioms)
    gone, come = then - now, now - then
    if not gone and not come:
        return "This picture is understood as before."
    if not gone or not come:
        return f"This picture now shows {_tally(now)}."
    return f"In this picture {_tally(gone)} became {_tally(come)}."


def _tally(counts: Counter[str]) -> str:
    return listed([counted(count, symbol) for symbol, count in counts.items()])
