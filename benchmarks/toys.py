"""Objects as people know them: found among others, not found where they are not, bent, longer, more of them.

    python benchmarks/toys.py                        every row, seed 0
    python benchmarks/toys.py --rows scenes,ghosts --seed 7
    python benchmarks/toys.py --dump out/misses      keeps the pictures that were read wrong

Writes `results.md` to --out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from report import Line, Table, parsed_with_rows, parser, publish, run
from toys_life import asked, causes, timelines, unrelated
from toys_variants import counting, neighbours, one_colour, proportions, seconds
from toys_world import GROUNDS, Piece, Toy, box, disc, lesson, picture, robot, scattered, toys, unknown

import unrender
from unrender import Brain, Observation, Scene

ABOUT = """Compact objects of three to eight flat shapes, drawn by Pillow (supersampled), never by our own
drawing. Each is taught from one picture of it alone by `brain.teach(scene, name)`. One is found if its name
is right and its centre within a quarter of its size; everything else that is named is false."""
SIDE = 220  # px of a scene
NOISE = (0.0, 0.03)  # standard deviation, of 1
NEAR = 0.5  # of half the diagonal: an object whose centre is further off is another one


@dataclass
class Tally:
    """What was there, what of it was found, and what else was named."""

    there: int = 0
    found: int = 0
    false: int = 0
    pictures: int = 0
    wrong: list[NDArray[np.uint8]] = field(default_factory=list)

    @property
    def recall(self) -> float:
        return self.found / max(self.there, 1)

    @property
    def precision(self) -> float:
        return self.found / max(self.found + self.false, 1)

    def add(self, true: Sequence[Toy], scene: Scene, image: NDArray[np.uint8]) -> None:
        """One picture more."""
        named = [axiom for axiom in scene.axioms if axiom.parts]
        hit = [any(_is(own, toy) for own in named) for toy in true]
        false = sum(not any(_is(own, toy) for toy in true) for own in named)
        self.there, self.found = self.there + len(true), self.found + sum(hit)
        self.false, self.pictures = self.false + false, self.pictures + 1
        if false or not all(hit):
            self.wrong.append(image)


def _is(own: Observation, toy: Toy) -> bool:
    return own.symbol == toy.name and bool(np.hypot(*(toy.centre - own.position)) < NEAR * toy.reach)


def taught(brain: Brain, known: Sequence[Toy]) -> Brain:
    """The brain after one lesson about each toy."""
    for toy in known:
        brain.teach(brain.see(lesson(toy)), toy.name)
    return brain


def scenes(brain: Brain, seed: int, count: int) -> Tally:
    """Three toys each, turned and scaled, among loose shapes, in noise."""
    rng, tally = np.random.default_rng(seed), Tally()
    known = toys()
    for _ in range(count):
        some = [known[k] for k in rng.permutation(len(known))[:3]]
        makes: list[Callable[[], Toy]] = [lambda toy=toy: toy.recoloured(rng, 0.08) for toy in some]  # type: ignore[misc]
        placed, others = scattered(makes, rng, SIDE, int(rng.integers(3, 8)))
        ground = GROUNDS[rng.integers(len(GROUNDS))]
        image = picture([*others, *placed], SIDE, ground, rng, rng.uniform(*NOISE))
        tally.add(placed, brain.see(image), image)
    return tally


def ghosts(brain: Brain, seed: int, count: int) -> Tally:
    """Objects that are not known, one or two a picture, beside loose shapes."""
    rng, tally = np.random.default_rng(seed), Tally()
    for _ in range(count):
        makes: list[Callable[[], Toy]] = [lambda: unknown(rng)] * int(rng.integers(1, 3))
        placed, others = scattered(makes, rng, 160, int(rng.integers(0, 3)))
        image = picture(
            [*others, *placed], 160, GROUNDS[rng.integers(len(GROUNDS))], rng, rng.uniform(*NOISE)
        )
        tally.add([], brain.see(image), image)
    return tally


def covered(brain: Brain, seed: int, count: int) -> Tally:
    """A part of each toy lies wholly under something in front that leaves most of the others free."""
    rng, tally = np.random.default_rng(seed), Tally()
    known = toys()
    for toy in cycle(known):
        if tally.pictures >= count:
            break
        there = toy.placed((80.0, 80.0), 48 / toy.reach, rng.uniform(-180, 180))
        cover = _cover(there, rng)
        if cover is not None:
            image = picture(
                [there, Toy("", (cover,))], 160, GROUNDS[rng.integers(4)], rng, rng.uniform(*NOISE)
            )
            tally.add([there], brain.see(image), image)
    return tally


def _cover(toy: Toy, rng: np.random.Generator) -> Piece | None:
    """A shape over one piece of a toy at random; None if it would cover much of another."""
    piece = toy.pieces[rng.integers(len(toy.pieces))]
    middle = (piece.points.min(0) + piece.points.max(0)) / 2
    away = np.hypot(*(piece.points - middle).T).max() + 2
    colour = (float(rng.random()), float(rng.random()), float(rng.random()))
    shape = (
        disc(*middle, 2 * away, colour) if rng.random() < 0.5 else box(*middle, 2 * away, 2 * away, colour)
    )
    reach = away * (1 if len(shape.points) > 4 else 1.4)
    for other in toy.pieces:
        inside = np.hypot(*(_filled(other) - middle).T) < reach
        if other is not piece and inside.mean() > 0.35:
            return None
    return shape


def _filled(piece: Piece) -> NDArray[np.float64]:
    """Points all over a convex piece."""
    middle = piece.points.mean(0)
    return np.concatenate([middle + s * (piece.points - middle) for s in (0.2, 0.45, 0.65, 0.85, 1.0)])


def crowd(seed: int, count: int) -> list[Toy]:
    """So many objects of random shapes."""
    rng = np.random.default_rng(seed)
    return [unknown(rng, f"thing{chr(97 + k // 26)}{chr(97 + k % 26)}") for k in range(count)]


def waving(seed: int, count: int) -> tuple[int, float]:
    """How often a robot is found with its arm read right, of so many raised up to 150 degrees, after three
    examples; and the mean error of those that are found."""
    brain, rng = taught(unrender.open(), [robot()]), np.random.default_rng(seed)
    for arm in (45.0, 90.0, 150.0):
        scene = brain.see(lesson(robot(arm)))
        found = [own for own in scene.axioms if own.symbol == "robot"]
        if found:
            brain.teach_attribute(scene, found[0], "waving", arm / 150)
    right, errors = 0, []
    for arm in np.linspace(0, 150, count):
        toy = robot(float(arm)).recoloured(rng, 0.05)
        there = toy.placed((70.0, 70.0), rng.uniform(36, 50) / toy.reach, rng.uniform(-180, 180))
        scene = brain.see(picture([there], 140, GROUNDS[rng.integers(4)], rng, rng.uniform(*NOISE)))
        values = [own.attributes.get("waving", 0.0) for own in scene.axioms if own.symbol == "robot"]
        if values:
            errors.append(abs(values[0] - arm / 150))
            right += errors[-1] <= 0.05
    return right, float(np.mean(errors)) if errors else 1.0


ROWS = (
    *("scenes", "ghosts", "covered", "waving", "number", "proportion", "colour", "neighbours", "time"),
    *("lessons", "questions", "causes", "timelines"),
)
QUICK = ("ghosts", "covered", "colour", "lessons")


def further(row: str, brain: Brain, seed: int, quick: bool) -> Line:
    """The rows of `toys_variants.py`."""
    if row == "number":
        right, count = counting(seed + 4, (4, 9) if quick else range(3, 13), (4,) if quick else range(1, 7))
        what = "flowers of 3 to 12 petals and trains of 1 to 6 wagons after two counts"
        return Line(what, "all", f"{right} of {count}", right == count)
    if row == "proportion":
        lengths = (0.8,) if quick else [float(s) for s in np.linspace(0.7, 1.5, 9)]
        right, count = proportions(seed + 5, lengths, 2 if quick else 8)
        what = "cars 0.7 to 1.5 times as long, and mirrored locomotives, after two examples"
        return Line(what, "all", f"{right} of {count}", right == count)
    if row == "colour":
        right, count = one_colour(brain, seed + 6, 1 if quick else 10)
        goal = right * 20 >= 18 * count
        return Line("touching parts of one colour, or all parts", "≥ 18 of 20", f"{right} of {count}", goal)
    if row == "neighbours":
        joined, asked = neighbours(seed + 7, 2 if quick else 36)
        text = f"{joined} of {asked}"
        return Line("questions that join two unknown objects", "≤ 10 %", text, joined <= 0.1 * asked)
    if row in ROWS[9:]:
        return of_life(row, seed, quick)
    few = taught(unrender.open(), toys()[: 2 if quick else 10])
    many = taught(unrender.open(), [*toys()[: 2 if quick else 10], *crowd(seed + 2000, 2 if quick else 290)])
    lesson_time, ratio = seconds(few, many, seed + 8, 1 if quick else 4)
    text = f"{lesson_time:.2f} s; {ratio:.2f}"
    return Line(
        "a lesson; a picture with 300 known against 10",
        "0.1 s; 1.0",
        text,
        lesson_time < 0.15 and ratio < 1.2,
    )


def of_life(row: str, seed: int, quick: bool) -> Line:
    """The rows of `toys_life.py`."""
    if row == "lessons":
        wrong, count = unrelated(seed + 9, 3 if quick else 120)
        return Line("lessons that stored an unrelated part", "0", f"{wrong} of {count}", wrong == 0)
    if row == "questions":
        put, often, named = asked(seed + 10, *((3, 1) if quick else (60, 10)))
        text = f"{put}; {named} of {often}"
        what = "questions in ten scenes after fifty; kinds seen three times that were asked about"
        return Line(what, "≤ 1; all", text, put <= 1 and named == often)
    if row == "causes":
        empty, paper = causes(seed + 11, *((1, 1) if quick else (60, 60)))
        what = "cause right after 60 answers, from pixels: matrix empty at first; the paper's"
        return Line(what, "≥ 0.95", f"{empty:.2f}; {paper:.2f}", min(empty, paper) >= 0.95)
    counts = [timelines(seed + 12 + k, quick) for k in range(1 if quick else 4)]
    text = ", ".join(f"{one} and {other}" for one, other in counts)
    what = "the two timelines: further scenes of 8 understood at once, four seeds"
    return Line(what, "8 and 8", text, all(own == (8, 8) for own in counts))


def lines(rows: Sequence[str], seed: int, quick: bool, dump: Path | None) -> Iterator[Line]:
    """Every row, as it is measured."""
    brain = unrender.open()
    if {"scenes", "covered", "colour"} & set(rows):
        taught(brain, toys()[:3] if quick else toys())
    many = unrender.open()
    if "ghosts" in rows:
        taught(many, [*toys()[: 3 if quick else 13], *crowd(seed + 1000, 2 if quick else 107)])
    for row in rows:
        if row in ROWS[4:]:
            yield further(row, brain, seed, quick)
            continue
        if row == "waving":
            count = 4 if quick else 17
            right, error = waving(seed + 3, count)
            text = f"{right} of {count}, mean error {error:.3f}"
            yield Line(
                "an arm raised up to 150 degrees, three examples",
                "≥ 16 of 17",
                text,
                right >= 16 / 17 * count,
            )
            continue
        if row == "scenes":
            own = scenes(brain, seed, 3 if quick else 60)
            text = f"P {own.precision:.3f}, R {own.recall:.3f} of {own.there}"
            yield Line(
                "13 toys in scenes", "P ≥ 0.97, R ≥ 0.94", text, own.precision >= 0.97 and own.recall >= 0.94
            )
        elif row == "ghosts":
            own = ghosts(many, seed + 1, 4 if quick else 60)
            yield Line(
                "pictures of unknown objects with a false one, 120 known",
                "≤ 2 of 60",
                f"{len(own.wrong)} of {own.pictures}",
                len(own.wrong) * 60 <= 2 * own.pictures,
            )
        else:
            own = covered(brain, seed + 2, 6 if quick else 144)
            text = f"{own.found} of {own.there}, {own.false} false"
            yield Line(
                "one part covered by something in front", "≥ 140 of 144", text, own.recall >= 140 / 144
            )
        _dump(dump, row, own)


def _dump(folder: Path | None, row: str, tally: Tally) -> None:
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        for k, image in enumerate(tally.wrong):
            Image.fromarray(image).save(folder / f"{row}-{k}.png")


def main() -> None:
    made = parser(__doc__, "toys")
    made.add_argument("--dump", type=Path, help="folder for pictures that were read wrong")
    options = parsed_with_rows(made, ROWS, QUICK)
    found = list(lines(options.rows, options.seed, options.quick, options.dump))
    publish(options.out, "Toys", ABOUT, Table(found, "what"))


if __name__ == "__main__":
    run(main)
