"""Further rows for `toys.py`: number, mirror and proportion, parts of one colour, neighbours, time."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.random import Generator
from toys_world import GROUNDS, Toy, car, flower, lesson, locomotive, picture, toys, train, unknown

import unrender
from unrender import Brain, Observation

SIDE = 160  # px of a picture with one toy
TAUGHT_LENGTHS = (1.0, 1.3)


def shown(brain: Brain, toy: Toy, rng: Generator, mirrored: bool = False) -> list[Observation]:
    """What is named in a picture of one toy, turned at random."""
    there = toy.placed((SIDE / 2, SIDE / 2), 0.42 * SIDE / toy.reach, rng.uniform(-180, 180), mirrored)
    scene = brain.see(picture([there], SIDE, GROUNDS[rng.integers(4)], rng, rng.uniform(0, 0.02)))
    return [axiom for axiom in scene.axioms if axiom.parts]


def counting(seed: int, petals: Sequence[int], wagons: Sequence[int]) -> tuple[int, int]:
    """How many flowers and trains are found with their count, after two counts of each; and of how many."""
    brain, rng = unrender.open(), np.random.default_rng(seed)
    for toy in (flower(5), flower(7), train(2), train(3)):
        brain.teach(brain.see(lesson(toy)), toy.name)
    right = 0
    for count, toy in [(n, flower(n)) for n in petals] + [(n, train(n)) for n in wagons]:
        right += [(own.symbol, own.count) for own in shown(brain, toy, rng)] == [(toy.name, count)]
    return right, len(petals) + len(wagons)


def proportions(seed: int, lengths: Sequence[float], images: int) -> tuple[int, int]:
    """How many cars of other lengths and locomotives, half of them mirrored, are found and told as such,
    after two examples of each; and of how many."""
    brain, rng = unrender.open(), np.random.default_rng(seed)
    for longer in TAUGHT_LENGTHS:
        brain.teach(brain.see(lesson(car(longer))), "car")
    for over in (False, True):
        toy = locomotive()
        there = toy.placed((60, 60), 48 / toy.reach, 0.0, over)
        brain.teach(brain.see(picture([there], 120, GROUNDS[0])), "locomotive")
    right = 0
    for longer in lengths:
        found = shown(brain, car(longer), rng)
        right += [own.symbol for own in found] == ["car"] and abs(
            found[0].attributes.get("stretch", 0.0) - longer
        ) < 0.05
    for k in range(images):
        found = shown(brain, locomotive(), rng, mirrored=bool(k % 2))
        named = [(own.symbol, own.attributes.get("mirrored")) for own in found]
        right += named == [("locomotive", float(k % 2))]
    return right, len(lengths) + images


def one_colour(brain: Brain, seed: int, count: int) -> tuple[int, int]:
    """How many toys are found with two parts, and then with all, in one colour; and of how many. The brain
    knows them in other colours. A face all in one colour is a disc, and not asked about."""
    rng, right = np.random.default_rng(seed), 0
    known = [toy for toy in toys() if toy.name != "face"]
    for k in range(2 * count):
        toy = known[rng.integers(len(known))]
        body = max(range(len(toy.pieces)), key=lambda i: np.ptp(toy.pieces[i].points, axis=0).prod())
        other = rng.choice([i for i in range(len(toy.pieces)) if i != body])
        pieces = [
            replace(piece, colour=toy.pieces[body].colour) if k >= count or i == other else piece
            for i, piece in enumerate(toy.pieces)
        ]
        found = shown(brain, replace(toy, pieces=tuple(pieces)), rng)
        right += toy.name in [own.symbol for own in found]
    return right, 2 * count


def neighbours(seed: int, count: int) -> tuple[int, int]:
    """Of the questions about two unknown objects side by side, how many join both; and of how many."""
    rng, joined, asked = np.random.default_rng(seed), 0, 0
    for _ in range(count):
        two = [unknown(rng).placed((0.0, 0.0), rng.uniform(26, 40) / 0.7) for _ in range(2)]
        widths = [np.ptp([*toy.corners], axis=0)[0] for toy in two]
        gap, left = rng.uniform(2, 10), 12.0
        placed = []
        for toy, width in zip(two, widths, strict=True):
            placed.append(toy.placed((left + width / 2, SIDE / 2), 1.0))
            left += width + gap
        scene = unrender.open().see(picture(placed, max(SIDE, int(left) + 12), GROUNDS[0], rng, 0.005))
        if scene.question is not None:
            middle = (placed[0].corners[1][0] + placed[1].corners[0][0]) / 2
            sides = {part.position[0] < middle for part in scene.question.parts}
            asked, joined = asked + 1, joined + (len(sides) > 1)
    return joined, asked


def seconds(few: Brain, many: Brain, seed: int, count: int) -> tuple[float, float]:
    """CPU seconds of one more lesson, and how many times as long a picture takes if many are known."""
    rng = np.random.default_rng(seed)
    known = toys()[:5]
    images = [
        picture([toy.placed((SIDE / 2, SIDE / 2), 60 / toy.reach, rng.uniform(-180, 180))], SIDE, GROUNDS[0])
        for toy in known
    ] * count
    spent = []
    for brain in (few, many):
        brain.see(images[0])
        start = time.process_time()
        for image in images:
            brain.see(image)
        spent.append(time.process_time() - start)
    scenes = [many.see(lesson(unknown(rng))) for _ in range(count)]
    start = time.process_time()
    for k, scene in enumerate(scenes):
        many.teach(scene, f"new{chr(97 + k)}")
    return (time.process_time() - start) / count, spent[1] / spent[0]
