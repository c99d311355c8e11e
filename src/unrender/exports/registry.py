"""Formats by suffix: one function each, registered by a decorator.

    @exporter(".svg")
    def svg(scene, name):
        ...

Other packages register theirs by naming a module in the entry-point group `unrender.exports`.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from importlib.metadata import entry_points
from typing import TYPE_CHECKING

from unrender.errors import UnrenderError

if TYPE_CHECKING:
    from unrender.scene import Scene

Exporter = Callable[["Scene", str], str | bytes]
"""exporter(scene, name): all of the file. `name` is the file's name without its folder and suffix."""

BUILT_IN = (
    ".coco.json",
    ".json",
    ".png",
    ".svg",
    ".tscn",
)  # known before they are imported, which takes long
GROUP = "unrender.exports"

_REGISTRY: dict[str, Exporter] = {}
_DISCOVERED: list[bool] = []


def exporter(suffix: str) -> Callable[[Exporter], Exporter]:
    """Register a function as the writer of files whose name ends in `suffix`."""
    if not suffix.startswith(".") or len(suffix) < 2 or suffix != suffix.lower():
        raise UnrenderError(f'A suffix is written like ".svg", not "{suffix}".')

    def register(function: Exporter) -> Exporter:
        _discover()
        known = _REGISTRY.get(suffix)
        if known is not None and known.__module__ != function.__module__:
            raise UnrenderError(f"An exporter for {suffix} exists already; choose another suffix.")
        _REGISTRY[suffix] = function
        return function

    return register


def _discover() -> None:
    """Register the formats of this package, then those of others; only the first call does anything."""
    if _DISCOVERED:
        return
    _DISCOVERED.append(True)
    package = importlib.import_module("unrender.exports")
    for module in sorted(m.name for m in pkgutil.iter_modules(package.__path__)):
        importlib.import_module(f"{package.__name__}.{module}")
    for entry in entry_points(group=GROUP):
        entry.load()


def suffixes() -> list[str]:
    """Every suffix that a scene can be saved with."""
    if entry_points(group=GROUP):
        _discover()
    return sorted({*BUILT_IN, *_REGISTRY})


def suffix_of(filename: str) -> str:
    """The suffix that says how a file of this name is written: the longest one counts."""
    fitting = [suffix for suffix in suffixes() if filename.lower().endswith(suffix)]
    if not fitting:
        *most, last = suffixes()
        raise UnrenderError(
            f'Cannot tell the format of "{filename}": use a name that ends in {", ".join(most)} or {last}.'
        )
    return max(fitting, key=len)


def find(filename: str) -> tuple[Exporter, str]:
    """The exporter for a file of this name, and the name without its suffix."""
    _discover()
    suffix = suffix_of(filename)
    return _REGISTRY[suffix], filename[: -len(suffix)]
