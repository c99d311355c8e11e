"""unrender bench: the benchmarks of the project, listed, run, and their results collected on one page."""

from __future__ import annotations

import argparse
import ast
import shlex
import subprocess
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from unrender.cli.console import console
from unrender.errors import UnrenderError, nearest

if TYPE_CHECKING:
    from collections.abc import Sequence

PATIENCE = 5.0  # seconds that an interrupted benchmark may take to end by itself
FAILED, SIGNAL = 1, 128  # exit codes: one at least of many failed; ended by a signal, whose number is added


@dataclass(frozen=True)
class Wanted:
    """How benchmarks are to be run; `words` are for one of them alone."""

    seed: int
    quick: bool
    out: Path
    words: tuple[str, ...] = ()

    def options(self) -> list[str]:
        """As the user would write them."""
        return ["--seed", str(self.seed), *(["--quick"] if self.quick else []), *self.words]


def bench(
    context: typer.Context,
    name: Annotated[str | None, typer.Argument(help="The one to run.", show_default="all of them")] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Tiny sizes; docs/results.md stays as it is.")
    ] = False,
    seed: Annotated[int, typer.Option(help="Of all that is random.")] = 0,
    out: Annotated[Path, typer.Option("-o", "--out", help="Folder for what they write.")] = Path("out/bench"),
    listed: Annotated[bool, typer.Option("--list", help="Only say which there are.")] = False,
) -> None:
    """Run all benchmarks, or one, and write docs/results.md; what follows a name is passed on to it."""
    known = benchmarks()
    if listed:
        _print_rows([(own, summary(path)) for own, path in known.items()])
        return
    if name is not None and name not in known:
        raise UnrenderError(f'There is no benchmark "{name}".{nearest(name, known)}')
    wanted = with_words(Wanted(seed, quick, out), context.args)
    if name is not None:
        raise typer.Exit(measure(name, known[name], wanted))
    codes = {own: measure(own, path, wanted) for own, path in known.items()}
    _print_rows([(own, f"failed with exit code {code}" if code else "done") for own, code in codes.items()])
    raise typer.Exit(FAILED if any(codes.values()) else 0)


def benchmarks() -> dict[str, Path]:
    """The scripts of the folder `benchmarks` that can be run: here, or in the checkout we are part of."""
    for folder in (Path.cwd(), Path(__file__).parents[3]):
        found = {path.stem: path for path in sorted((folder / "benchmarks").glob("*.py")) if runs(path)}
        if found:
            return found
    raise UnrenderError("The benchmarks are not installed; run this where the project was checked out.")


def runs(path: Path) -> bool:
    """Whether a file is a program, not only a part of one."""
    return '\nif __name__ == "__main__":\n' in path.read_text(encoding="utf-8")


def summary(path: Path) -> str:
    """The first line of what a program says about itself."""
    said = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return said.partition("\n")[0]


def with_words(wanted: Wanted, words: Sequence[str]) -> Wanted:
    """What the words after a benchmark's name change: our own options may stand there too."""
    own = argparse.ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    own.add_argument("--seed", type=int, default=wanted.seed)
    own.add_argument("--quick", action="store_true", default=wanted.quick)
    own.add_argument("-o", "--out", type=Path, default=wanted.out)
    try:
        found, rest = own.parse_known_args(list(words))
    except argparse.ArgumentError as error:
        raise UnrenderError(f"{error.argument_name}: {error.message}.") from None
    return replace(wanted, seed=found.seed, quick=found.quick, out=found.out, words=tuple(rest))


def measure(name: str, script: Path, wanted: Wanted) -> int:
    """Run one benchmark and put what it wrote on the page of all results; its exit code."""
    from unrender.batch.machine import commit_of, machine
    from unrender.cli.results import Note, put

    root, folder = script.parents[1], wanted.out / name
    results = folder / "results.md"
    results.unlink(missing_ok=True)  # of an earlier run
    command = shlex.join(["unrender", "bench", name, *wanted.options()])
    note = Note(command, commit_of(root), machine())
    screen = console(stderr=True)
    screen.print(f"{name}: {summary(script)}", style="bold")
    start = time.monotonic()
    code = ended(subprocess.Popen([sys.executable, str(script), *wanted.options(), "--out", str(folder)]))
    if code != 0:
        return code
    if not results.is_file():
        return 0 if wanted.words else FAILED  # with words of its own it may only have been asked for help
    page = wanted.out / "results.md" if wanted.quick else root / "docs" / "results.md"
    put(page, name, folder, replace(note, seconds=time.monotonic() - start))
    screen.print(f"Written: {page}", soft_wrap=True)
    return 0


def ended(child: subprocess.Popen[bytes]) -> int:
    """The exit code of a program as a shell tells it; interrupted, it has time to clean up, then is ended."""
    try:
        code = child.wait()
        return code if code >= 0 else SIGNAL - code
    except KeyboardInterrupt:
        for end in (child.terminate, child.kill):
            try:
                child.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                end()
        child.wait()
        raise


def _print_rows(rows: Sequence[tuple[str, str]]) -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, show_header=False)
    for name, text in rows:
        table.add_row(Text(name, "bold"), Text(text))
    console().print(table)
