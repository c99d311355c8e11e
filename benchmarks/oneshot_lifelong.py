"""A row of `oneshot.py` about remembering: many lessons in turn."""

from __future__ import annotations

import numpy as np
from objects import random_objects
from oneshot_finders import Unrender
from oneshot_scenes import compose, lesson
from oneshot_scoring import Score, score
from report import Line


def lifelong_lines(seed: int, count: int, shown: int) -> list[Line]:
    """Random objects taught in turn; each tested right after its lesson, and again at the end.

    Everything that is found counts, whatever its name: objects that are mixed up are false alarms too.
    """
    objects = random_objects(count, np.random.default_rng([seed, 9]))
    rngs = [np.random.default_rng([seed, 9, i]) for i in range(count)]
    tests = [[compose(rng, [b], loose=3) for _ in range(shown)] for b, rng in zip(objects, rngs, strict=True)]
    pupil, after, finally_ = Unrender(), Score(), Score()
    for blueprint, pictures in zip(objects, tests, strict=True):
        pupil.teach(lesson(blueprint, seed))
        for picture in pictures:
            sight = pupil.find(picture.image)
            after += score(picture, sight.found, sight.seconds)
    for picture in (picture for pictures in tests for picture in pictures):
        sight = pupil.find(picture.image)
        finally_ += score(picture, sight.found, sight.seconds)
    lost = 100 * (after.f1 - finally_.f1)
    text = f"{lost:.2f} (F1 {after.f1:.3f} after each lesson, {finally_.f1:.3f} at the end)"
    return [Line(f"lifelong ({count} objects)", "points of F1 lost ≤ 1", text, lost <= 1)]
