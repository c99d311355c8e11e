"""unrender world: pictures with their true scene graphs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unrender.batch.output import make_folder, save_picture, sides, write_text

if TYPE_CHECKING:
    from unrender.worlds import Picture

worlds = typer.Typer(help="Write pictures of a world whose true scene graph is known.", no_args_is_help=True)


@worlds.callback()
def start() -> None:
    """Write pictures of a world whose true scene graph is known."""


@worlds.command(epilog="Example:  unrender world asteroids -n 100 -o asteroids --seed 7")
def asteroids(
    output: Annotated[Path, typer.Option("-o", "--output", help="The folder to write to.")],
    number: Annotated[int, typer.Option("-n", "--number", min=1, help="How many pictures.")] = 1,
    seed: Annotated[int, typer.Option("--seed", min=0, help="The same seed gives the same pictures.")] = 0,
    size: Annotated[str, typer.Option("--size", help="Pixels: 256, or 320x200.")] = "256",
    frames: Annotated[
        int | None,
        typer.Option("--frames", min=1, help="Write sequences of this many frames."),
    ] = None,
    overlap: Annotated[bool, typer.Option("--overlap", help="Let objects cover one another.")] = False,
    stations: Annotated[int, typer.Option("--stations", min=0, help="At most so many stations.")] = 0,
    ship_forms: Annotated[int, typer.Option("--ship-forms", help="Ships of 1 form, or of 2.")] = 1,
    damaged: Annotated[float, typer.Option("--damaged", help="The share of ships with a bent wing.")] = 0.0,
    thrusting: Annotated[float, typer.Option("--thrusting", help="The share of ships under power.")] = 0.0,
) -> None:
    """Ships, asteroids and loose primitives: a PNG and a JSON file with the truth for each picture."""
    width, height = sides(size)
    folder = make_folder(output)

    import numpy as np
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import track

    from unrender.worlds import Asteroids

    world = Asteroids(
        width,
        height,
        overlap=overlap,
        stations=(0, stations),
        ship_forms=ship_forms,
        damaged=damaged,
        thrusting=thrusting,
    )
    console = Console(highlight=False)
    for i in track(range(number), "Drawing", console=console, disable=not console.is_terminal):
        rng = np.random.default_rng([seed, i])  # so that picture i does not depend on how many there are
        name = f"asteroids-{i:05d}"
        if frames is None:
            _save(world.sample(rng), folder / name)
        else:
            for k, picture in enumerate(world.sequence(rng, frames)):
                _save(picture, folder / f"{name}-{k:04d}")
    what = "pictures" if frames is None else f"sequences of {frames} frames"
    console.print(f"Wrote {number} {what}, PNG and JSON, to [bold]{escape(str(output))}[/]")


@worlds.command(epilog="Example:  unrender world drawings -n 20 -o drawings --seed 7")
def drawings(
    output: Annotated[Path, typer.Option("-o", "--output", help="The folder to write to.")],
    number: Annotated[int, typer.Option("-n", "--number", min=1, help="How many pictures.")] = 1,
    seed: Annotated[int, typer.Option("--seed", min=0, help="The same seed gives the same pictures.")] = 0,
    size: Annotated[str, typer.Option("--size", help="Pixels: 256, or 320x200.")] = "256",
    cells: Annotated[int, typer.Option("--cells", min=1, help="Drawings along the longer side.")] = 3,
    icon: Annotated[
        str | None, typer.Option("--icon", help="One drawing alone: house, key, clock, ...")
    ] = None,
) -> None:
    """Line drawings, joined by lines: a PNG and a JSON file with the truth for each picture."""
    width, height = sides(size)
    folder = make_folder(output)

    import numpy as np
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import track

    from unrender.worlds import Drawings

    world = Drawings(width, height, cells=1 if icon is not None else cells)
    console = Console(highlight=False)
    for i in track(range(number), "Drawing", console=console, disable=not console.is_terminal):
        rng = np.random.default_rng([seed, i])
        picture = world.sample(rng) if icon is None else world.icon(rng, icon)
        _save(picture, folder / f"drawings-{i:05d}")
    console.print(f"Wrote {number} pictures, PNG and JSON, to [bold]{escape(str(output))}[/]")


def _save(picture: Picture, path: Path) -> None:
    save_picture(picture.image, path.with_suffix(".png"))
    write_text(json.dumps(picture.scene.to_dict()), path.with_suffix(".json"))
