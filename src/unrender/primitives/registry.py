"""Primitives by name: those of this package, and those of others, named by the entry point
`unrender.primitives`."""

from __future__ import annotations

import importlib
import pkgutil
from importlib.metadata import entry_points

from unrender.errors import UnrenderError, nearest
from unrender.primitives.protocol import Primitive

_REGISTRY: dict[str, Primitive] = {}
_DISCOVERED: list[bool] = []
_FRAME = (
    "arcs",
    "chains",
    "evidence",
    "forms",
    "handles",
    "jit",
    "kept",
    "pieces",
    "polycurve",
    "polycurve_edits",
    "polycurve_field",
    "protocol",
    "registry",
    "symmetry",
    "trace",
    "vector",
)  # modules of this folder that are no primitives


def register(primitive: Primitive) -> Primitive:
    """Make a primitive known; from then on it is drawn, seen and taught like any other."""
    primitive.symbol  # noqa: B018  checks the name and the attributes
    known = primitives().get(primitive.name)
    if known is not None and known.field.__module__ != primitive.field.__module__:
        raise UnrenderError(f"A primitive called [{primitive.name}] exists already; choose another name.")
    _REGISTRY[primitive.name] = primitive
    return primitive


def primitives() -> dict[str, Primitive]:
    """All primitives, by name."""
    if not _DISCOVERED:
        _DISCOVERED.append(True)
        from unrender import primitives as package

        for module in sorted(m.name for m in pkgutil.iter_modules(package.__path__)):
            if module not in _FRAME:
                importlib.import_module(f"{package.__name__}.{module}")
        for entry in entry_points(group="unrender.primitives"):
            found = entry.load()
            if isinstance(found, Primitive):
                register(found)
    return dict(_REGISTRY)


def find(name: str) -> Primitive:
    """The primitive called `name`, or an error with the nearest names."""
    known = primitives()
    if name not in known:
        raise UnrenderError(f"There is no primitive called [{name}].{nearest(name, known)}")
    return known[name]
