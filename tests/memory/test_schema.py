"""A brain file with tables, columns or rules that unrender does not make is not used."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

import unrender
from unrender.errors import UnrenderError
from unrender.memory import Snapshot, Store
from unrender.memory.layout import create
from unrender.memory.schema import is_known, schema_of

FIXTURES = Path(__file__).parent / "fixtures"
STRANGE = r"has tables or rules that unrender does not make, and was left as it is; restore it from a copy\.$"


def rewritten(table: str, old: str, new: str) -> str:
    """The definition of a table, changed as only a program that knows SQLite well can change it."""
    return (
        "PRAGMA writable_schema = ON;"
        f"UPDATE sqlite_schema SET sql = replace(sql, '{old}', '{new}') WHERE name = '{table}';"
        "PRAGMA writable_schema = RESET;"
    )


STRANGERS = {
    "a generated column": "ALTER TABLE symbol ADD COLUMN twice TEXT GENERATED ALWAYS AS (name || name)",
    "a column more": "ALTER TABLE lesson ADD COLUMN teacher TEXT",
    "a CHECK": rewritten("symbol", "name TEXT NOT NULL", "name TEXT NOT NULL CHECK (length(name) < 5)"),
    "a CHECK of the table": rewritten("route", "PRIMARY KEY (id)", "CHECK (number < 2), PRIMARY KEY (id)"),
    "a default": rewritten("symbol", "attributes TEXT NOT NULL", "attributes TEXT NOT NULL DEFAULT 1"),
    "a collation": rewritten("symbol", "name TEXT NOT NULL", "name TEXT COLLATE NOCASE NOT NULL"),
    "a conflict clause": rewritten("symbol", "name TEXT NOT NULL", "name TEXT NOT NULL ON CONFLICT IGNORE"),
    "another type": rewritten("weights", "blob BLOB", "blob TEXT"),
    "a key that cascades": rewritten("symbol", "lesson (id)", "lesson (id) ON DELETE CASCADE"),
    "a comment": rewritten("symbol", "name TEXT NOT NULL", "name TEXT NOT NULL /* mine */"),
    "a trigger": "CREATE TRIGGER t BEFORE INSERT ON symbol BEGIN SELECT raise(IGNORE); END",
    "a view": "CREATE VIEW v AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n) SELECT i FROM n",
    "a view in the place of a table": "DROP TABLE tally; CREATE VIEW tally AS SELECT 1 AS id, 1 AS total",
    "a virtual table": "CREATE VIRTUAL TABLE words USING fts5(word)",
    "a table more": "CREATE TABLE mine (id INTEGER)",
    "a table less": "DROP TABLE record",
    "an index more": "CREATE UNIQUE INDEX one ON symbol (attributes)",
    "an index on an expression": "CREATE INDEX one ON symbol (length(name))",
    "an index less": "DROP INDEX current_symbol",
    "an index of other rows": "DROP INDEX current_symbol;"
    "CREATE UNIQUE INDEX current_symbol ON symbol (name) WHERE died IS NOT NULL",
    "an index with a collation": "DROP INDEX current_symbol;"
    "CREATE UNIQUE INDEX current_symbol ON symbol (name COLLATE NOCASE) WHERE died IS NULL",
}


@pytest.mark.parametrize("change", STRANGERS.values(), ids=STRANGERS)
def test_what_a_stranger_has_added_or_changed_is_refused(path: Path, taught: Snapshot, change: str) -> None:
    with sqlite3.connect(path) as connection:
        before = connection.execute("SELECT name, sql FROM sqlite_schema ORDER BY name").fetchall()
        connection.executescript(change)
        assert connection.execute("SELECT name, sql FROM sqlite_schema ORDER BY name").fetchall() != before
    connection.close()
    kept = path.read_bytes()
    with pytest.raises(UnrenderError, match=STRANGE):
        Store.open(path)
    with pytest.raises(UnrenderError, match=STRANGE):
        unrender.open(path)
    assert path.read_bytes() == kept


def test_an_old_format_is_compared_too_before_it_is_brought_up_to_date(path: Path, taught: Snapshot) -> None:
    with sqlite3.connect(path) as connection:
        connection.executescript("DROP TABLE tally; PRAGMA user_version = 1;")
    old = path.read_bytes()
    with sqlite3.connect(path) as connection:
        connection.executescript(STRANGERS["a trigger"])
    with pytest.raises(UnrenderError, match=STRANGE):
        Store.open(path)
    path.write_bytes(old)
    with Store.open(path) as store:
        assert store.read() == taught


def test_a_brain_in_another_encoding_is_refused(path: Path, taught: Snapshot, tmp_path: Path) -> None:
    other = tmp_path / "other.brain"
    with sqlite3.connect(path) as old, sqlite3.connect(other) as new:
        new.executescript("PRAGMA encoding = 'UTF-16le';" + "".join(f"{line}\n" for line in old.iterdump()))
        for pragma in ("application_id", "user_version"):
            new.execute(f"PRAGMA {pragma} = {old.execute(f'PRAGMA {pragma}').fetchone()[0]}")
    with pytest.raises(UnrenderError, match=STRANGE):
        Store.open(other)


@pytest.mark.parametrize("tidying", ["ANALYZE", "VACUUM", "REINDEX", "PRAGMA optimize = 0x10002"])
def test_tidying_a_brain_with_other_tools_does_no_harm(path: Path, taught: Snapshot, tidying: str) -> None:
    connection = sqlite3.connect(path)
    connection.execute(tidying)
    connection.close()
    with Store.open(path) as store:
        assert store.read() == taught


@pytest.mark.parametrize("version", [1, 2])
def test_the_tables_of_every_format_are_known(version: int, tmp_path: Path) -> None:
    file = shutil.copy(FIXTURES / f"brain-{version}.brain", tmp_path / "old.brain")
    with closing(sqlite3.connect(file)) as connection:
        assert is_known(connection, version)
        assert not is_known(connection, 3 - version)


def test_sqlalchemy_is_told_of_the_same_tables_as_are_made() -> None:
    from sqlalchemy import StaticPool, create_engine

    from unrender.memory.alchemy import driver_of
    from unrender.memory.tables import metadata

    with (
        create_engine("sqlite://", poolclass=StaticPool).begin() as told,
        closing(sqlite3.connect(":memory:")) as made,
    ):
        metadata.create_all(told)
        create(made)
        assert schema_of(driver_of(told)) == schema_of(made)
        for table in metadata.tables:
            order = f"SELECT name FROM pragma_table_info('{table}') ORDER BY cid"
            assert driver_of(told).execute(order).fetchall() == made.execute(order).fetchall()
