"""How well strokes, outlines and curves are read: icons, line drawings, polygons, a game, handwriting.

    python benchmarks/strokes.py --icons FOLDER              every row, seed 0, 40 pictures a row
    python benchmarks/strokes.py --rows paths --sizes 128 --gallery out/worst
    npm install --prefix out/icons heroicons @tabler/icons   where the icons come from

Rows of icons are circles, lines, paths, solid, stable and objects; omniglot needs the zip files of that set.
Writes `results.md` and `scores.csv`, a line a picture, to --out.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from report import Table, parsed_with_rows, parser, publish, run
from seer_pictures import CLOCKS
from strokes_icons import HOW
from strokes_measuring import write_scores
from strokes_omniglot import omniglot_row
from strokes_pages import PAGES, page_lines
from strokes_polygons import polygon_row
from strokes_rows import DRAWINGS, ICONS, Results, Wanted, corner_row, drawing_row, game_row, icon_row
from strokes_views import TAUGHT, object_lines, stable_lines

import unrender

ABOUT = """Lines are compared by points every quarter of a pixel along them and their distance to the other
line: precision and recall within 0.3 px, F1 of each picture, and the mean of these. A stroke is compared by
its centre line, what is filled by its outline. VTracer, potrace and LSD, which tell outlines, are compared
with the outlines of all that is painted; the skeleton (of the picture four times as fine, thresholded) has no
shapes and shows what position alone is worth. SSIM is that of the SVG file drawn by resvg with the picture
as it was before noise and JPEG. Numbers are those in the shapes of the SVG file (places, sizes, radii, widths
of strokes) for one of the original, in which a circle, a rectangle or a line that is written as a path counts
as what it is, and a width that stands in the header does not count."""


NEED_ICONS = (*ICONS, "stable", "objects")
OTHERS = ("corners", "game", "polygons", "stable", "objects", "omniglot")
ROWS = (*ICONS, *DRAWINGS, *OTHERS, *PAGES)
QUICK = ("circles", "drawings", "corners", "game", "polygons", "objects", "omniglot", "diagrams")
SEVERAL = 4  # a picture of objects, or the views of an icon, take the time of so many


def measure_row(row: str, brain: Any, wanted: Wanted, found: Results, quick: bool) -> None:
    """Add what a row gives to what was found."""
    few, rng = max(1, wanted.count // SEVERAL), wanted.rng(200 + ROWS.index(row))
    if row in NEED_ICONS and not wanted.icons.is_dir():
        found.remarks.append(
            f'The row "{row}" is left out, for there are no icons in "{wanted.icons}": {HOW}.'
        )
    elif row == "omniglot" and not wanted.omniglot.is_dir():
        found.remarks.append(f'The row "{row}" is left out, for there is no folder "{wanted.omniglot}".')
    elif row in ICONS:
        icon_row(row, brain, wanted, found)
    elif row in DRAWINGS:
        drawing_row(row, brain, wanted, found)
    elif row == "corners":
        corner_row(brain, wanted, found)
    elif row == "game":
        game_row(brain, wanted, found)
    elif row == "polygons":
        found.add(wanted, row, *polygon_row(brain, rng, wanted.count))
    elif row == "stable":
        found.goals += stable_lines(brain, wanted.icons, rng, few)
    elif row == "objects":
        own = unrender.open(":memory:")  # what is taught here is not seen in other rows
        found.goals += object_lines(own, wanted.icons, rng, few, 2 if quick else TAUGHT)
    elif row == "omniglot":
        found.add(wanted, row, *omniglot_row(brain, wanted.omniglot, rng, wanted.count))
    else:
        found.goals += page_lines(row, brain, rng, few, CLOCKS[wanted.clock])


def main() -> None:
    options = _options()
    sizes = tuple(int(side) for side in options.sizes.split(","))
    wanted = Wanted(
        options.seed,
        1 if options.quick else options.count,
        sizes[:1] if options.quick else sizes,
        options.icons,
        options.omniglot,
        options.clock,
        options.gallery,
    )
    found, brain = Results(), unrender.open(":memory:")
    for row in options.rows:
        measure_row(row, brain, wanted, found, options.quick)
    write_scores(options.out / "scores.csv", found.scores)
    tables = [Table(found.goals, "pictures"), Table(found.beside, "pictures", "way")]
    publish(options.out, "Strokes", ABOUT, *found.remarks, *tables)


def _options() -> argparse.Namespace:
    made = parser(__doc__, "strokes")
    made.add_argument("--count", type=int, default=40, help="pictures a row")
    made.add_argument("--sizes", default="128,48,96,256", help="sides of the icons in px, comma separated")
    made.add_argument("--icons", type=Path, default=Path("out") / "icons", help=f"folder of: {HOW}")
    made.add_argument(
        "--omniglot", type=Path, default=Path("out") / "omniglot", help="folder of its zip files"
    )
    made.add_argument("--clock", choices=sorted(CLOCKS), default="wall", help="which seconds count")
    made.add_argument("--gallery", type=Path, help="folder for pictures of the worst of each row")
    return parsed_with_rows(made, ROWS, QUICK)


if __name__ == "__main__":
    run(main)
