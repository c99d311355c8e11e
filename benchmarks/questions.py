"""Questions about scenes: 200 from templates over 100 pictures of the asteroid world, answers known.

    python benchmarks/questions.py [--seed 0] [--scenes 100] [--each 2]

Every answer is worked out by `questions_truth`, which shares no code with the answering, then asked twice: of
the true graph, and of the graph that a brain sees in the picture, which an independent rasteriser has drawn.
That brain was taught each form of each object from a few pictures. A template asks only where a person could
tell: the largest is clearly the largest, what is left is all on the left.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from lifelong_worlds import drawn
from questions_truth import Generator, Picture, Thing, beside, largest, near, some
from report import Line, Table, parser, publish, run

import unrender
from unrender import Observation, Scene, UnrenderError
from unrender.brain import Brain
from unrender.worlds import Asteroids

Expected = bool | int | str | list[Observation]
Asked = tuple[str, Expected] | None
Template = Callable[[Picture, Generator], Asked]

WORLD = Asteroids(320, 320, ships=(1, 2), asteroids=(1, 3), stations=(0, 1), loose=(2, 5))
NOUNS = ("ship", "asteroid", "station", "circle", "square", "triangle")
DIRECTIONS = ("left of", "right of", "above", "below")
APART = 5.0  # px between centres: which of two is further left is clear
EXAMPLES = {"ship": (1, 1), "station": (1, 1), "asteroid": (4, 3)}  # pictures of each form, and forms
ABOUT = """Questions from templates about pictures of the asteroid world, drawn by an independent rasteriser,
with answers that are worked out without any code of the package; each asked of the true graph and of the
graph that a brain sees in the picture, which was taught every form of every object from a few pictures."""


@dataclass(frozen=True)
class Case:
    """One question about one picture."""

    template: str
    picture: Picture
    question: str
    expected: Expected

    def right(self, scene: Scene) -> bool:
        """Whether a graph of the scene gives the known answer."""
        try:
            value = scene.ask(self.question, known=NOUNS).value
        except UnrenderError:
            return False
        if isinstance(self.expected, list):
            return isinstance(value, list) and same_objects(value, self.expected)
        return type(value) is type(self.expected) and value == self.expected


def same_objects(found: list[Observation], true: list[Observation]) -> bool:
    """Whether two lists mean the same objects, in any order."""
    left = list(found)
    for node in true:
        alike = [own for own in left if own.symbol == node.symbol]
        best = min(alike, key=lambda own: math.dist(own.position, node.position), default=None)
        if best is None or math.dist(best.position, node.position) > 0.25 * min(node.size):
            return False
        left.remove(best)
    return not left


def single(picture: Picture, rng: Generator) -> Thing | None:
    """A thing that is the only one of its kind."""
    alone = [thing for thing in picture.things if len(picture.of_kind(thing.symbol)) == 1]
    return alone[rng.integers(len(alone))] if alone else None


def pick(rng: Generator, words: tuple[str, ...]) -> str:
    return words[rng.integers(len(words))]


def count(picture: Picture, rng: Generator) -> Asked:
    kind = pick(rng, NOUNS)
    return f"How many {kind}s are there?", len(picture.of_kind(kind))


def count_related(picture: Picture, rng: Generator) -> Asked:
    kind, word, other = pick(rng, NOUNS), pick(rng, DIRECTIONS), single(picture, rng)
    if other is None or other.symbol == kind:
        return None
    told = [beside(word, thing, other) for thing in picture.of_kind(kind)]
    return None if None in told else (f"How many {kind}s are {word} the {other.symbol}?", told.count(True))


def exists_near(picture: Picture, rng: Generator) -> Asked:
    kind, other = pick(rng, NOUNS), pick(rng, NOUNS)
    so = some(near(a, b) for a in picture.of_kind(kind) for b in picture.of_kind(other))
    return None if kind == other or so is None else (f"Is there {article(kind)} near {article(other)}?", so)


def article(noun: str) -> str:
    return f"an {noun}" if noun == "asteroid" else f"a {noun}"


def colour_of_largest(picture: Picture, rng: Generator) -> Asked:
    kind = pick(rng, NOUNS)
    thing = largest(picture.of_kind(kind))
    return None if thing is None else (f"What colour is the largest {kind}?", thing.colour)


def which_is_largest(picture: Picture, rng: Generator) -> Asked:
    thing = largest(picture.things)
    return None if thing is None else ("What kind of thing is the largest thing?", thing.symbol)


def which_related(picture: Picture, rng: Generator) -> Asked:
    word, other = pick(rng, DIRECTIONS), single(picture, rng)
    if other is None:
        return None
    told = {thing: beside(word, thing, other) for thing in picture.things if thing is not other}
    found = [thing.node for thing, so in told.items() if so]
    return None if None in told.values() else (f"Which things are {word} the {other.symbol}?", found)


def compare_sizes(picture: Picture, rng: Generator) -> Asked:
    one, other = single(picture, rng), single(picture, rng)
    if one is None or other is None or one is other or (larger := largest([one, other])) is None:
        return None
    return f"Is the {one.symbol} larger than the {other.symbol}?", larger is one


def compare_counts(picture: Picture, rng: Generator) -> Asked:
    kind, other = pick(rng, NOUNS), pick(rng, NOUNS)
    so = len(picture.of_kind(kind)) > len(picture.of_kind(other))
    return f"Are there more {kind}s than {other}s?", so


def placed(picture: Picture, rng: Generator) -> Asked:
    one, other, word = single(picture, rng), single(picture, rng), pick(rng, DIRECTIONS)
    if one is None or other is None or one is other or (so := beside(word, one, other)) is None:
        return None
    return f"Is the {one.symbol} {word} the {other.symbol}?", so


def count_coloured(picture: Picture, rng: Generator) -> Asked:
    colours = [thing.colour for thing in picture.things]
    colour = pick(rng, tuple(sorted(set(colours))))
    return f"How many things are {colour}?", colours.count(colour)


def leftmost(picture: Picture, rng: Generator) -> Asked:
    kind = pick(rng, NOUNS)
    order = sorted(picture.of_kind(kind), key=lambda thing: thing.centre[0])
    if not order or (len(order) > 1 and order[1].centre[0] - order[0].centre[0] < APART):
        return None
    return f"Which {kind} is the leftmost?", [order[0].node]


def parts(picture: Picture, rng: Generator) -> Asked:
    wholes = [own for own in picture.things if own.node.parts and len(picture.of_kind(own.symbol)) == 1]
    if not wholes:
        return None
    thing, kind = wholes[rng.integers(len(wholes))], pick(rng, NOUNS[3:])
    number = sum(part.symbol == kind for part in thing.node.parts)
    return f"How many {kind}s does the {thing.symbol} have?", number


TEMPLATES: tuple[Template, ...] = (
    *(count, count_related, exists_near, colour_of_largest, which_is_largest, which_related),
    *(compare_sizes, compare_counts, placed, count_coloured, leftmost, parts),
)


def cases(scenes: int, each: int, seed: int) -> Iterator[Case]:
    """Questions about generated scenes, every template as often as the others."""
    asked = 0
    for i in range(scenes):
        rng = np.random.default_rng([seed, i])
        picture = Picture.of(WORLD.sample(rng).scene, rng)
        left = each
        while left:
            template = TEMPLATES[asked % len(TEMPLATES)]
            made = template(picture, rng)
            asked += 1
            if made is not None:
                yield Case(template.__name__, picture, *made)
                left -= 1


def taught(seed: int, examples: Mapping[str, tuple[int, int]] = EXAMPLES) -> Brain:
    """A brain that has been shown every form of every object, alone, as often as `examples` says."""
    brain = unrender.open()
    for name, (often, forms) in examples.items():
        counts = dict.fromkeys(("ships", "stations", "asteroids", "loose"), (0, 0)) | {f"{name}s": (1, 1)}
        world = Asteroids(160, 160, part=(22.0, 30.0), **counts)  # type: ignore[arg-type]
        rng = np.random.default_rng([seed, len(name)])
        lessons: Counter[str] = Counter()
        routes: dict[str, str] = {}  # what the brain calls each form
        while lessons.total() < often * forms:
            true = world.sample(rng).scene
            form = str(true.axioms[0].route)
            if lessons[form] == often:
                continue
            scene = brain.see(drawn(true, rng))
            if kinds_of(scene) == kinds_of(true):  # what is told otherwise is no example of this form
                routes[form] = brain.teach(scene, name, scene.primitives, route=routes.get(form))
                lessons[form] += 1
    return brain


def kinds_of(scene: Scene) -> list[str]:
    """The kinds of all primitives of a scene."""
    return sorted(leaf.symbol for leaf in scene.primitives)


def table(brain: Brain, asked: Iterator[Case]) -> Table:
    """How many questions of each template are answered right, of the true graph and from pixels."""
    total, graph, pixels = Counter[str](), Counter[str](), Counter[str]()
    for _, about in groupby(asked, key=lambda case: id(case.picture)):
        same = list(about)
        seen = brain.see(same[0].picture.image)
        for case in same:
            total[case.template] += 1
            graph[case.template] += case.right(case.picture.scene)
            pixels[case.template] += case.right(seen)
    lines = [
        Line(
            name,
            more={"questions": str(total[name]), "true graph": str(graph[name]), "pixels": str(pixels[name])},
        )
        for name in total
    ]
    for what, right, goal in (("true graph", graph, 0.99), ("pixels", pixels, 0.95)):
        share = right.total() / total.total()
        more = {"questions": str(total.total()), what: str(right.total())}
        lines.append(Line(f"all, {what}", f"≥ {goal:.0%}", f"{share:.1%}", share >= goal, more))
    return Table(lines, "template", "right")


def main() -> None:
    options = parser(__doc__, "questions")
    options.add_argument("--scenes", type=int, default=100)
    options.add_argument("--each", type=int, default=2, help="questions about each scene")
    given = options.parse_args()
    if given.quick:
        given.scenes, given.each = 1, len(TEMPLATES)
    brain = taught(given.seed, {"ship": (1, 1)} if given.quick else EXAMPLES)
    publish(given.out, "Questions", ABOUT, table(brain, cases(given.scenes, given.each, given.seed)))


if __name__ == "__main__":
    run(main)
