"""The rows of `oneshot.py` that show pictures: lessons first, then every finder on the same pictures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from counting import mean, median
from oneshot_finders import Finder, Sight, Unrender
from oneshot_scenes import Lesson, Picture, lessons, pictures, shared_lesson_and_pictures
from oneshot_scoring import Finding, Score, score, total
from oneshot_table import lines
from report import Goal, Line

import unrender

SHARED_TURN = 6.0  # degrees: the shared pictures are drawn by hand


@dataclass(frozen=True)
class Task:
    """What a row is called, which objects count, and what must be reached."""

    title: str
    names: tuple[str, ...]
    goals: list[Goal[Score]]


def _f1(target: float) -> Goal[Score]:
    return Goal("F1", target, lambda s: s.f1, note=lambda s: f"P {s.precision:.3f} R {s.recall:.3f}")


TASKS = {
    "ship": Task(
        "ship taught once",
        ("ship",),
        [
            _f1(0.97),
            Goal("median centre error, px", 0.3, lambda s: median(s.centre), True),
            Goal("median rotation error, degrees", 0.5, lambda s: median(s.rotation), True),
            Goal("median size error, %", 1.0, lambda s: median(s.size), True),
        ],
    ),
    "hidden": Task(
        "one part hidden or missing",
        ("ship",),
        [
            Goal("recall", 0.9, lambda s: s.recall, note=lambda s: f"P {s.precision:.3f}"),
            Goal("hidden part named, share of those found", 0.9, lambda s: mean(s.named)),
        ],
    ),
    "styles": Task("other colours and line widths", ("ship",), [_f1(0.95)]),
    "levels": Task("ship of booster and shuttle", ("ship",), [_f1(0.95)]),
    "lookalikes": Task(
        "look-alikes",
        ("ship", "hook"),
        [Goal("taken for it, share of pictures", 0.02, lambda s: s.alarmed / s.pictures, True)],
    ),
    "asteroids": Task("asteroid, five routes", ("asteroid",), [_f1(0.95)]),
    "shared": Task(
        "shared pictures, Ascene0 taught",
        ("ship",),
        [
            Goal(
                f"found with all parts and turn within {SHARED_TURN:g} degrees, share",
                1.0,
                lambda s: sum(map(_right, s.complete, s.rotation)) / s.true,
                note=lambda s: f"errors of turn {', '.join(f'{turn:.1f}' for turn in s.rotation)}",
            )
        ],
    ),
}


def _right(complete: bool, turn: float) -> bool:
    return complete and turn <= SHARED_TURN


@dataclass(frozen=True)
class Record:
    """One picture and what a finder made of it."""

    picture: Picture
    sight: Sight
    score: Score


@dataclass
class Result:
    """Every picture of a row, by finder."""

    name: str
    records: dict[str, list[Record]] = field(default_factory=dict)
    untaught: list[str] = field(default_factory=list)  # lessons that were refused, and why

    def scores(self) -> dict[str, Score]:
        return {name: total([record.score for record in records]) for name, records in self.records.items()}

    def lines(self) -> list[Line]:
        return lines(TASKS[self.name].title, TASKS[self.name].goals, self.scores())


def run(
    name: str, seed: int, count: int, finders: Mapping[str, Callable[[], Finder]], shared: Path
) -> Result:
    """Teach every finder and show it the pictures of a row."""
    task, result = TASKS[name], Result(name)
    if name == "shared":
        first, shown = shared_lesson_and_pictures(shared)
        taught = [first]
    else:
        taught, shown = lessons(name, seed), list(pictures(name, seed, count))
    pupils = {finder: new() for finder, new in finders.items()}
    for pupil in pupils.values():
        result.untaught += _teach(pupil, taught, task)
    result.records = {finder: [] for finder in finders}
    for picture in shown:  # one after the other on each, so that other work on the machine slows all of them
        for finder, pupil in pupils.items():
            sight = pupil.find(picture.image)
            found = [guess for guess in sight.found if guess.name in task.names]
            kept = Sight(found, sight.seconds, sight.redrawn)
            result.records[finder].append(Record(picture, kept, _scored(finder, picture, found, sight)))
    return result


def _teach(pupil: Finder, taught: list[Lesson], task: Task) -> list[str]:
    """All lessons; to those who cannot build an object from objects, only what is asked for."""
    refused = []
    for lesson in taught:
        if not isinstance(pupil, Unrender) and lesson.name not in task.names:
            continue
        try:
            pupil.teach(lesson)
        except unrender.UnrenderError as error:
            refused.append(f'"{lesson.name}" could not be taught: {error}')
    return refused


def _scored(finder: str, picture: Picture, found: list[Finding], sight: Sight) -> Score:
    """The score of one picture; who knows no parts is not asked for them."""
    result = score(picture, found, sight.seconds)
    if finder not in ("unrender", "new"):
        result.named = []
        result.complete = [True] * len(result.complete)
    return result
