"""Questions about scenes: 200 from templates over 100 pictures of the asteroid world, answers known.

    python benchmarks/questions.py [--seed 0] [--scenes 100] [--each 2]

Every answer is computed from the world's truth by the template itself, then asked twice: of the true graph,
and of the graph that a brain sees in the picture. That brain was taught each form of each object from a few
pictures. A template asks only where a person could tell: the largest is clearly the largest.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby

import numpy as np
from report import Line, Table, parser, publish, run
from scipy.spatial import ConvexHull

import unrender
from unrender import Observation, Scene, UnrenderError
from unrender.brain import Brain
from unrender.scene.appearance import colour_of
from unrender.scene.relations import holds
from unrender.scene.words import plural
from unrender.worlds import Asteroids

Generator = np.random.Generator
Expected = bool | int | str | list[Observation]
Template = Callable[[Scene, Generator], tuple[str, Expected] | None]

WORLD = Asteroids(320, 320, ships=(1, 2), asteroids=(1, 3), stations=(0, 1), loose=(2, 5))
NOUNS = ("ship", "asteroid", "station", "circle", "square", "triangle")
DIRECTIONS = ("left of", "right of", "above", "below")
EXAMPLES = {"ship": (1, 1), "station": (1, 1), "asteroid": (4, 3)}  # pictures of each form, and forms
ABOUT = """Questions from templates about pictures of the asteroid world, each asked of the true graph and of
the graph that a brain sees in the picture; it was taught every form of every object from a few pictures."""
CLEAR = 1.05  # times as large as the next: a superlative that a person can see


@dataclass(frozen=True)
class Case:
    """One question about one scene."""

    template: str
    truth: Scene
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


def of(scene: Scene, symbol: str) -> list[Observation]:
    return [node for node in scene.axioms if node.symbol == symbol]


def area(node: Observation) -> float:
    """Of the convex hull of all that it is made of, from points on the edge of every shape."""
    turns = {"circle": np.arange(0, 360, 3), "square": np.arange(45, 360, 90)}
    points = []
    for leaf in node.primitives:
        angles = np.radians(turns.get(leaf.symbol, np.array([-90, 30, 150])))
        reach = math.sqrt(2) if leaf.symbol == "square" else 1.0
        edge = reach * np.stack([np.cos(angles), np.sin(angles)], 1) * leaf.size / 2
        cos, sin = math.cos(math.radians(leaf.rotation)), math.sin(math.radians(leaf.rotation))
        points.append(edge @ np.array([[cos, sin], [-sin, cos]]) + leaf.position)
    return float(ConvexHull(np.concatenate(points)).volume)  # which in two dimensions is the area


def largest(nodes: list[Observation]) -> Observation | None:
    """The largest, if it is so clearly."""
    order = sorted(nodes, key=area, reverse=True)
    if not order or (len(order) > 1 and area(order[0]) < CLEAR**2 * area(order[1])):
        return None
    return order[0]


def single(scene: Scene, rng: Generator) -> Observation | None:
    """An object that is the only one of its kind."""
    alone = [node for node in scene.axioms if len(of(scene, node.symbol)) == 1]
    return alone[rng.integers(len(alone))] if alone else None


def pick(rng: Generator, words: tuple[str, ...]) -> str:
    return words[rng.integers(len(words))]


def count(scene: Scene, rng: Generator) -> tuple[str, Expected] | None:
    kind = pick(rng, NOUNS)
    return f"How many {plural(kind)} are there?", len(of(scene, kind))


def count_related(scene: Scene, rng: Generator) -> tuple[str, Expected] | None:
    kind, word, other = pick(rng, NOUNS), pick(rng, DIRECTIONS), single(scene, rng)
    if other is None or other.symbol == kind:
        return None
    found = [node for node in of(scene, kind) if holds(word, node, other)]
    return f"How many {plural(kind)} are {word} the {other.symbol}?", len(found)


def exists_near(scene: Scene, rng: Generator) -> tuple[str, Expected] | None:
    kind, other = pick(rng, NOUNS), pick(rng, NOUNS)
    if kind == other:
        return None
    so = any(holds("near", a, b) for a in of(scene, kind) for b in of(scene, other))
    return f"Is there {article(kind)} near {article(other)}?", so


def article(noun: str) -> str:
    return f"an {noun}" if noun[0] in "aeiou" else f"a {noun}"


def colour_of_largest(scene: Scene, rng: Generator) -> tuple[str, Expected] | None:
    kind = pick(rng, NOUNS)
    node = largest(of(scene, kind))
    return None if node is None else (f"What colour is the largest {kind}?", colour_of(node))


def which_is_largest(scene: Scene, rng: Generator) -> tuple[str, Expected] | None:
    node = largest(scene.axioms)
    return None if node is None else ("What kind of thing is the largest thing?", node.symbol)


def which_related(scene: Scene, rng: Generator) -> tuple[str, Expected] | None:
    word, other = pick(rng, DIRECTIONS), single(scene, rng)
    if other is None:
        return None
    found = [node for node in scene.axioms if node is not other and holds(word, node, other)]
    return f"What is {word} the {other.symbol}?", found


def compare_sizes(scene: Scene, rng: Generator) -> tuple[str, Expected] | None:
    one, other = single(scene, rng), single(scene, rng)
    if one is None or other is None or one is other or largest([one, other]) is None:
        return None
    return f"Is the {one.symbol} larger than the {other.symbol}?", area(one) > area(other)


def compare_counts(scene: Scene, rng: Generator) -> tuple[str, Expected] | None:
    kind, other = pick(rng, NOUNS), pick(rng, NOUNS)
    so = len(of(scene, kind)) > len(of(scene, other))
    return f"Are there more {plural(kind)} than {plural(other)}?", so


def placed(scene: Scene, rng: Generator) -> tuple[str, Expected] | None:
    one, other, word = single(scene, rng), single(scene, rng), pick(rng, DIRECTIONS)
    if one is None or other is None or one is other:
        return None
    return f"Is the {one.symbol} {word} the {other.symbol}?", bool(holds(word, one, other))


def count_coloured(scene: Scene, rng: Generator) -> tuple[str, Expected] | None:
    shades = sorted({colour_of(node) for node in scene.axioms} - {"colourful"})
    shades = [shade for shade in shades if " " not in shade]
    if not shades:
        return None
    shade = shades[rng.integers(len(shades))]
    found = [node for node in scene.axioms if shade in colour_of(node).split(" ")]
    return f"How many things are {shade}?", len(found)


def leftmost(scene: Scene, rng: Generator) -> tuple[str, Expected] | None:
    kind = pick(rng, NOUNS)
    order = sorted(of(scene, kind), key=lambda node: node.position[0])
    if not order or (len(order) > 1 and order[1].position[0] - order[0].position[0] < 5):
        return None
    return f"Which {kind} is the leftmost?", [order[0]]


def parts(scene: Scene, rng: Generator) -> tuple[str, Expected] | None:
    wholes = [node for node in scene.axioms if node.parts and len(of(scene, node.symbol)) == 1]
    if not wholes:
        return None
    node, kind = wholes[rng.integers(len(wholes))], pick(rng, NOUNS[3:])
    number = sum(part.symbol == kind for part in node.parts)
    return f"How many {plural(kind)} does the {node.symbol} have?", number


TEMPLATES: tuple[Template, ...] = (
    *(count, count_related, exists_near, colour_of_largest, which_is_largest, which_related),
    *(compare_sizes, compare_counts, placed, count_coloured, leftmost, parts),
)


def cases(scenes: int, each: int, seed: int) -> Iterator[Case]:
    """Questions about generated scenes, every template as often as the others."""
    asked = 0
    for i in range(scenes):
        rng = np.random.default_rng([seed, i])
        truth = WORLD.sample(rng).scene
        left = each
        while left:
            template = TEMPLATES[asked % len(TEMPLATES)]
            made = template(truth, rng)
            asked += 1
            if made is not None:
                yield Case(template.__name__, truth, *made)
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
            picture = world.sample(rng)
            form = str(picture.scene.axioms[0].route)
            if lessons[form] == often:
                continue
            scene = brain.see(picture.image)
            if len(scene.primitives) == len(picture.scene.primitives):
                routes[form] = brain.teach(scene, name, scene.primitives, route=routes.get(form))
                lessons[form] += 1
    return brain


def table(brain: Brain, asked: Iterator[Case]) -> Table:
    """How many questions of each template are answered right, of the true graph and from pixels."""
    total, graph, pixels = Counter[str](), Counter[str](), Counter[str]()
    for _, about in groupby(asked, key=lambda case: id(case.truth)):
        same = list(about)
        seen = brain.see(same[0].truth.image)
        for case in same:
            total[case.template] += 1
            graph[case.template] += case.right(case.truth)
            pixels[case.template] += case.right(seen)
    lines = [
        Line(
            name,
            more={"questions": str(total[name]), "true graph": str(graph[name]), "pixels": str(pixels[name])},
        )
        for name in total
    ]
    for what, right, goal in (("true graph", graph, 1.0), ("pixels", pixels, 0.95)):
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
