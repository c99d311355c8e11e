"""The tables of `tables.sql` as SQLAlchemy is told of them, for all that writes."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Column, ForeignKey, Index, Integer, MetaData, Table, Text
from sqlalchemy.types import UserDefinedType

from unrender.memory import layout

metadata = MetaData()


class Blob(UserDefinedType[bytes]):
    """Bytes, handed over as they are; SQLAlchemy's own type would convert whatever damage left there."""

    cache_ok = True

    def get_col_spec(self, **kw: Any) -> str:
        return "BLOB"


def _life() -> list[Column[Any]]:
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

MORTAL = tuple(metadata.tables[name] for name in layout.MORTAL)
