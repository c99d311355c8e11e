"""Pictures and lessons of `oneshot.py`, drawn by `rasterise.py`: objects at any turn among loose shapes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from objects import (
    ASTEROIDS,
    BOOSTER,
    HOOK,
    SHIP,
    SHUTTLE,
    Blueprint,
    Thing,
    box,
    mirrored,
    placed,
    rotation_matrix,
    shuffled,
    without,
)
from rasterise import Floats, Mask, composite, half_stroke, outline, silhouette
from scatter import SYMBOLS, Colour, Shape, Spec, random_shape
from scenes import flat, shared_cases

SIDE = 256  # px of a picture
TAUGHT = 128  # px of the picture that an object is taught from
SCALES = (0.5, 2.0)
GAP = 3.0  # px between objects and loose shapes
CONTRAST = 0.2  # of every shape to the ground, in the channel that differs most
LOOSE = Spec(sizes=(12, 44))


@dataclass(frozen=True)
class Picture:
    """One picture with its truth."""

    name: str
    image: NDArray[np.uint8]  # HxWx3, what is seen
    things: tuple[Thing, ...]


@dataclass(frozen=True)
class Lesson:
    """One example of one object."""

    name: str
    image: NDArray[np.uint8]
    thing: Thing
    parts: tuple[str, ...] = ()  # names of the objects that it is made of; none: of all primitives


def lesson(blueprint: Blueprint, seed: int, parts: tuple[str, ...] = ()) -> Lesson:
    """The object alone, upright and in the middle, on a flat ground."""
    rng = np.random.default_rng([seed, len(blueprint.shapes)])
    thing = placed(blueprint, (TAUGHT / 2, TAUGHT / 2))
    ground = _ground(rng, TAUGHT, [shape.colour for shape in thing.shapes])
    return Lesson(blueprint.name, _bytes(composite(thing.shapes, ground)), thing, parts)


# Pictures, one generator a row


def ship(rng: Generator) -> Picture:
    """One to three ships."""
    return compose(rng, [SHIP] * int(rng.integers(1, 4)))


def hidden(rng: Generator) -> Picture:
    """One to three ships; of each one part is left out, or covered by another shape."""
    return compose(rng, [SHIP] * int(rng.integers(1, 4)), spoil=_spoilt)


def styles(rng: Generator) -> Picture:
    """One to three ships, each in another colour or in other colours, with other line widths."""
    ground = flat(rng, SIDE, SIDE)
    return compose(rng, [restyled(SHIP, rng, ground) for _ in range(rng.integers(1, 4))], ground=ground)


def levels(rng: Generator) -> Picture:
    """One to three ships, and now and then a booster or a shuttle alone, which is no ship."""
    lone = [(BOOSTER, SHUTTLE)[rng.integers(2)]] if rng.random() < 0.3 else []
    picture = compose(rng, [SHIP] * int(rng.integers(1, 4)) + lone)
    return replace(picture, things=tuple(thing for thing in picture.things if thing.name == "ship"))


def lookalikes(rng: Generator) -> Picture:
    """A ship's parts in another arrangement, or the mirror image of a hook."""
    impostor = mirrored(HOOK) if rng.random() < 0.5 else shuffled(SHIP, rng)
    return replace(compose(rng, [impostor]), things=())


def asteroids(rng: Generator) -> Picture:
    """One to three asteroids of any of the five forms."""
    return compose(rng, [ASTEROIDS[rng.integers(len(ASTEROIDS))] for _ in range(rng.integers(1, 4))])


PICTURES: dict[str, Callable[[Generator], Picture]] = {
    row.__name__: row for row in (ship, hidden, styles, levels, lookalikes, asteroids)
}


def lessons(row: str, seed: int) -> list[Lesson]:
    """What must be taught before the pictures of a row."""
    if row == "levels":
        pieces = [lesson(BOOSTER, seed), lesson(SHUTTLE, seed)]
        return [*pieces, lesson(SHIP, seed, ("booster", "shuttle"))]
    blueprints = {"asteroids": ASTEROIDS, "lookalikes": (SHIP, HOOK)}.get(row, (SHIP,))
    return [lesson(blueprint, seed) for blueprint in blueprints]


def pictures(row: str, seed: int, count: int) -> Iterator[Picture]:
    """The first `count` pictures of a row; each depends on the seed and its own number only."""
    for index in range(count):
        picture = PICTURES[row](np.random.default_rng([seed, list(PICTURES).index(row), index]))
        yield replace(picture, name=f"{row} {index}")


def compose(
    rng: Generator,
    blueprints: Sequence[Blueprint],
    loose: int = 6,
    ground: Floats | None = None,
    spoil: Callable[[Thing, Generator, Floats], tuple[Thing, list[Shape]]] | None = None,
) -> Picture:
    """Objects at any place, turn and size among up to `loose` shapes, with noise up to 0.03."""
    if ground is None:
        ground = _ground(rng, SIDE, [shape.colour for b in blueprints for shape in b.shapes])
    taken = np.zeros(ground.shape[:2], bool)
    things, covers = [], []
    for blueprint in blueprints:
        thing, above = _settled(blueprint, rng, taken), list[Shape]()
        if thing is None:
            continue
        if spoil is not None:
            thing, above = spoil(thing, rng, ground)
        for shape in (*thing.shapes, *thing.missing, *above):
            _occupy(shape, taken)
        things.append(thing)
        covers += above
    scattered = _loose(rng, int(rng.integers(loose + 1)), ground, taken)
    painted = [shape for thing in things for shape in thing.shapes] + covers + scattered
    noisy = composite(painted, ground) + rng.normal(0, rng.uniform(0, 0.03), ground.shape)
    return Picture("", _bytes(noisy), tuple(things))


def _settled(blueprint: Blueprint, rng: Generator, taken: Mask, tries: int = 120) -> Thing | None:
    """The object at a free place, or None. The longer it takes, the smaller it may get."""
    side, (low, high) = len(taken), SCALES
    for attempt in range(tries):
        scale = low * (high / low) ** (rng.uniform() * (1 - attempt / tries))
        x, y = rng.uniform(0, side, 2)
        thing = placed(blueprint, (float(x), float(y)), float(rng.uniform(-180, 180)), float(scale))
        if all(_fits(shape, taken) for shape in thing.shapes):
            return thing
    return None


def _fits(shape: Shape, taken: Mask) -> bool:
    """Whether a shape lies whole inside the picture and at a distance from what is there."""
    edge = outline(shape, half_stroke(shape))
    if edge.min() < 1 or edge.max() > len(taken) - 1:
        return False
    area, solid = silhouette(shape, len(taken), len(taken), GAP)
    return not (taken[area] & solid).any()


def _occupy(shape: Shape, taken: Mask) -> None:
    area, solid = silhouette(shape, len(taken), len(taken))
    taken[area] |= solid


def _loose(rng: Generator, count: int, ground: Floats, taken: Mask) -> list[Shape]:
    """Up to `count` shapes of any kind at free places."""
    shapes: list[Shape] = []
    for _ in range(400):
        if len(shapes) == count:
            break
        shape = random_shape(rng, LOOSE, len(taken), len(taken), shapes)
        if _fits(shape, taken):
            _occupy(shape, taken)
            shapes.append(replace(shape, colour=_colour(rng, ground)))
    return shapes


def restyled(blueprint: Blueprint, rng: Generator, ground: Floats) -> Blueprint:
    """In one other colour, or in one a part; the outlines thinner or wider."""
    colours = [_colour(rng, ground) for _ in blueprint.shapes]
    if rng.random() < 0.5:
        colours = colours[:1] * len(colours)
    fresh = blueprint.recoloured(colours)
    shapes = (s if s.filled else replace(s, thickness=rng.uniform(0.09, 0.22)) for s in fresh.shapes)
    return replace(fresh, shapes=tuple(shapes))


def _spoilt(thing: Thing, rng: Generator, ground: Floats) -> tuple[Thing, list[Shape]]:
    """One part left out, or (in half of all cases) covered by a shape of another kind."""
    order = [int(index) for index in rng.permutation(len(thing.shapes))]
    for index in order if rng.random() < 0.5 else ():
        cover = _cover(thing, index, rng, ground)
        if cover is not None:
            return without(thing, index), [cover]
    return without(thing, order[0]), []


def _cover(thing: Thing, index: int, rng: Generator, ground: Floats, tries: int = 200) -> Shape | None:
    """A filled shape of another kind that hides one part and (nearly) nothing of the others."""
    part = thing.shapes[index]
    others = [_solid(shape, ground) for i, shape in enumerate(thing.shapes) if i != index]
    target = _solid(part, ground, 1.0)
    symbols = [symbol for symbol in SYMBOLS if symbol != part.symbol]
    for _ in range(tries):
        w, h = rng.uniform(1.0, 2.0, 2) * max(part.size)
        x, y = part.position + rng.uniform(-0.3, 0.3, 2) * max(part.size)
        turn = thing.rotation + rng.choice((0.0, 90.0, 180.0, rng.uniform(0, 360)))
        symbol = symbols[rng.integers(len(symbols))]
        cover = Shape(symbol, (float(x), float(y)), (float(w), float(h)), float(turn), (0, 0, 0))
        edge = outline(cover)
        if edge.min() < 1 or edge.max() > len(ground) - 1:
            continue
        mask = _solid(cover, ground)
        if not (target & ~mask).any() and all((o & mask).sum() < 0.05 * o.sum() for o in others):
            return replace(cover, colour=_colour(rng, ground, [shape.colour for shape in thing.shapes]))
    return None


def _solid(shape: Shape, ground: Floats, grow: float = 0.0) -> Mask:
    """bool HxW: the pixels of a whole shape, grown by `grow` px."""
    area, inside = silhouette(shape, len(ground), len(ground), grow)
    mask = np.zeros(ground.shape[:2], bool)
    mask[area] = inside
    return mask


def _ground(rng: Generator, side: int, colours: Sequence[Colour]) -> Floats:
    """A flat ground from which all `colours` stand out; with very many of them, as well as can be."""
    best, contrast = flat(rng, 1, 1), 0.0
    for _ in range(200):
        trial = flat(rng, 1, 1)
        least = min((_difference(trial, colour) for colour in colours), default=1.0)
        if least > contrast:
            best, contrast = trial, least
        if contrast >= CONTRAST:
            break
    return np.broadcast_to(best, (side, side, 3)).copy()


def _colour(rng: Generator, ground: Floats, rivals: Sequence[Colour] = ()) -> Colour:
    """A colour that stands out from a flat ground and from its rivals."""
    while True:
        red, green, blue = (float(value) for value in rng.uniform(0, 1, 3))
        colour = (red, green, blue)
        distances = [np.abs(np.subtract(rival, colour)).max() for rival in rivals]
        if min([_difference(ground, colour), *distances]) >= CONTRAST:
            return colour


def _difference(ground: Floats, colour: Colour) -> float:
    return float(np.abs(ground[0, 0] - colour).max())


def _bytes(values: Floats) -> NDArray[np.uint8]:
    return np.round(values.clip(0, 1) * 255).astype(np.uint8)


# The paper's own pictures of its ship


def shared_lesson_and_pictures(folder: Path) -> tuple[Lesson, list[Picture]]:
    """Ascene0 to be taught, Ascene1 and Ascene2 to be seen; their turn is the best fit of all centres."""
    first, *others = [case for case in shared_cases(folder) if case.name.startswith("Ascene")]
    centre, size = box(first.shapes)
    taught = Thing("ship", centre, size, 0.0, first.shapes)
    found = []
    for case in others:
        turn, position = _fit(first.shapes, case.shapes, centre)
        found.append(Picture(case.name, case.image, (Thing("ship", position, size, turn, case.shapes),)))
    return Lesson("ship", first.image, taught), found


def _fit(
    source: Sequence[Shape], target: Sequence[Shape], centre: tuple[float, float]
) -> tuple[float, tuple[float, float]]:
    """Procrustes: the turn in degrees that maps one set of centres on the other, and where `centre` goes."""
    one, two = (np.array([shape.position for shape in shapes]) for shapes in (source, target))
    a, b = one - one.mean(axis=0), two - two.mean(axis=0)
    turn = math.degrees(
        math.atan2(float((a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]).sum()), float((a * b).sum()))
    )
    x, y = rotation_matrix(turn) @ (centre - one.mean(axis=0)) + two.mean(axis=0)
    return turn, (float(x), float(y))
