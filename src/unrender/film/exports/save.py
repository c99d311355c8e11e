"""Writing a film to a file, all of it or nothing."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from unrender.errors import UnrenderError
from unrender.exports.save import check, write
from unrender.film.film import Film

SUFFIXES = (".gif", ".json", ".lottie.json", ".mp4", ".svg", ".tscn")


def save(film: Film, path: str | os.PathLike[str]) -> None:
    """Write `film` in the format that the suffix of `path` names."""
    goal = Path(os.fsdecode(path))
    exporter = exporter_of(goal.name)
    check(goal)
    made = exporter(film)
    write(goal, made.encode("utf-8") if isinstance(made, str) else made)


def exporter_of(name: str) -> Callable[[Film], str | bytes]:
    """What writes a file of this name."""
    fitting = [suffix for suffix in SUFFIXES if name.lower().endswith(suffix)]
    if not fitting:
        *most, last = SUFFIXES
        raise UnrenderError(
            f'Cannot tell the format of "{name}": use a name that ends in {", ".join(most)} or {last}.'
        )
    suffix = max(fitting, key=len)
    if suffix == ".lottie.json":
        from unrender.film.exports.lottie import lottie

        return lottie
    if suffix == ".json":
        from unrender.film.exports.json import film_json

        return film_json
    if suffix == ".svg":
        from unrender.film.exports.svg import svg

        return svg
    if suffix == ".tscn":
        from unrender.film.exports.godot import tscn

        return tscn
    from unrender.film.exports.video import gif, mp4

    return gif if suffix == ".gif" else mp4
