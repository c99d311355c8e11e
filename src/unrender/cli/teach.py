"""unrender teach: a new object, or a new word for how one looks, from one picture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from unrender.cli.brains import LearningBrainOption, learning_brain
from unrender.cli.console import console
from unrender.cli.describe import Picture
from unrender.errors import UnrenderError
from unrender.names import check_name
from unrender.paths import check_readable

if TYPE_CHECKING:
    from unrender.brain import Brain
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
        str | None, typer.Option("--of", help="The known object whose attribute the picture shows: ship.")
    ] = None,
    value: Annotated[
        float | None, typer.Option("--value", min=0, max=1, help="How much of that attribute it shows.")
    ] = None,
    brain: LearningBrainOption = None,
) -> None:
    """Teach an object from one example: these parts are a ship. The brain file is made if it is not there.

    With --of, teach what an adjective or a verb means: this ship is damaged.
    """
    if of is None and value is not None:
        raise UnrenderError("A value belongs to an attribute; say with --of which object shows it.")

    check_readable(image)
    name = check_name(name, "symbol" if of is None else "attribute")
    path = learning_brain(brain)

    import unrender

    screen, existed = console(), path.exists()
    try:
        with screen.status("Learning"), unrender.open(path) as opened:
            scene = opened.see(image)
            chosen = None if parts is None else choose(scene, parts)
            if of is None:
                lesson = opened.teach_object(scene, name, chosen)
                told = f"{lesson.told} Kept in {path}" if lesson.changed else lesson.told
            else:
                told = f"{_teach_attribute(opened, scene, name, of, chosen, value)} Kept in {path}"
    except UnrenderError:
        if not existed:  # a lesson that failed leaves no empty brain behind
            path.unlink(missing_ok=True)
        raise
    screen.print(told, soft_wrap=True)


def _teach_attribute(
    brain: Brain,
    scene: Scene,
    name: str,
    symbol: str,
    parts: list[Observation] | None,
    value: float | None,
) -> str:
    """What an attribute does to an object, from one that was seen whole, or else nearly seen in its parts."""
    from unrender.agent.question import Answer

    whole = [node for node in scene.observations if node.symbol == symbol and not node.hidden]
    if parts is None and len(whole) == 1:
        learned = brain.teach_attribute(scene, whole[0], name, value)
        return f"Learned that this {symbol} is {name} ({learned.value:.2f})."
    if scene.question is None:
        raise UnrenderError(f"There is no {symbol} in this picture that could be {name}, or several.")
    return brain.answer(scene.question, Answer(name, parts=parts, value=value, symbol=symbol))


def choose(scene: Scene, text: str) -> list[Observation]:
    """The nodes that "1,2,circle.*" names, each once; blanks part the names too, unless a name has some."""
    from unrender.names import composed
    from unrender.scene.addresses import find

    spaced = tuple(node.symbol for node in scene.observations if " " in node.symbol)
    pieces = [piece.strip() for piece in composed(text).split(",")]
    words = [word for piece in pieces for word in ([piece] if piece.startswith(spaced) else piece.split())]
    return list(dict.fromkeys(one.node for word in words for one in find(scene, word)))
