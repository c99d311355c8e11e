"""Reading all that is known. Only JSON and bytes come out of the file, each row checked against its seal."""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from itertools import pairwise
from typing import Any

from unrender.memory.layout import columns, seal
from unrender.memory.records import Json, LessonRecord, RouteRecord, Snapshot, SymbolRecord
from unrender.memory.trouble import DamageError

Row = dict[str, Any]  # the values of a row by their columns


def read_snapshot(connection: sqlite3.Connection) -> Snapshot:
    """All current rows and all lessons; to be called inside a transaction."""
    try:
        symbols = [
            SymbolRecord(row["name"], tuple(json.loads(row["attributes"])))
            for row in _current(connection, "symbol")
        ]
        records: defaultdict[str, dict[str, Json]] = defaultdict(dict)
        for row in _current(connection, "record"):
            records[row["kind"]][row["key"]] = json.loads(row["body"])
        lessons = _rows(connection, "lesson", "ORDER BY id")
        return Snapshot(
            symbols={symbol.name: symbol for symbol in symbols},
            routes=_routes(connection),
            lessons=tuple(_lesson(row) for row in lessons),
            records=dict(records),
        )
    except (ValueError, TypeError, RecursionError) as error:
        raise DamageError from error


def current_records(connection: sqlite3.Connection, kind: str) -> list[Row]:
    """The current rows of the records of one kind."""
    return _rows(connection, "record", "WHERE died IS NULL AND kind = ? ORDER BY id", kind)


def last_lesson(connection: sqlite3.Connection) -> LessonRecord | None:
    rows = _rows(connection, "lesson", "ORDER BY id DESC LIMIT 1")
    return _lesson(rows[0]) if rows else None


def _routes(connection: sqlite3.Connection) -> tuple[RouteRecord, ...]:
    rows = _current(connection, "route")
    blobs: dict[int, bytes] = {}
    seen: dict[int, list[Json]] = {row["id"]: [] for row in rows}
    for row in _current(connection, "observation"):
        if row["route"] not in seen:
            raise DamageError
        seen[row["route"]].append(json.loads(row["entry"]))
    for row in _current(connection, "weights"):
        if row["route"] not in seen:
            raise DamageError
        blobs[row["route"]] = row["blob"]
    routes = [
        RouteRecord(
            symbol=row["symbol"],
            number=row["number"],
            kind=row["kind"],
            label=row["label"],
            parts=tuple(json.loads(row["parts"])),
            given=row["given"],
            body=json.loads(row["body"]),
            weights=blobs.get(row["id"]),
            observations=tuple(seen[row["id"]]),
            row=row["id"],
        )
        for row in rows
    ]
    return tuple(sorted(routes, key=lambda route: (route.symbol, route.number)))


def _lesson(row: Row) -> LessonRecord:
    return LessonRecord(row["id"], row["kind"], row["title"], json.loads(row["details"]), row["at"])


def _current(connection: sqlite3.Connection, table: str) -> list[Row]:
    return _rows(connection, table, "WHERE died IS NULL ORDER BY id")


def _rows(connection: sqlite3.Connection, table: str, which: str, *values: str) -> list[Row]:
    """Some rows of a table, all of them as they were written, in the order of their ids."""
    kinds = columns(table)
    found = connection.execute(f"SELECT {', '.join(kinds)} FROM {table} {which}", values).fetchall()
    rows = [dict(zip(kinds, row, strict=True)) for row in found]
    whole = all(
        row["seal"] == seal(table, row) and all(map(isinstance, row.values(), kinds.values())) for row in rows
    )
    if not whole or any(one["id"] >= other["id"] for one, other in pairwise(rows)):
        raise DamageError
    return rows
