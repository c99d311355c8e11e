"""What a person teaches at the desk: answers, skipped questions, words for how things look."""

from __future__ import annotations

import time
from collections import Counter

from unrender.agent.question import Answer, Question
from unrender.errors import UnrenderError
from unrender.scene import Scene
from unrender.scene.language.words import counted, listed, participle
from unrender.studio.desk.desk import Desk, Told
from unrender.studio.desk.picture import Key, Moment, Picture, find


def answer(desk: Desk, picture: Picture, keys: list[Key], given: Answer) -> Told:
    """Learn from an answer about these parts; the picture is then understood anew."""
    start, before, moments = time.perf_counter(), picture.seen(), desk.moments()
    question = _question(desk, picture, keys)
    sentence = desk.brain.answer(question, given)
    seconds = time.perf_counter() - start
    _settle(desk, picture, question, moments)
    return Told(sentence, difference(before, picture.seen()), seconds)


def skip(desk: Desk, picture: Picture, keys: list[Key]) -> Told:
    """These parts do not belong together."""
    start, before, moments = time.perf_counter(), picture.seen(), desk.moments()
    question = _question(desk, picture, keys)
    desk.brain.skip(question)
    seconds = time.perf_counter() - start
    _settle(desk, picture, question, moments)
    told = "Skipped: I shall not ask about such parts again."
    return Told(told, difference(before, picture.seen()), seconds)


def teach_word(desk: Desk, picture: Picture, key: Key, word: str, value: float) -> Told:
    """Learn what a word says about how an object looks."""
    start, before, moments = time.perf_counter(), picture.seen(), desk.moments()
    scene = desk.brain.see_again(picture.untouched())
    (node,) = find(scene, [key])
    learned = desk.brain.teach_attribute(scene, node, word, value)
    seconds = time.perf_counter() - start
    known = "can be" if learned.new else "can be more or less"
    desk.taught(picture, moments)
    return Told(f"I now know that {node.symbol} {known} {word}.", difference(before, picture.seen()), seconds)


def _question(desk: Desk, picture: Picture, keys: list[Key]) -> Question:
    """The question about these parts, of a scene that is the brain's latest."""
    scene = desk.brain.see_again(picture.untouched())
    return desk.brain.ask_about(scene, find(scene, keys))


def _settle(desk: Desk, picture: Picture, question: Question, moments: dict[Picture, Moment]) -> None:
    """The same parts are not asked about again, unless the lesson is taken back."""
    picture.seen().settled |= question.scene.settled
    desk.taught(picture, moments)


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


def teach_verb(desk: Desk, picture: Picture, track: int, name: str, start: int, end: int) -> Told:
    """Learn a verb from what a track of a film does between two frames; the film then names it."""
    film = picture.film
    found = None if film is None else next((own for own in film.seen.tracks if own.number == track), None)
    if film is None or found is None:
        raise UnrenderError("What was chosen is not in this film any more; choose again.")
    begin, moments = time.perf_counter(), desk.moments()
    verb = desk.brain.teach_verb(film.seen, found, name, start, end)
    seconds = time.perf_counter() - begin
    film.lesson = desk.lesson + 1  # the film knows it already
    film.changes += 1
    desk.taught(picture, moments)
    doing = participle(verb.name)
    times = sum(own.verb == verb.name for doings in film.seen.doings.values() for own in doings)
    here = f"It is found {counted(times, 'time')} in this film." if times > 1 else ""
    return Told(f"I now know what it looks like when a {verb.symbol} is {doing}.", here, seconds)


def skip_verb(desk: Desk, picture: Picture) -> Told:
    """Leave the question about a motion."""
    film = picture.film
    if film is not None and film.seen.question is not None:
        desk.brain.skip(film.seen.question)
        film.changes += 1
        picture.version += 1
    return Told("Skipped: I shall not ask about this motion again.")
