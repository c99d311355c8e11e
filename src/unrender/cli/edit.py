"""unrender edit: change the scene of a picture, and draw it again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unrender.batch.destinations import check_file
from unrender.batch.output import make_folder
from unrender.cli.brains import BrainOption, known_brain, open_brain
from unrender.cli.console import console
from unrender.cli.describe import Picture
from unrender.paths import check_readable

if TYPE_CHECKING:
    from unrender.scene import Scene

MARGIN = 2  # px around an object that still show some of it


def edit(
    image: Picture,
    edits: Annotated[
        list[str],
        typer.Argument(
            metavar="EDITS",
            help='In English, "make the largest ship blue", "delete all triangles", or by name: '
            '"asteroid.*.rotation+=30", "ship.1.red=1", "ship.1.size*=2", "remove triangle.2".',
        ),
    ],
    output: Annotated[
        Path, typer.Option("-o", "--output", help="A file, its format chosen by its suffix, as for see.")
    ],
    brain: BrainOption = None,
) -> None:
    """Change objects of a picture and draw it again over its own background.

    The names are those that "unrender see" shows. What is changed at the top of a tree changes all below it.
    """
    check_readable(image)
    check_file(output, image)
    known, screen = known_brain(brain), console()
    from unrender.scene.edit.commands import in_english, parse

    for text in edits:
        if not in_english(text):
            parse(text)
    with screen.status("Looking"):
        scene = open_brain(known).see(image)
        if output.suffix.lower() == ".png":
            restore_ground(scene)
        changed = scene.edit(*edits)
        make_folder(output.parent)
        scene.save(output)
    for said in changed.told:
        screen.print(said, soft_wrap=True)
    screen.print(f"Wrote {output}", soft_wrap=True)


def restore_ground(scene: Scene) -> None:
    """Put what the picture shows beside its objects in place of the smooth background that was estimated."""
    import numpy as np
    from scipy.ndimage import binary_dilation

    if scene.picture is not None:
        covered = np.zeros((scene.height, scene.width), bool)
        for axiom in scene.axioms:
            covered |= axiom.full_mask
        free = ~binary_dilation(covered, iterations=MARGIN)
        scene.background[free] = scene.picture[free]
