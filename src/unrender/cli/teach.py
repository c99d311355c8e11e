"""unrender teach: a new object, or a new word for how one looks, from one picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from unrender.cli.brains import OWN, OwnBrainOption
from unrender.cli.console import console
from unrender.cli.describe import Picture
from unrender.errors import UnrenderError

if TYPE_CHECKING:
    from unrender.scene import Observation, Scene


def teach(
    image: Picture,
    name: Annotated[str, typer.Argument(help="What it is called; with --of, how it looks or what it does.")],
    parts: Annotated[
        str | None,
        typer.Option(
            "--parts",
            help='Numbers or names as "unrender see" shows them: 1,2,3 or circle.1,square.*.',
            show_default="all of the picture",
        ),
    ] = None,
    of: Annotated[
        str | None, typer.Option("--of", help='The object that shows an attribute, as in "ship.1".')
    ] = None,
    value: Annotated[
        float | None, typer.Option("--value", min=0, max=1, help="How much of that attribute it shows.")
    ] = None,
    brain: OwnBrainOption = OWN,
) -> None:
    """Teach an object from one example: these parts are a ship. The brain file is made if it is not there.

    With --of, teach what an adjective or a verb means: this ship is damaged.
    """
    if of is None and value is not None:
        raise UnrenderError("A value belongs to an attribute; say with --of which object shows it.")
    if of is not None and parts is not None:
        raise UnrenderError("Give the parts of a new object, or the object that has an attribute, not both.")

    import unrender

    screen, existed = console(), brain.exists()
    try:
        with screen.status("Learning"), unrender.open(brain) as opened:
            scene = opened.see(image)
            if of is None:
                chosen = None if parts is None else choose(scene, parts)
                route = opened.teach(scene, name, chosen)
                count = len(scene.axioms if chosen is None else chosen)
                told = f"Learned {route} from {count} part{'s' if count > 1 else ''}"
            else:
                learned = opened.teach_attribute(scene, only(scene, of), name, value)
                told = f"Learned that {of} is {name} ({learned.value:.2f})"
    except UnrenderError:
        if not existed:  # a lesson that failed leaves no empty brain behind
            brain.unlink(missing_ok=True)
        raise
    screen.print(f"{told}: {brain}", soft_wrap=True)


def choose(scene: Scene, text: str) -> list[Observation]:
    """The nodes that "1,2,circle.*" names, each once."""
    from unrender.scene.addresses import find

    words = [word for word in text.replace(" ", ",").split(",") if word]
    return list(dict.fromkeys(one.node for word in words for one in find(scene, word)))


def only(scene: Scene, text: str) -> Observation:
    """The one node that "ship.1" names."""
    from unrender.scene.addresses import find

    found = find(scene, text)
    if len(found) != 1:
        raise UnrenderError(f'"{text}" names {len(found)} objects; name one of them.')
    return found[0].node
