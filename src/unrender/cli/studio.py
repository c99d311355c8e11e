"""unrender studio: teach by pointing, in the browser."""

from __future__ import annotations

from typing import Annotated

import typer

from unrender.batch.sources import sources
from unrender.cli.brains import NONE, OWN, LearningBrainOption, remove_empty
from unrender.cli.console import console
from unrender.paths import check_readable

PORT = "UNRENDER_PORT"  # the variable that may name it


def studio(
    images: Annotated[
        list[str] | None,
        typer.Argument(
            help="Pictures, videos, folders, or patterns in quotes.",
            metavar="IMAGES...",
            show_default=False,
        ),
    ] = None,
    brain: LearningBrainOption = None,
    port: Annotated[
        int, typer.Option("--port", "-p", min=0, max=65535, envvar=PORT, help="0 for any that is free.")
    ] = 8765,
    host: Annotated[
        str, typer.Option(help="The address to listen on; 0.0.0.0 lets other machines in, with the token.")
    ] = "127.0.0.1",
    browser: Annotated[bool, typer.Option(help="Open the page in the browser.")] = True,
) -> None:
    """Open the studio in the browser: show pictures, answer questions, watch the network grow.

    With "-b :memory:" all is forgotten at the end.
    """
    wanted = sources(images or [])
    for source in wanted:
        check_readable(source.path)
    kept = None if str(brain) == NONE else brain or OWN
    made = brain is None and not OWN.exists()

    from unrender.studio.server import Studio

    opened = Studio(kept, host=host, port=port)
    opened.open([source.path for source in wanted])
    kept_in = "is forgotten at the end" if kept is None else f"is kept in {kept}"
    told = f"The studio is open at {opened.url}", "Only who has this address gets in. Stop it with Ctrl+C."
    console().print(*told, f"What it learns {kept_in}.", sep="\n", soft_wrap=True)
    if browser:
        import webbrowser

        webbrowser.open(opened.invitation())  # not the token: the browser's command line is no secret
    try:
        opened.run()
    finally:
        if made:
            remove_empty(OWN)
