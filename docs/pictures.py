"""Draws the pictures of the README with the project itself: python docs/pictures.py [folder]"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from PIL import Image

from unrender.cli.demo import ground, house, primitives, world

HEIGHT = 264


def banner() -> np.ndarray:
    """What the project draws today, side by side: a grammar, the primitives, a world."""
    pictures = [house(2 * HEIGHT, HEIGHT), primitives(HEIGHT // 3), world(HEIGHT)[0]]
    return np.concatenate(
        [part for picture in pictures for part in (picture, ground(12, HEIGHT))][:-1], axis=1
    )


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).with_suffix("")
    folder.mkdir(parents=True, exist_ok=True)
    Image.fromarray(banner()).save(folder / "banner.png", optimize=True)
    Image.fromarray(world()[0]).save(folder / "asteroids.png", optimize=True)


if __name__ == "__main__":
    main()
