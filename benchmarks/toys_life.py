"""Rows for `toys.py` about learning over time: what lessons store, what is asked, why, and the two timelines.

The truth about a picture is its drawing: which toy a shape belongs to is told by where it lies.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from lifelong import Amounts, decisions
from lifelong_worlds import drawn
from toys_world import GROUNDS, Toy, picture, scattered, toys, unknown

import unrender
from unrender import Brain, Observation, Question, Scene
from unrender.cli.story.tell import Plan, first, second
from unrender.cli.story.timeline import Sight
from unrender.primitives.registry import primitives
from unrender.worlds import Picture

SIDE = 190  # px of a scene
KINDS = 8  # of toys in one life
OFF = 3.0  # px: as far as a part of a toy may lie outside of its drawing
COLOUR = 0.15  # by which its colour may differ, in any channel


def unrelated(seed: int, count: int) -> tuple[int, int]:
    """How many lessons, one after the other to one brain, stored a part that is not in the drawing of what
    they were about; and how many lessons there were."""
    brain, rng, wrong = unrender.open(), np.random.default_rng(seed), 0
    for k in range(count):
        name = f"thing{chr(97 + k // 26)}{chr(97 + k % 26)}"
        toy = unknown(rng, name).placed((60, 60), 48 / 0.8)
        scene = brain.see(picture([toy], 120, GROUNDS[rng.integers(4)], rng, rng.uniform(0, 0.02)))
        route = brain.teach_object(scene, name).route
        wrong += not all(_drawn_in(part, toy) for part in route.memory[-1].parts)
    return wrong, count


def _drawn_in(part: Observation, toy: Toy) -> bool:
    """Whether a stored part is one of the shapes of a drawing, by its place and its colour."""
    looks = [part.attributes.get(name, -1.0) for name in ("red", "green", "blue")]
    return part.symbol in primitives() and any(
        bool((piece.points.min(0) - OFF < part.position).all())
        and bool((piece.points.max(0) + OFF > part.position).all())
        and bool((np.abs(np.subtract(piece.colour, looks)) < COLOUR).all())
        for piece in toy.pieces
    )


@dataclass
class Knower:
    """An oracle who knows the drawing: names the toy to which most of the parts in question belong, and skips
    what belongs to none, or is understood already."""

    there: Sequence[Toy] = ()
    named: set[str] = field(default_factory=set)

    def __call__(self, question: Question) -> unrender.Answer | None:
        owners = Counter(self.owner(leaf) for part in question.parts for leaf in part.primitives)
        owners.pop(None, None)
        if not owners:
            return None
        most = owners.most_common(1)[0][0]
        toy = self.there[most] if most is not None else None
        axioms = [own for own in question.scene.axioms if self.owner_of_all(own) == most]
        if toy is None or owners[most] < 2 or toy.name in [own.symbol for own in axioms]:
            return None
        self.named.add(toy.name)
        return unrender.Answer(toy.name, parts=axioms)

    def owner(self, leaf: Observation) -> int | None:
        """The number of the toy in whose circle a shape lies; circles of toys are apart."""
        away = [np.hypot(*(toy.centre - leaf.position)) / toy.reach for toy in self.there]
        return int(np.argmin(away)) if min(away) < 1 else None

    def owner_of_all(self, node: Observation) -> int | None:
        """That of all shapes of an axiom; None if they belong to several."""
        several = {self.owner(leaf) for leaf in node.primitives}
        return several.pop() if len(several) == 1 else None


def asked(seed: int, scenes: int, last: int) -> tuple[int, int, int]:
    """Questions in the last of so many scenes; how many kinds of toys were seen three times before, and how
    many of these were asked about."""
    rng, brain, oracle = np.random.default_rng(seed), unrender.open(), Knower()
    kinds = [toys()[k] for k in rng.permutation(13)[:KINDS]]
    seen: Counter[str] = Counter()
    questions = 0
    for number in range(scenes):
        some = [kinds[k] for k in rng.permutation(KINDS)[:2]]
        makes: list[Callable[[], Toy]] = [lambda toy=toy: toy.recoloured(rng, 0.05) for toy in some]  # type: ignore[misc]
        oracle.there, others = scattered(makes, rng, SIDE, int(rng.integers(0, 4)))
        image = picture([*others, *oracle.there], SIDE, GROUNDS[rng.integers(4)], rng, rng.uniform(0, 0.02))
        count = len(unrender.attend(brain, image, oracle).exchanges)
        if number >= scenes - last:
            questions += count
        else:
            seen.update(toy.name for toy in oracle.there)
    often = {name for name, count in seen.items() if count >= 3}
    return questions, len(often), len(often & oracle.named)


def causes(seed: int, answers: int, situations: int) -> tuple[float, float]:
    """How often the agent names the oracle's cause after so many answers, from an empty decision matrix and
    from the paper's; by pictures of the asteroid world, drawn by an independent rasteriser."""
    much, told = Amounts(answers=answers, situations=situations), []
    for n, decided in enumerate(decisions(seed, much)):
        if n >= answers:
            told.append(decided)
        if len(told) == situations:
            break
    empty, paper = ([said[start] == true for true, said in told] for start in ("empty", "paper"))
    return float(np.mean(empty)), float(np.mean(paper))


@dataclass(frozen=True)
class Redrawn(Sight):
    """The pictures of the story as an independent rasteriser draws them, with a little noise."""

    seed: int = 0

    def __call__(self, shown: Picture) -> Scene:
        key = shown.image.tobytes()
        if key not in self.seen:
            rng = np.random.default_rng([self.seed, len(self.seen)])
            self.seen[key] = Brain().see(drawn(shown.scene, rng))
        return self.seen[key]


def timelines(seed: int, quick: bool = False) -> tuple[int, int]:
    """Of the further scenes of each of the paper's two timelines, how many are understood at once."""
    sight = Redrawn(seed=seed)
    plan = Plan(1, 1, 1, 1, seed=seed) if quick else Plan(seed=seed)
    told = [tell(unrender.open(), sight, plan, lambda title, moment: None) for tell in (first, second)]
    one, other = (sum(moment.understood for moment in own.steps[-1].moments) for own in told)
    return one, other
