"""Whether the tables of a brain file are those that unrender makes.

A file may come from anybody. A generated column, a CHECK, a default, a collation, a trigger or a view in it
would run or decide something when it is read or taught, so all of it must be known.
"""

from __future__ import annotations

import re
import sqlite3
from contextlib import closing
from functools import cache

from unrender.memory.layout import SCHEMA, create

Schema = dict[str, tuple[object, ...]]  # what there is to say about each table and index, by its name

_WORD = re.compile(r"\"([^\"]*)\"|`([^`]*)`|\[([^\]]*)\]|(\w+)|(\S)")
_HARMLESS = frozenset({"if", "not", "exists", "constraint", "(", ")", ","})  # as SQL may be written otherwise
_OURS = "name NOT LIKE 'sqlite\\_stat%' ESCAPE '\\'"  # statistics, which any tool may leave, decide nothing


def is_known(connection: sqlite3.Connection, version: int) -> bool:
    """Whether a file has exactly the tables and indices of that format; to be called inside a transaction."""
    known, found = _known(version), schema_of(connection)
    if found.keys() != known.keys():
        return False
    return all(
        found[name][:-1] == known[name][:-1] and _words(found[name]) <= _words(known[name]) | _HARMLESS
        for name in known
    )


def schema_of(connection: sqlite3.Connection) -> Schema:
    """All tables and indices of a file, and whatever else there is."""
    rows = connection.execute(f"SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE {_OURS}")
    return {
        name: (kind, table, *(_details(connection, name) if kind == "table" else _order(sql)), _split(sql))
        for kind, name, table, sql in rows.fetchall()
    }


def _details(connection: sqlite3.Connection, table: str) -> tuple[object, ...]:
    """Columns, hidden ones too, keys and indices of a table."""
    asked = {
        "table_list": "type, wr, strict",
        "table_xinfo": "name, upper(type), [notnull], dflt_value, pk, hidden",
        "foreign_key_list": "[table], [from], [to], on_update, on_delete, [match]",
        "index_list": "name, [unique], origin, partial",
    }
    return tuple(
        tuple(sorted(connection.execute(query, (table,)), key=repr))
        for query in (f"SELECT {columns} FROM pragma_{name}(?)" for name, columns in asked.items())
    )


def _order(sql: str | None) -> tuple[str, ...]:
    """The words of an index, of which each counts: the columns, and which rows."""
    return tuple(word for word in _split(sql) if word not in "()")


def _words(details: tuple[object, ...]) -> frozenset[object]:
    last = details[-1]
    assert isinstance(last, tuple)
    return frozenset(last)


def _split(sql: str | None) -> tuple[str, ...]:
    """The words and signs of a statement, however it quotes its names."""
    return tuple("".join(word).lower() for word in _WORD.findall(sql or ""))


@cache
def _known(version: int) -> Schema:
    """The schema of a format, from a new brain in memory."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        if version == SCHEMA:
            create(connection)
        else:
            from unrender.memory.alchemy import around
            from unrender.memory.migrations import upgrade

            with around(connection) as writer:
                upgrade(writer, until=version)
        return schema_of(connection)
