"""Reading all that is known. Only JSON and bytes come out of the file, each row checked against its seal."""

from __future__ import annotations

import json
from collections import defaultdict
from itertools import pairwise
from typing import Any

from sqlalchemy import Column, Connection, Row, Select, Table, Text, select

from unrender.memory import tables
from unrender.memory.records import Json, LessonRecord, RouteRecord, Snapshot, SymbolRecord
from unrender.memory.tables import seal
from unrender.memory.trouble import DamageError


def read_snapshot(connection: Connection) -> Snapshot:
    """All current rows and all lessons; to be called inside a transaction."""
    try:
        symbols = [
            SymbolRecord(row.name, tuple(json.loads(row.attributes)))
            for row in _current(connection, tables.symbol)
        ]
        records: defaultdict[str, dict[str, Json]] = defaultdict(dict)
        for row in _current(connection, tables.record):
            records[row.kind][row.key] = json.loads(row.body)
        lessons = _rows(connection, tables.lesson, select(tables.lesson).order_by(tables.lesson.c.id))
        return Snapshot(
            symbols={symbol.name: symbol for symbol in symbols},
            routes=_routes(connection),
            lessons=tuple(_lesson(row) for row in lessons),
            records=dict(records),
        )
    except (ValueError, TypeError, RecursionError) as error:
        raise DamageError from error


def current_records(connection: Connection, kind: str) -> list[Row[Any]]:
    """The current rows of the records of one kind."""
    c = tables.record.c
    query = select(tables.record).where(c.died.is_(None), c.kind == kind).order_by(c.id)
    return _rows(connection, tables.record, query)


def last_lesson(connection: Connection) -> LessonRecord | None:
    query = select(tables.lesson).order_by(tables.lesson.c.id.desc()).limit(1)
    rows = _rows(connection, tables.lesson, query)
    return _lesson(rows[0]) if rows else None


def _routes(connection: Connection) -> tuple[RouteRecord, ...]:
    rows = _current(connection, tables.route)
    blobs: dict[int, bytes] = {}
    seen: dict[int, list[Json]] = {row.id: [] for row in rows}
    for row in _current(connection, tables.observation):
        if row.route not in seen:
            raise DamageError
        seen[row.route].append(json.loads(row.entry))
    for row in _current(connection, tables.weights):
        if row.route not in seen:
            raise DamageError
        blobs[row.route] = row.blob
    routes = [
        RouteRecord(
            symbol=row.symbol,
            number=row.number,
            kind=row.kind,
            label=row.label,
            parts=tuple(json.loads(row.parts)),
            given=row.given,
            body=json.loads(row.body),
            weights=blobs.get(row.id),
            observations=tuple(seen[row.id]),
            row=row.id,
        )
        for row in rows
    ]
    return tuple(sorted(routes, key=lambda route: (route.symbol, route.number)))


def _lesson(row: Row[Any]) -> LessonRecord:
    return LessonRecord(row.id, row.kind, row.title, json.loads(row.details), row.at)


def _current(connection: Connection, table: Table) -> list[Row[Any]]:
    return _rows(connection, table, select(table).where(table.c.died.is_(None)).order_by(table.c.id))


def _rows(connection: Connection, table: Table, query: Select[Any]) -> list[Row[Any]]:
    """The rows of a query on one table, all of them as they were written, in the order of their ids."""
    rows = list(connection.execute(query))
    kinds = [_kind(column) for column in table.columns]
    whole = all(row.seal == seal(table, row._asdict()) and all(map(isinstance, row, kinds)) for row in rows)
    if not whole or any(one.id >= other.id for one, other in pairwise(rows)):
        raise DamageError
    return rows


def _kind(column: Column[Any]) -> type | tuple[type, ...]:
    """What a value of this column is; SQLite would hold anything."""
    kind = str if isinstance(column.type, Text) else bytes if isinstance(column.type, tables.Blob) else int
    return (kind, type(None)) if column.nullable else kind
