"""The help of every command, as a page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import typer
from typer.main import get_command

from unrender.cli.app import app

Words = tuple[str, ...]


def commands(group: typer.Typer = app, words: Words = ("unrender",)) -> Iterator[tuple[Words, str, str]]:
    """Each command with its words, what it does, and an example."""
    for command in group.registered_commands:
        assert command.callback is not None
        name = command.name or command.callback.__name__
        yield (*words, name), command.callback.__doc__ or "", command.epilog or ""
    for below in group.registered_groups:
        assert below.typer_instance is not None
        yield from commands(below.typer_instance, (*words, str(below.name)))


def options(words: Words) -> Iterator[tuple[str, str]]:
    """The arguments and options of a command, and what each is for."""
    found = get_command(app)
    for word in words[1:]:
        found = found.commands[word]  # type: ignore[attr-defined]
    for own in found.params:
        names = ", ".join(f"`{name}`" for name in own.opts if name.startswith("-")) or f"`{own.name}`"
        yield names, str(getattr(own, "help", None) or "")


def write_commands(path: Path) -> None:
    """Write the page."""
    lines = []
    for words, does, example in commands():
        text = " ".join(does.split())
        lines += [f"## {' '.join(words)}", "", text, ""]
        lines += ["```sh", example.partition("Example:")[2].strip(), "```", ""]
        lines += ["| | |", "|---|---|", *(f"| {names} | {what} |" for names, what in options(words)), ""]
    path.write_text("\n".join(lines), encoding="utf-8")
