"""What happens in the two timelines of the paper's results."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice

from unrender.brain import Brain
from unrender.cli.story import scenes
from unrender.cli.story.script import PartsFirst, Script
from unrender.cli.story.timeline import Moment, Sight, Timeline
from unrender.worlds import Picture

Hear = Callable[[str, Moment], None]
"""hear(title, moment): told of every picture, as it happens."""


@dataclass(frozen=True)
class Plan:
    """How much is shown."""

    asteroids: int = 10  # beside the first two
    belts: int = 20  # at most
    streak: int = 8  # belts understood one after the other, after which no more are taught
    fresh: int = 8  # belts at the end that nothing is learned from
    seed: int = 0  # of all pictures


SHIP = (
    "A spaceship is shown",
    "Three primitives are all that is known. They are seen, five of them, and nothing holds them together: "
    "the network is incomplete, and the agent asks.",
)
ASTEROID = (
    "An asteroid",
    "Three circles. No capsule has three circles for its parts, so no route finds any agreement.",
)
ROUTE = (
    "Another asteroid",
    "This time a capsule exists that admits all three circles as its parts, but they stand differently, and "
    "it did not activate. To this oracle it is an asteroid all the same: the capsule gets another route.",
)
STYLE = (
    "Another asteroid, and a word for it",
    "The same three circles, which stand differently. This oracle has a word for how it looks: no other "
    "route, but a new attribute of the asteroid.",
)
BELT = (
    "A belt",
    "A ship and three asteroids. Each of them is understood, but they have no parent in common. A belt is a "
    "loose thing: every further arrangement widens what its route expects, until new ones agree with it.",
)
FRESH = (
    "Further scenes",
    "Arrangements that were never shown before. Nothing is taught any more: what is understood is one axiom, "
    "with the whole scene below it, and leaves nothing to ask.",
)


def first(brain: Brain, sight: Sight, plan: Plan, hear: Hear) -> Timeline:
    """One word for the ship; another form of the asteroid is another route."""
    text = "The oracle treats the five shapes as one spaceship, and what varies as routes."
    timeline = Timeline("One word for the ship", text, brain, Script(brain), sight)
    return _told(timeline, ROUTE, plan, hear)


def second(brain: Brain, sight: Sight, plan: Plan, hear: Hear) -> Timeline:
    """Booster and shuttle before the ship; another form of the asteroid is a style."""
    text = (
        "The oracle corrects what it is asked about: first a booster, then a shuttle, and a ship of these "
        "two. What varies gets a word."
    )
    timeline = Timeline("Booster and shuttle first", text, brain, PartsFirst(brain), sight)
    return _told(timeline, STYLE, plan, hear)


def _told(timeline: Timeline, other: tuple[str, str], plan: Plan, hear: Hear) -> Timeline:
    def show(pictures: Iterator[Picture], ask: bool = True) -> Moment:
        moment = timeline.show(next(pictures), ask)
        hear(timeline.steps[-1].title, moment)
        return moment

    timeline.begin(*SHIP)
    seed, further = 2 * plan.seed, 2 * plan.seed + 1
    ships = scenes.ships(seed)
    show(ships)
    show(ships)
    timeline.begin(*ASTEROID)
    show(scenes.asteroids(seed, form="asteroid/3"))
    timeline.begin(*other)
    show(scenes.asteroids(seed, form="asteroid/2"))
    for picture in islice(scenes.asteroids(further), plan.asteroids):
        show(iter([picture]))
    timeline.begin(*BELT)
    belts, streak = scenes.belts(seed), 0
    for _ in range(plan.belts):
        streak = streak + 1 if show(belts).understood else 0
        if streak == plan.streak:
            break
    timeline.begin(*FRESH)
    fresh = scenes.belts(further)
    for _ in range(plan.fresh):
        show(fresh, ask=False)
    return timeline
