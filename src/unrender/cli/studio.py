"""unrender studio: teach by pointing, in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from unrender.cli.brains import VARIABLE
from unrender.cli.console import console
from unrender.cli.sources import sources


def studio(
    images: Annotated[
        list[str] | None,
        typer.Argument(
            help="Pictures, videos, folders, or patterns in quotes.",
            metavar="IMAGES...",
            show_default=False,
        ),
    ] = None,
    brain: Annotated[
        Path | None,
        typer.Option(
            "--brain",
            "-b",
            envvar=VARIABLE,
            help="The brain file, created if it is not there.",
            show_default="one that is forgotten at the end",
        ),
    ] = None,
    port: Annotated[
        int, typer.Option("--port", "-p", min=0, max=65535, help="0 for any that is free.")
    ] = 8765,
    host: Annotated[
        str, typer.Option(help="The address to listen on; 0.0.0.0 lets other machines in, with the token.")
    ] = "127.0.0.1",
    browser: Annotated[bool, typer.Option(help="Open the page in the browser.")] = True,
) -> None:
    """Open the studio in the browser: show pictures, answer questions, watch the network grow."""
    wanted = sources(images or [])
    from unrender.studio.server import Studio

    opened = Studio(brain, host=host, port=port)
    opened.open([source.path for source in wanted])
    told = f"The studio is open at {opened.url}", "Only who has this address gets in. Stop it with Ctrl+C."
    console().print(*told, sep="\n", soft_wrap=True)
    if browser:
        import webbrowser

        webbrowser.open(opened.invitation())  # not the token: the browser's command line is no secret
    opened.run()
