"""The tables of a brain file.

A row carries the lesson that made it (`born`) and the lesson that retired it (`died`); what is known now are
the rows that have not died. Nothing else is ever changed or deleted by a lesson, so undoing one is exact.

`seal` is a checksum of the row. SQLite notices a broken page, but not a changed letter or weight inside one.
The one row of `tally` is a checksum of which rows there are, and which of them are current.

A change of these tables needs a higher SCHEMA and a migration of that number in `migrations/versions`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from zlib import crc32

from sqlalchemy import Column, ForeignKey, Index, Integer, MetaData, Table, Text
from sqlalchemy.types import UserDefinedType

APPLICATION = 0x756E7264  # "unrd", the file's mark in PRAGMA application_id
SCHEMA = 3  # PRAGMA user_version

metadata = MetaData()


class Blob(UserDefinedType[bytes]):
    """Bytes, handed over as they are; SQLAlchemy's own type would convert whatever damage left there."""

    cache_ok = True

    def get_col_spec(self, **kw: Any) -> str:
        return "BLOB"


def _life() -> list[Column[Any]]:
    # In front of the long columns: to skip a retired row SQLite then reads none of its content.
    return [
        Column("id", Integer, primary_key=True),
        Column("born", ForeignKey("lesson.id"), nullable=False),
        Column("died", ForeignKey("lesson.id")),
        Column("seal", Integer, nullable=False),
    ]


def _text(name: str, nullable: bool = False) -> Column[str]:
    return Column(name, Text, nullable=nullable)


def _one_current(table: Table, *columns: str) -> None:
    """At most one row that has not died for each value of the columns."""
    current = table.c.died.is_(None)
    Index(f"current_{table.name}", *(table.c[name] for name in columns), unique=True, sqlite_where=current)


lesson = Table(
    "lesson",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("seal", Integer, nullable=False),
    _text("kind"),
    _text("title"),
    _text("details"),
    _text("at"),
)
symbol = Table("symbol", metadata, *_life(), _text("name"), _text("attributes"))
route = Table(
    "route",
    metadata,
    *_life(),
    _text("symbol"),
    Column("number", Integer, nullable=False),
    _text("kind"),
    _text("label"),
    _text("parts"),
    _text("given", nullable=True),
    _text("body"),
)
weights = Table(
    "weights",
    metadata,
    *_life(),
    Column("route", ForeignKey("route.id"), nullable=False),
    Column("blob", Blob, nullable=False),
)
observation = Table(
    "observation",
    metadata,
    *_life(),
    Column("route", ForeignKey("route.id"), nullable=False, index=True),
    _text("entry"),
)
record = Table("record", metadata, *_life(), _text("kind"), _text("key"), _text("body"))

tally = Table(
    "tally", metadata, Column("id", Integer, primary_key=True), Column("total", Integer, nullable=False)
)

_one_current(symbol, "name")
_one_current(route, "symbol", "number")
_one_current(weights, "route")
_one_current(record, "kind", "key")

MORTAL = (observation, weights, record, route, symbol)  # what depends on a row comes before it


def seal(table: Table, values: Mapping[str, object]) -> int:
    """The checksum of a row's values; its id, which SQLite chooses, and its death are left out."""
    total = 0
    for column in table.columns:
        if column.name not in ("id", "died", "seal"):
            value = values[column.name]
            content = value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogatepass")
            total = crc32(content, crc32(f"\0{type(value).__name__}\0".encode(), total))
    return total
