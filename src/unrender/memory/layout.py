"""The format of a brain file: its marks, its columns and the seals of its rows.

A row carries the lesson that made it (`born`) and the lesson that retired it (`died`); what is known now are
the rows that have not died. Nothing else is ever changed or deleted by a lesson, so undoing one is exact.

`seal` is a checksum of the row. SQLite notices a broken page, but not a changed letter or weight inside one.
The one row of `tally` is a checksum of which rows there are, and which of them are current.

`tables.sql` makes the tables, and reading needs no more than that. Writing goes by `tables.py`, which tells
SQLAlchemy the same: its import takes longer than all that reading a brain does.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from contextlib import closing
from functools import cache
from pathlib import Path
from zlib import crc32

APPLICATION = 0x756E7264  # "unrd", the file's mark in PRAGMA application_id
SCHEMA = 3  # PRAGMA user_version
MORTAL = ("observation", "weights", "record", "route", "symbol")  # what depends on a row comes before it
_KINDS = {"INTEGER": int, "TEXT": str, "BLOB": bytes}

Kind = tuple[type, ...]


def create(connection: sqlite3.Connection) -> None:
    """Make the tables of today's format; a transaction stays open."""
    for statement in Path(__file__).with_name("tables.sql").read_text("utf-8").split(";"):
        connection.execute(statement)


@cache
def columns(table: str) -> Mapping[str, Kind]:
    """The columns of a table, in their order, and what a value of each is; SQLite would hold anything."""
    with closing(sqlite3.connect(":memory:")) as connection:
        create(connection)
        found = connection.execute("SELECT name, type, [notnull] FROM pragma_table_info(?)", (table,))
        return {
            name: (_KINDS[kind],) if filled else (_KINDS[kind], type(None)) for name, kind, filled in found
        }


def seal(table: str, values: Mapping[str, object]) -> int:
    """The checksum of a row's values; its id, which SQLite chooses, and its death are left out."""
    total = 0
    for name in columns(table):
        if name not in ("id", "died", "seal"):
            value = values[name]
            content = value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogatepass")
            total = crc32(content, crc32(f"\0{type(value).__name__}\0".encode(), total))
    return total
