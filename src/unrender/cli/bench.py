"""unrender bench: the benchmarks of the project, listed and run."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path
from typing import Annotated

import typer

from unrender.cli.console import console
from unrender.errors import UnrenderError, nearest


def bench(
    context: typer.Context,
    name: Annotated[str | None, typer.Argument(help="The one to run.", show_default="all are listed")] = None,
) -> None:
    """List the benchmarks, or run one of them; what follows its name is passed on to it."""
    known = benchmarks()
    if name is None:
        from rich.table import Table
        from rich.text import Text

        rows = Table(box=None, pad_edge=False, show_header=False)
        for own, path in known.items():
            rows.add_row(Text(own, "bold"), Text(summary(path)))
        console().print(rows)
        return
    if name not in known:
        raise UnrenderError(f'There is no benchmark "{name}".{nearest(name, known)}')
    raise typer.Exit(subprocess.run([sys.executable, str(known[name]), *context.args]).returncode)


def benchmarks() -> dict[str, Path]:
    """The scripts of the folder `benchmarks` that can be run: here, or in the checkout we are part of."""
    for folder in (Path.cwd(), Path(__file__).parents[3]):
        found = {path.stem: path for path in sorted((folder / "benchmarks").glob("*.py")) if runs(path)}
        if found:
            return found
    raise UnrenderError("The benchmarks are not installed; run this where the project was checked out.")


def runs(path: Path) -> bool:
    """Whether a file is a program, not only a part of one."""
    return 'if __name__ == "__main__":' in path.read_text(encoding="utf-8")


def summary(path: Path) -> str:
    """The first line of what a program says about itself."""
    said = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return said.partition("\n")[0]
