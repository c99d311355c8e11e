"""A brain file of an older format is brought up to date where it lies."""

import sqlite3
from pathlib import Path

import pytest
from sqlalchemy import create_engine

from unrender.errors import UnrenderError
from unrender.memory import Snapshot, Store, SymbolRecord
from unrender.memory.layout import APPLICATION, SCHEMA
from unrender.memory.migrations import SCRIPTS, upgrade


def brain_of_format_0(path: Path) -> None:
    """A file that is marked as a brain and has no tables yet."""
    with sqlite3.connect(path) as connection:
        connection.execute(f"PRAGMA application_id = {APPLICATION}")


def schema(path: Path) -> dict[str, list[tuple[object, ...]]]:
    """Everything SQLite knows about the tables: columns, keys and indices."""
    with sqlite3.connect(path) as connection:
        tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
        found: dict[str, list[tuple[object, ...]]] = {"": list(connection.execute("PRAGMA user_version"))}
        for table in tables:
            found[table] = [
                row
                for pragma in ("table_info", "foreign_key_list", "index_list")
                for row in connection.execute(f"PRAGMA {pragma}({table})")
            ]
        indices = connection.execute(
            "SELECT name, lower(sql) FROM sqlite_schema WHERE type = 'index' ORDER BY 1"
        )
        found["indices"] = list(indices)
    return found


def test_a_file_of_format_0_is_brought_up_to_date(path: Path) -> None:
    brain_of_format_0(path)
    with Store.open(path) as store:
        with store.lesson("teach", "ship") as lesson:
            lesson.put_symbol(SymbolRecord("ship"))
        assert set(store.read().symbols) == {"ship"}
    with sqlite3.connect(path) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (SCHEMA,)


def test_a_file_of_format_1_gets_its_tally(path: Path, taught: Snapshot) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("DROP TABLE tally")
        connection.execute("PRAGMA user_version = 1")
    with Store.open(path) as store:
        assert store.read() == taught
    with sqlite3.connect(path) as connection:
        connection.execute("DELETE FROM observation WHERE id = 1")
    with pytest.raises(UnrenderError, match="is damaged"), Store.open(path) as store:
        store.read()


def test_the_migrations_lead_to_the_tables_of_a_new_file(path: Path, tmp_path: Path) -> None:
    brain_of_format_0(path)
    Store.open(path).close()
    Store.open(tmp_path / "new.brain").close()
    assert schema(path) == schema(tmp_path / "new.brain")


NEXT = """
import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.add_column("lesson", sa.Column("teacher", sa.Text, nullable=False, server_default="a person"))
"""


def test_only_the_missing_migrations_run_and_nothing_is_lost(
    path: Path, tmp_path: Path, taught: Snapshot
) -> None:
    versions = tmp_path / "scripts" / "versions"
    versions.mkdir(parents=True)
    for script in (SCRIPTS / "versions").glob("*.py"):
        (versions / script.name).write_bytes(script.read_bytes())
    (versions / "v0004.py").write_text(NEXT)
    with create_engine(f"sqlite:///{path}").begin() as connection:
        upgrade(connection, versions.parent)
    with sqlite3.connect(path) as file:
        assert file.execute("PRAGMA user_version").fetchone() == (4,)
        assert file.execute("SELECT title, teacher FROM lesson").fetchall() == [
            ("ship", "a person"),
            ("house", "a person"),
        ]
        file.execute("ALTER TABLE lesson DROP COLUMN teacher")
        file.execute("PRAGMA user_version = 3")
    with Store.open(path) as store:
        assert store.read() == taught


def test_a_newer_format_is_named_and_left_alone(path: Path, taught: Snapshot) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA user_version = 7")
    before = path.read_bytes()
    with pytest.raises(UnrenderError, match=rf"newer unrender: it has format 7, .* up to {SCHEMA}; update"):
        Store.open(path)
    assert path.read_bytes() == before
