"""Draws the pictures of the README with the project itself: python docs/pictures.py [folder]"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from diagram import diagram
from PIL import Image, ImageDraw

import unrender
from unrender.cli.gallery import ground, house, primitives, seen, world
from unrender.render.layer import Layer
from unrender.render.paint import paint
from unrender.worlds.asteroids import Asteroids

HEIGHT = 264


def banner() -> np.ndarray:
    """What the project draws today, side by side: a grammar, the primitives, a world."""
    pictures = [house(2 * HEIGHT, HEIGHT), primitives(HEIGHT // 3), world(HEIGHT)[0]]
    return np.concatenate(
        [part for picture in pictures for part in (picture, ground(12, HEIGHT))][:-1], axis=1
    )


def overlapping(side: int = 256, seed: int = 4) -> np.ndarray:
    """Shapes over one another on a noisy ground, what is seen in it drawn again, and the difference."""
    rng = np.random.default_rng(seed)
    layers = []
    for i in range(9):
        size = rng.uniform(0.28, 0.4) * side
        looks = dict(zip(("red", "green", "blue"), rng.uniform(0.15, 1, 3), strict=True))
        looks |= {"filled": 1.0} if i % 3 else {"filled": 0.0, "thickness": 0.12}
        place = {"x": (0.22 + 0.28 * (i % 3)) * side, "y": (0.22 + 0.28 * (i // 3)) * side}
        place |= {"width": size, "height": size * rng.uniform(0.6, 1), "rotation": rng.uniform(0, 360)}
        layers.append(Layer.from_vector(("circle", "square", "triangle")[(i + i // 3) % 3], place | looks))
    picture = paint(layers, ground(side, side)).image + rng.normal(0, 4, (side, side, 3))
    return seen(np.round(picture.clip(0, 255)).astype(np.uint8))[0]


def example(side: int = 128, seed: int = 3) -> np.ndarray:
    """One ship alone: what a lesson needs."""
    alone = Asteroids(side, side, ships=(1, 1), asteroids=(0, 0), loose=(0, 0), part=(26.0, 30.0))
    return alone.sample(np.random.default_rng(seed)).image


LETTERS = (  # strokes in a box from 0 to 1
    (((0.1, 0.1), (0.5, 0.5), (0.88, 0.08)), ((0.5, 0.5), (0.52, 0.95))),
    (((0.15, 0.1), (0.85, 0.08), (0.2, 0.9), (0.9, 0.9)),),
    (((0.2, 0.05), (0.22, 0.95)), ((0.85, 0.1), (0.25, 0.5), (0.9, 0.95))),
    (((0.1, 0.15), (0.9, 0.1)), ((0.6, 0.12), (0.55, 0.6), (0.2, 0.95)), ((0.1, 0.5), (0.85, 0.48))),
)


def characters(side: int = 84, examples: int = 7) -> np.ndarray:
    """Letters as they were taught, once each, and new examples of them as somebody else might draw them."""
    rows, paper = [], np.full((side, side, 3), 255, np.uint8)
    with unrender.open() as brain:
        for number, strokes in enumerate(LETTERS):
            picture = Image.new("RGB", (side, side), "white")
            for stroke in strokes:
                points = [(side * (0.15 + 0.7 * x), side * (0.15 + 0.7 * y)) for x, y in stroke]
                ImageDraw.Draw(picture).line(points, (30, 40, 90), 4, "curve")
            taught = np.asarray(picture)
            brain.teach(brain.see(taught), f"letter {number}")
            drawn = [
                brain.draw(f"letter {number}", canvas=paper, vary=0.5, seed=seed) for seed in range(examples)
            ]
            rows.append(np.concatenate([taught, *drawn], 1))
    return np.concatenate(rows)


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).with_suffix("")
    folder.mkdir(parents=True, exist_ok=True)
    Image.fromarray(banner()).save(folder / "banner.png", optimize=True)
    Image.fromarray(world()[0]).save(folder / "asteroids.png", optimize=True)
    Image.fromarray(example()).save(folder / "ship.png", optimize=True)
    Image.fromarray(overlapping()).save(folder / "seen.png", optimize=True)
    Image.fromarray(characters()).save(folder / "characters.png", optimize=True)
    diagram().savefig(folder / "how.png")


if __name__ == "__main__":
    main()
