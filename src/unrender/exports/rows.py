"""A scene as a table: one flat row per observation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from unrender.errors import UnrenderError
from unrender.scene import Observation, Scene

if TYPE_CHECKING:
    from pandas import DataFrame


def rows(scene: Scene, first: Mapping[str, Any] | None = None) -> list[dict[str, Any]]:
    """One dict per observation, all with the same keys; an attribute that a symbol does not have is None.

    `id` counts from 0, parents before their parts; `parent` is the id of the whole, None for an axiom.
    An attribute that is called like another column gets the name "attribute <name>". The columns `first`, the
    same for all rows, stand before the others.
    """
    nodes = scene.observations
    ids = {id(node): i for i, node in enumerate(nodes)}
    parents = {id(part): ids[id(node)] for node in nodes for part in node.parts}
    before = dict(first or {})
    table = [before | {"id": i, "parent": parents.get(id(node))} | _own(node) for i, node in enumerate(nodes)]
    names = {name: None for node in nodes for name in node.attributes}
    columns = {name: f"attribute {name}" if table and name in table[0] else name for name in names}
    return [
        row | {column: node.attributes.get(name) for name, column in columns.items()}
        for row, node in zip(table, nodes, strict=True)
    ]


def dataframe(scene: Scene) -> DataFrame:
    """The rows as a table of pandas; a scene without objects has the columns that every object has."""
    try:
        from pandas import DataFrame
    except ImportError:
        raise UnrenderError(
            'This needs the package "pandas": install it with pip install "unrender[pandas]".'
        ) from None
    nobody = Observation("", (0.0, 0.0), (0.0, 0.0))
    return DataFrame(rows(scene), columns=None if scene.axioms else ["id", "parent", *_own(nobody)])


def _own(node: Observation) -> dict[str, Any]:
    """What every observation has."""
    return {
        "symbol": node.symbol,
        "p": node.p,
        "route": node.route,
        "track": node.track,
        "depth": node.depth,
        "x": node.position[0],
        "y": node.position[1],
        "width": node.size[0],
        "height": node.size[1],
        "rotation": node.rotation,
        "velocity x": None if node.velocity is None else node.velocity[0],
        "velocity y": None if node.velocity is None else node.velocity[1],
        "spin": node.spin,
    }
