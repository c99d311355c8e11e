"""unrender describe and unrender ask: a picture in English."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from unrender.cli.brains import BrainOption, known_brain, open_brain
from unrender.cli.console import console
from unrender.paths import check_readable

Picture = Annotated[Path, typer.Argument(help="A picture in any format that Pillow reads.")]


def describe(image: Picture, brain: BrainOption = None) -> None:
    """Say in a few English sentences what is in a picture, and what the brain would like to know about it."""
    check_readable(image)
    known, screen = known_brain(brain), console()
    with screen.status("Looking"):
        scene = open_brain(known).see(image)
        question = scene.question
    for said in (scene.describe(), question):
        if said is not None:
            screen.print(str(said), soft_wrap=not screen.is_terminal)


def ask(
    image: Picture,
    question: Annotated[str, typer.Argument(help='In English, like "how many circles are red?".')],
    brain: BrainOption = None,
    steps: Annotated[bool, typer.Option("--steps", help="Show how the answer was found.")] = False,
) -> None:
    """Answer an English question about a picture: how many, is there, which, what colour, is it larger."""
    check_readable(image)
    known, screen = known_brain(brain), console()
    with screen.status("Looking"):
        answer = open_brain(known).see(image).ask(question)
    if steps:
        for step in answer.steps:
            screen.print(f"  {step}", style="dim", soft_wrap=not screen.is_terminal)
    screen.print(str(answer), soft_wrap=not screen.is_terminal)
