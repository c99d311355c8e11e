"""Brain files: damaged bytes never become knowledge, and rows that lie are refused or do no harm."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import strategies as st
from sqlalchemy import create_engine, select, update

import unrender
from unrender import Scene
from unrender.memory import Snapshot, Store, tables, tally
from unrender.memory.alchemy import driver_of
from unrender.memory.layout import seal
from unrender.memory.weights import pack, unpack

from .cases import HERE, corpus, ended, fuzz, kept
from .mutators import alterations, altered, mutated

TAUGHT = HERE / "corpus" / "brains" / "taught.brain"
JSON = {
    "symbol": ["attributes"],
    "route": ["parts", "body"],
    "observation": ["entry"],
    "record": ["body"],
    "lesson": ["details"],
}
PLAIN = {
    "symbol": ["name"],
    "route": ["symbol", "number", "kind", "label", "given"],
    "record": ["kind", "key"],
}


@pytest.fixture(scope="module")
def known() -> Snapshot:
    return read(TAUGHT)


@pytest.fixture(scope="module")
def lamp() -> Scene:
    """The lamp that the brain was taught, as the primitives that are seen."""
    brain = unrender.open()
    picture = brain.draw("circle", position=(26, 42), size=(24, 24), red=0.9)
    return brain.see(brain.draw("square", position=(54, 42), size=(20, 20), green=0.8, canvas=picture))


def read(path: Path) -> Snapshot:
    with Store.open(path) as store:
        return store.read()


def use(path: Path, lamp: Scene) -> None:
    """Open a brain, and use what it knows in every way."""
    brain = ended(lambda: unrender.open(path))
    if brain is None:
        return
    with brain:
        seen = ended(lambda: brain.see_again(lamp))
        if seen is None:
            return
        ended(lambda: seen.question)
        ended(lambda: seen.image)
        ended(lambda: str(brain.grammar))
        ended(lambda: (str(brain.matrix), brain.lessons))
        for symbol in list(brain.symbols)[:3]:
            ended(lambda symbol=symbol: brain.draw(symbol))
        ended(lambda: seen.edit("1.rotation+=30") and seen.image)
        ended(lambda: brain.teach(brain.see_again(lamp), "pair"))
        ended(brain.undo)


@fuzz(30, content=mutated(corpus("brains")))
def test_damaged_bytes_never_become_knowledge(content: bytes, known: Snapshot, tmp_path: Path) -> None:
    path = tmp_path / "my.brain"
    path.write_bytes(content)
    found = ended(lambda: read(path))
    assert found in (None, known) or not content


@fuzz(10, where=st.integers(0, 1 << 20), value=st.integers(0, 255))
def test_one_changed_byte_never_becomes_knowledge(
    where: int, value: int, known: Snapshot, lamp: Scene, tmp_path: Path
) -> None:
    path, content = tmp_path / "my.brain", bytearray(TAUGHT.read_bytes())
    content[where % len(content)] = value
    path.write_bytes(content)
    assert ended(lambda: read(path)) in (None, known)
    use(path, lamp)


def rewritten(path: Path, change: Callable[[Any], None]) -> None:
    """A copy of the brain in which something was changed, and all checksums are right again."""
    shutil.copy(TAUGHT, path)
    engine = create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        change(connection)
        for table in tables.metadata.sorted_tables:
            for row in connection.execute(select(table)).mappings().all() if "seal" in table.c else ():
                right = seal(table.name, row)
                connection.execute(update(table).where(table.c.id == row["id"]).values(seal=right))
        tally.renew(driver_of(connection))
    engine.dispose()


def changing(table: str, column: str, which: int, new: Callable[[Any], Any]) -> Callable[[Any], None]:
    def change(connection: Any) -> None:
        own = tables.metadata.tables[table]
        rows = connection.execute(select(own.c.id, own.c[column])).all()
        row = rows[which % len(rows)]
        connection.execute(update(own).where(own.c.id == row[0]).values({column: new(row[1])}))

    return change


places = st.sampled_from([(table, column) for table, columns in JSON.items() for column in columns])


@fuzz(25, place=places, which=st.integers(0, 20), changes=alterations())
def test_rows_that_lie_do_no_harm(
    place: tuple[str, str], which: int, changes: list[Any], lamp: Scene, tmp_path: Path
) -> None:
    def lie(text: str) -> str:
        return json.dumps(altered(json.loads(text), changes))

    path = tmp_path / "my.brain"
    rewritten(path, changing(*place, which, lie))
    use(path, lamp)


plain = st.sampled_from([(table, column) for table, columns in PLAIN.items() for column in columns])
odd = st.sampled_from(
    [
        "",
        "lamp",
        "tower",
        "circle",
        "x" * 300,
        "\0",
        "[a] -> [circle]",
        "[tower] -> [tower]",
        0,
        -1,
        2.5,
        1 << 62,
        b"\xff",
    ]
)


@fuzz(10, place=plain, which=st.integers(0, 20), value=odd)
def test_rows_of_wrong_types_do_no_harm(
    place: tuple[str, str], which: int, value: object, lamp: Scene, tmp_path: Path
) -> None:
    path = tmp_path / "my.brain"
    try:
        rewritten(path, changing(*place, which, lambda _: value))
    except Exception:  # SQLite refuses a second current row of a name by itself
        return
    use(path, lamp)


@fuzz(
    8,
    which=st.integers(0, 20),
    name=st.integers(0, 20),
    kind=st.sampled_from(["f4", "f8", "i8", "u1", "?"]),
    shape=st.lists(st.sampled_from([0, 1, 2, 3, 8, 32, 33, 64, 2000]), max_size=3),
    value=st.sampled_from([0.0, 1e30, float("nan"), float("inf")]),
    how=st.sampled_from(["replace", "remove", "rename"]),
)
def test_weights_of_any_shape_do_no_harm(
    which: int, name: int, kind: str, shape: list[int], value: float, how: str, lamp: Scene, tmp_path: Path
) -> None:
    def lie(blob: bytes) -> bytes:
        arrays = dict(unpack(blob))
        chosen = sorted(arrays)[name % len(arrays)]
        old = arrays.pop(chosen)
        if how == "rename":
            arrays["x" * 100] = old
        elif how == "replace" and np.prod(shape) < 1e7:
            with np.errstate(all="ignore"):
                arrays[chosen] = np.full(shape, value).astype(kind)
        return pack(arrays)

    path = tmp_path / "my.brain"
    rewritten(path, changing("weights", "blob", which, lie))
    use(path, lamp)


@fuzz(
    2,
    which=st.integers(0, 20),
    blob=mutated([b"\x08\0\0\0\0\0\0\0{}      ", pack({"0.weight": np.ones((4, 4))})]),
)
def test_weights_of_any_bytes_do_no_harm(which: int, blob: bytes, lamp: Scene, tmp_path: Path) -> None:
    path = tmp_path / "my.brain"
    rewritten(path, changing("weights", "blob", which, lambda _: blob))
    use(path, lamp)


FOREIGN = [
    "DROP TABLE {table}",
    "ALTER TABLE {table} RENAME TO other",
    "DROP TABLE {table}; CREATE VIEW {table} AS SELECT 1 AS id, 2 AS seal",
    "DROP TABLE {table}; CREATE VIEW {table} AS WITH RECURSIVE n(id) AS "
    "(SELECT 1 UNION ALL SELECT id + 1 FROM n) SELECT id, id AS seal, NULL AS died FROM n",
    "DROP TABLE {table}; CREATE TABLE {table} (id TEXT, seal BLOB)",
    "DELETE FROM {table}",
    "INSERT INTO {table} (id) VALUES (99)",
    "UPDATE {table} SET id = -id",
    "UPDATE {table} SET id = 9223372036854775807 WHERE id = 1",
    "CREATE TRIGGER t AFTER INSERT ON {table} BEGIN DELETE FROM {table}; END",
    "ALTER TABLE {table} ADD COLUMN extra TEXT",
    "CREATE TABLE other (a); INSERT INTO other VALUES (zeroblob(100000))",
    "PRAGMA user_version = 0",
    "PRAGMA user_version = 1",
    "PRAGMA user_version = -5",
    "PRAGMA application_id = 7",
    "PRAGMA journal_mode = WAL",
    "PRAGMA encoding = 'UTF-16'; VACUUM",
]


@fuzz(
    8,
    lines=st.lists(
        st.tuples(st.sampled_from(FOREIGN), st.sampled_from(sorted(tables.metadata.tables))),
        min_size=1,
        max_size=2,
    ),
)
def test_a_foreign_database_does_no_harm(lines: list[tuple[str, str]], lamp: Scene, tmp_path: Path) -> None:
    path = tmp_path / "my.brain"
    for old in tmp_path.iterdir():
        old.unlink()
    shutil.copy(TAUGHT, path)
    connection = sqlite3.connect(path, isolation_level=None)
    for line, table in lines:
        try:
            connection.executescript(line.format(table=table))
        except sqlite3.Error:
            break  # two that exclude each other
    connection.close()
    use(path, lamp)


@pytest.mark.parametrize("path", kept("brains"), ids=lambda path: path.name)
def test_a_brain_that_once_failed_does_not_fail_again(path: Path, lamp: Scene, tmp_path: Path) -> None:
    shutil.copy(path, tmp_path / "my.brain")
    use(tmp_path / "my.brain", lamp)
