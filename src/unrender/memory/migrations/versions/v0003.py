"""Format 3: a stroke has a colour of its own, which is that of the inside for all that was taught before.

Every capsule inherits the new attributes with this default. g and γ_new of its routes get columns for them:
what g says of the colour it says of the stroke's too, and neither is led by the stroke's.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np
from alembic import op
from sqlalchemy import Table, select, update

from unrender.errors import UnrenderError
from unrender.memory import tables, tally
from unrender.memory.alchemy import driver_of
from unrender.memory.layout import seal
from unrender.memory.trouble import DamageError
from unrender.memory.weights import pack, unpack

revision = "0003"
down_revision = "0002"

COLOUR = ("red", "green", "blue")
STROKE = ("stroke_red", "stroke_green", "stroke_blue")
POSE, PLAIN_POSE, PLAIN_INPUTS, INPUTS = 5, 6, 6, 1  # columns in front of the attributes


def upgrade() -> None:
    tally.check(driver_of(op.get_bind()))
    bodies = {row.id: (_loaded(row.body), _loaded(row.parts)) for row in _rows(tables.route)}
    _rewrite(tables.symbol, "attributes", lambda row: _dumped(wider(json.loads(row.attributes))))
    _rewrite(tables.route, "body", lambda row: _dumped(_wider_body(json.loads(row.body))))
    _rewrite(tables.observation, "entry", lambda row: _dumped(_wider_nodes(json.loads(row.entry))))
    _rewrite(tables.weights, "blob", lambda row: _wider_blob(row.blob, *bodies.get(row.route, ({}, []))))
    tally.renew(driver_of(op.get_bind()))


def wider(names: list[str]) -> list[str]:
    """The names of attributes with those of the stroke behind those of the colour, if there is one."""
    if not set(COLOUR) <= set(names) or set(STROKE) & set(names):
        return names
    behind = 1 + max(names.index(name) for name in COLOUR)
    return [*names[:behind], *STROKE, *names[behind:]]


def _rows(table: Table) -> list[Any]:
    """All rows, those that have died too, each as it was written."""
    rows = list(op.get_bind().execute(select(table)))
    if any(row.seal != seal(table.name, row._asdict()) for row in rows):
        raise DamageError
    return rows


def _rewrite(table: Table, column: str, made: Callable[[Any], object]) -> None:
    """Give a column of every row the value that is made of the row."""
    for row in _rows(table):
        try:
            values = row._asdict() | {column: made(row)}
        except (ValueError, TypeError, AttributeError, KeyError, RecursionError) as error:
            raise DamageError from error
        if values[column] != getattr(row, column):
            change = update(table).where(table.c.id == row.id)
            op.get_bind().execute(change.values({column: values[column], "seal": seal(table.name, values)}))


def _loaded(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise DamageError from error


def _dumped(value: Any) -> str:
    return json.dumps(value, allow_nan=False, separators=(",", ":"))


def _wider_body(body: dict[str, Any]) -> dict[str, Any]:
    return body | {"names": wider(body["names"])} if "names" in body else body


def _wider_nodes(value: Any) -> Any:
    """JSON in which all attributes of a coloured thing have the colour of a stroke, too."""
    if isinstance(value, list):
        return [_wider_nodes(own) for own in value]
    if not isinstance(value, dict):
        return value
    found = {name: _wider_nodes(own) for name, own in value.items()}
    looks = found.get("attributes")
    if isinstance(looks, dict):
        default = dict(zip(STROKE, (looks.get(name) for name in COLOUR), strict=True))
        found["attributes"] = {name: looks.get(name, default.get(name)) for name in wider(list(looks))}
    return found


def _wider_blob(blob: bytes, body: dict[str, Any], parts: list[str]) -> bytes:
    """g and γ_new with columns for the new attributes."""
    names = body.get("names", [])
    if wider(names) == names:
        return blob
    try:
        tensors = unpack(blob)
    except UnrenderError:  # it was damaged before; who reads it is told
        return blob
    plain = body.get("regime") == "plain"
    network = {name: own for name, own in tensors.items() if not name.startswith("noticer.")}
    noticer = {name: own for name, own in tensors.items() if name.startswith("noticer.")}
    inputs, pose = (PLAIN_INPUTS, PLAIN_POSE) if plain else (INPUTS, POSE)
    if network:
        last = len(network) // 2 - 1
        tensors["0.weight"] = _more_inputs(tensors["0.weight"], names, inputs, 1)
        for kind in ("weight", "bias"):
            tensors[f"{last}.{kind}"] = _more_outputs(tensors[f"{last}.{kind}"], names, pose, len(parts))
    if noticer:
        tensors["noticer.0.weight"] = _more_inputs(tensors["noticer.0.weight"], names, POSE, len(parts))
    return pack(tensors)


def _more_inputs(weight: Any, names: list[str], base: int, times: int) -> Any:
    """(outputs, times · (base + S)): columns of 0 for each new attribute."""
    rows = weight.reshape(len(weight), times, base + len(names))
    known = dict(zip(names, np.moveaxis(rows[..., base:], -1, 0), strict=True))
    new = [known.get(name, np.zeros(rows.shape[:2], weight.dtype)) for name in wider(names)]
    return np.concatenate([rows[..., :base], np.stack(new, -1)], -1).reshape(len(weight), -1)


def _more_outputs(values: Any, names: list[str], base: int, times: int) -> Any:
    """(times · (base + S), ...): what is said of the colour is said of the stroke's, too."""
    rows = values.reshape(times, base + len(names), *values.shape[1:])
    same = dict(zip(STROKE, COLOUR, strict=True))
    order = [base + names.index(same.get(name, name)) for name in wider(names)]
    return rows[:, [*range(base), *order]].reshape(-1, *values.shape[1:])
