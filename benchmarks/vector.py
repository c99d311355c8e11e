"""Pictures as vector graphics: `unrender` beside vtracer and potrace, all at their defaults.

    python benchmarks/vector.py [--seed 0] [--scenes 40] [--quick] [--out out/vector]

Every way makes an SVG file of the same picture; resvg, which shares no code with any of them, draws it.
Writes results.md and pictures.png (per row the picture that we draw worst) to --out.
"""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.etree.ElementTree import Element

import numpy as np
import report
from lifelong_worlds import shapes_of
from numpy.random import Generator
from PIL import Image
from rasterise import alpha, composite
from scatter import Colour, Shape
from scipy.optimize import linear_sum_assignment
from skimage.metrics import structural_similarity
from vector_icons import SIDE, icon
from vector_tracers import (
    Pixels,
    Tracer,
    alone,
    by_potrace,
    by_unrender,
    by_vtracer,
    elements,
    numbers,
    rendered,
)

import unrender
from unrender.worlds.asteroids import Asteroids

SAME = 0.005  # SSIM that differs by less is the same
TENTH = 0.1
FITS = 0.9  # of what is visible of a shape, an element paints at least; of what it paints, in the shape
COLOUR = 0.1  # by which their colours may differ, in the channel that differs most
EXPLANATION = (
    "The same pictures as SVG files, drawn by resvg and compared with the picture as it was before any "
    "compression. vtracer runs at its defaults. potrace knows black and white only: it runs at its defaults "
    "once for every true colour, which it is told and the others are not, the layers stacked; its time is "
    "that of a port in pure Python. An element is anything that paints, the ground included. It is a true "
    "primitive if it paints, in the right colour, what is visible of one true shape and nothing beside that "
    f"shape (to {100 * (1 - FITS):.0f} %), whether it is a real circle or a free curve like one. No way can "
    "have fewer elements than there are shapes: where a tracer needs about one path for a shape, a tenth of "
    "its elements is out of reach, and the numbers that describe them are what differs."
)


@dataclass(frozen=True)
class Drawing:
    """A picture and the truth about it."""

    image: Pixels  # as it is given
    clean: Pixels  # as it was drawn
    shapes: tuple[Shape, ...]  # back to front
    ground: Colour

    @property
    def colours(self) -> list[Colour]:
        return list(dict.fromkeys([self.ground, *(shape.colour for shape in self.shapes)]))


@dataclass(frozen=True)
class Traced:
    """One way with one picture."""

    picture: Pixels  # redrawn
    ssim: float  # against the picture before it was compressed
    elements: int
    numbers: int
    true: int  # elements that are one of the true primitives, or the ground
    seconds: float  # of the processors


def drawing(shapes: Sequence[Shape], ground: Colour, width: int, height: int) -> Drawing:
    """Painted by the independent rasteriser."""
    empty = np.broadcast_to(np.array(ground), (height, width, 3)).astype(np.float64)
    image = np.round(255 * composite(shapes, empty)).astype(np.uint8)
    return Drawing(image, image, tuple(shapes), ground)


def asteroids(rng: Generator, index: int) -> Drawing:
    """Ships, asteroids and loose shapes, 256x256, which in every other picture may cover one another."""
    scene = Asteroids(overlap=bool(index % 2)).sample(rng).scene
    red, green, blue = (float(value) / 255 for value in np.asarray(scene.background).reshape(-1, 3)[0])
    return drawing(shapes_of(scene), (red, green, blue), scene.width, scene.height)


def icons(rng: Generator, index: int) -> Drawing:
    """Flat icons, 256x256."""
    return drawing(*icon(rng, index), SIDE, SIDE)


def compressed(rng: Generator, index: int) -> Drawing:
    """The same, as JPEG files of quality 75."""
    made = icons(rng, index)
    file = io.BytesIO()
    Image.fromarray(made.image).save(file, "JPEG", quality=75)
    with Image.open(file) as jpeg:
        return Drawing(np.asarray(jpeg.convert("RGB")), made.clean, made.shapes, made.ground)


ROWS: dict[str, Callable[[Generator, int], Drawing]] = {
    "asteroids": asteroids,
    "icons": icons,
    "icons as JPEG": compressed,
}


def traced(tracer: Tracer, made: Drawing) -> Traced:
    """Make the SVG file, draw it, and look at what it holds."""
    start = time.process_time()
    svg = tracer(made.image, made.colours)
    seconds = time.process_time() - start
    picture = np.ascontiguousarray(rendered(svg)[..., :3])
    parts = elements(svg)
    ssim = structural_similarity(picture, made.clean, channel_axis=2)
    many = sum(numbers(part) for part in parts)
    return Traced(picture, float(ssim), len(parts), many, true_elements(parts, made), seconds)


def true_elements(parts: Sequence[Element], made: Drawing) -> int:
    """How many elements are one of the true primitives, or the ground; each of these counts once."""
    height, width = made.clean.shape[:2]
    whole = [np.ones((height, width)), *(alpha(shape, height, width) for shape in made.shapes)]
    colours = [made.ground, *(shape.colour for shape in made.shapes)]
    visible = list(whole)
    for i, front in enumerate(whole):
        visible[:i] = [behind * (1 - front) for behind in visible[:i]]
    fits = np.zeros((len(parts), len(whole)))
    for i, part in enumerate(parts):
        own, colour = alone(part, width, height)
        for j, (shown, full) in enumerate(zip(visible, whole, strict=True)):
            if colour is not None and np.abs(np.subtract(colour, colours[j])).max() <= COLOUR:
                covers = np.minimum(own, shown).sum() >= FITS * shown.sum()
                fits[i, j] = covers and np.minimum(own, full).sum() >= FITS * own.sum()
    rows, columns = linear_sum_assignment(-fits)
    return int(fits[rows, columns].sum())


def figures(row: str, results: Mapping[str, Sequence[Traced]]) -> list[report.Line]:
    """What was measured of every way."""
    found = []
    for way, many in results.items():
        total = sum(one.elements for one in many)
        more = {
            "SSIM": f"{_mean(many, 'ssim'):.4f}",
            "worst": f"{min(one.ssim for one in many):.4f}",
            "elements": f"{_mean(many, 'elements'):.1f}",
            "numbers in them": f"{_mean(many, 'numbers'):.0f}",
            "true primitives, of all elements": f"{sum(one.true for one in many) / total:.2f}",
            "time": f"{1e3 * float(np.median([one.seconds for one in many])):.0f} ms",
        }
        found.append(report.Line(f"{row} ({len(many)})" if not found else "", measured=way, more=more))
    return found


def goals(row: str, results: Mapping[str, Sequence[Traced]]) -> list[report.Line]:
    """How we compare with each rival."""
    found = []
    ours = results["unrender"]
    for way, theirs in list(results.items())[1:]:
        gap = _mean(ours, "ssim") - _mean(theirs, "ssim")
        share, lean = (_mean(ours, name) / _mean(theirs, name) for name in ("elements", "numbers"))
        told = f"{gap:+.4f}, {share:.3f} of the elements, {lean:.3f} of the numbers"
        passed = gap >= -SAME and share <= TENTH
        goal = f"SSIM of {way} (-{SAME:g}) with {TENTH:g} of its elements"
        found.append(report.Line(row if not found else "", goal, told, passed))
    return found


def _mean(many: Sequence[Traced], name: str) -> float:
    return float(np.mean([getattr(one, name) for one in many]))


def gallery(path: Path, rows: Sequence[Sequence[tuple[str, Pixels]]]) -> str:
    """Pictures with titles, row by row."""
    figure, axes = report.subplots(len(rows), len(rows[0]), size=(2.9 * len(rows[0]), 3.1 * len(rows)))
    for panel, (title, image) in zip(axes, (one for row in rows for one in row), strict=True):
        panel.imshow(image)
        panel.set_title(title, fontsize=9)
        panel.set_axis_off()
    return report.picture(
        figure, path, "Of every row the picture that we redraw worst, and what each made of it"
    )


def main() -> None:
    """Measure, print and write."""
    parser = report.parser(__doc__, "vector")
    parser.add_argument("--scenes", type=int, default=40, help="pictures a row")
    options = parser.parse_args()
    count = 1 if options.quick else options.scenes
    ways: dict[str, Tracer] = {
        "unrender": by_unrender(unrender.open()),
        "vtracer": by_vtracer,
        "potrace": by_potrace,
    }
    table: list[report.Line] = []
    verdicts: list[report.Line] = []
    shown: list[list[tuple[str, Pixels]]] = []
    for number, (row, make) in enumerate(ROWS.items()):
        made = [make(np.random.default_rng([options.seed, number, i]), i) for i in range(count)]
        results = {way: [traced(tracer, one) for one in made] for way, tracer in ways.items()}
        table += figures(row, results)
        verdicts += goals(row, results)
        worst = int(np.argmin([one.ssim for one in results["unrender"]]))
        redrawn = [(way, many[worst]) for way, many in results.items()]
        titles = [(f"{way}: {one.ssim:.4f}, {one.elements} elements", one.picture) for way, one in redrawn]
        shown.append([(f"{row}: {len(made[worst].shapes)} shapes", made[worst].image), *titles])
    report.publish(
        options.out,
        "Pictures as vector graphics",
        EXPLANATION,
        report.Table(verdicts, "pictures", "unrender"),
        report.Table(table, "pictures", "way"),
        gallery(options.out / "pictures.png", shown),
    )


if __name__ == "__main__":
    report.run(main)
