"""Draws the pictures of the documentation with the project itself: python docs/figures.py [folder]"""

from __future__ import annotations

import sys
from pathlib import Path

import matplotlib as mpl
import numpy as np
from PIL import Image

import unrender
from unrender.exports.capsules import capsule_graph_svg
from unrender.worlds import Asteroids

PICTURES = Path(__file__).parent / "pictures"
GAP = 8  # px between pictures side by side


def beside(*pictures: np.ndarray) -> Image.Image:
    """Pictures of one height in a row, twice as large."""
    gap = np.full((pictures[0].shape[0], GAP, 3), 255, np.uint8)
    row = np.concatenate([part for picture in pictures for part in (picture, gap)][:-1], axis=1)
    image = Image.fromarray(row)
    return image.resize((2 * image.width, 2 * image.height), Image.Resampling.NEAREST)


def draw_all(folder: Path) -> None:
    """All pictures of the tutorial and of the pages beside it."""
    mpl.use("Agg")
    ship, asteroids = PICTURES / "ship.png", PICTURES / "asteroids.png"
    with unrender.open() as brain:
        scene = brain.see(ship)
        assert scene.picture is not None
        beside(scene.picture, scene.image).save(folder / "seen.png")
        brain.teach(scene, "ship")
        found = brain.see(asteroids)
        found.plot().savefig(folder / "found.png", dpi=80)
        found.save(folder / "found.svg")
        assert found.picture is not None
        edited = brain.see(asteroids)
        edited.edit("ship.*.colour=orange", "ship.1.rotation+=45", "square.1.size*=1.6", "remove circle.1")
        beside(found.picture, edited.image).save(folder / "edited.png")
        turned = [brain.draw("ship", canvas=(96, 96), rotation=turn, green=0.8) for turn in (0, 30, 60, 90)]
        beside(*turned).save(folder / "drawn.png")
        (folder / "capsules.svg").write_text(capsule_graph_svg(brain), encoding="utf-8")
        (folder / "described.md").write_text(f"> {found.describe()}\n", encoding="utf-8")
    world = Asteroids(192, 128, loose=(3, 3), asteroids=(1, 1), ships=(1, 1))
    film = world.sequence(np.random.default_rng(8), 31)
    beside(*(film[k].image for k in (0, 15, 30))).save(folder / "film.png")


if __name__ == "__main__":
    place = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).with_name("generated")
    place.mkdir(parents=True, exist_ok=True)
    draw_all(place)
