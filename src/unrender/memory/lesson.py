"""What a lesson writes: rows that are born with it, and rows that die with it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import CursorResult, Executable, Table, delete, insert, select, update

from unrender.errors import UnrenderError
from unrender.memory import tables
from unrender.memory.database import Database
from unrender.memory.layout import seal
from unrender.memory.past import KIND as PAST
from unrender.memory.records import Json, LessonRecord, RouteRecord, SymbolRecord
from unrender.memory.snapshot import last_lesson
from unrender.memory.tables import MORTAL


class Lesson:
    """A lesson while it is being taught, inside its transaction. `Store.lesson` begins and ends it."""

    def __init__(self, database: Database, kind: str, title: str, details: Json) -> None:
        self._database = database
        self.over = False
        with database.plainly():
            self.before = last_lesson(database.driver)  # None if this is the first
        at = datetime.now(UTC).isoformat(timespec="milliseconds")
        self.id: int = self._insert(tables.lesson, kind=kind, title=title, details=_json(details), at=at)
        self.record = LessonRecord(self.id, kind, title, details, at)

    def put_symbol(self, symbol: SymbolRecord) -> None:
        """Write a symbol in place of the current one of that name, if there is one."""
        self._retire(tables.symbol, name=symbol.name)
        self._insert(tables.symbol, name=symbol.name, attributes=_json(symbol.attributes))

    def retire_symbol(self, name: str) -> None:
        """Retire a symbol; its routes stay until each is retired."""
        if not self._retire(tables.symbol, name=name):
            raise UnrenderError(f"There is no symbol [{name}] to retire.")

    def put_route(self, route: RouteRecord) -> None:
        """Write a route with all it holds, in place of the current one of that symbol and number."""
        old = self._find_route(route.symbol, route.number)
        if old is not None:
            self._retire_route(old)
        row = self._insert(
            tables.route,
            symbol=route.symbol,
            number=int(route.number),
            kind=route.kind,
            label=route.label,
            parts=_json(route.parts),
            given=route.given,
            body=_json(route.body),
        )
        if route.weights is not None:
            self._insert(tables.weights, route=row, blob=bytes(route.weights))
        for entry in route.observations:
            self._insert(tables.observation, route=row, entry=_json(entry))

    def retire_route(self, symbol: str, number: int) -> None:
        """Retire a route with its weights and observations."""
        self._retire_route(self._route(symbol, number))

    def add_observation(self, symbol: str, number: int, entry: Json) -> None:
        """Remember one more observation of a route."""
        self._insert(tables.observation, route=self._route(symbol, number), entry=_json(entry))

    def put_weights(self, symbol: str, number: int, blob: bytes) -> None:
        """Give a route new weights."""
        row = self._route(symbol, number)
        self._retire(tables.weights, route=row)
        self._insert(tables.weights, route=row, blob=bytes(blob))

    def put_record(self, kind: str, key: str, body: Json) -> None:
        """Write a record in place of the current one of that kind and key, if there is one."""
        self._retire(tables.record, kind=kind, key=key)
        self._insert(tables.record, kind=kind, key=key, body=_json(body))

    def retire_record(self, kind: str, key: str) -> None:
        """Retire a record."""
        if not self._retire(tables.record, kind=kind, key=key):
            raise UnrenderError(f'There is no {kind} "{key}" to retire.')

    def drop_past(self, rank: int) -> None:
        """Retire what is remembered of a route, if there is anything."""
        self._retire(tables.record, kind=PAST, key=str(rank))

    def _find_route(self, symbol: str, number: int) -> int | None:
        """The row of a current route."""
        c = tables.route.c
        query = select(c.id).where(c.symbol == symbol, c.number == int(number), c.died.is_(None))
        found: int | None = self._execute(query).scalar_one_or_none()
        return found

    def _route(self, symbol: str, number: int) -> int:
        row = self._find_route(symbol, number)
        if row is None:
            raise UnrenderError(f'There is no route "{symbol}/{number}".')
        return row

    def _retire_route(self, row: int) -> None:
        self._retire(tables.weights, route=row)
        self._retire(tables.observation, route=row)
        self._retire(tables.route, id=row)

    def _retire(self, table: Table, **where: object) -> bool:
        """Let the current rows with these values die; whether there were any."""
        same = [table.c[name] == value for name, value in where.items()]
        change = update(table).where(*same, table.c.died.is_(None)).values(died=self.id)
        return bool(self._execute(change).rowcount)

    def _insert(self, table: Table, **values: object) -> int:
        if "born" in table.c:
            values["born"] = self.id
        return int(self._execute(insert(table).values(**values, seal=seal(table.name, values))).lastrowid)

    def _execute(self, statement: Executable) -> CursorResult[Any]:
        if self.over:
            raise UnrenderError("This lesson is over; begin another one.")
        with self._database.plainly():
            return self._database.writer.execute(statement)


def undo_last(database: Database) -> LessonRecord:
    """Make the last lesson not have been: what it made goes, what it retired is current again."""
    last = last_lesson(database.driver)
    if last is None:
        raise UnrenderError("There is no lesson to undo.")
    for table in MORTAL:
        database.writer.execute(delete(table).where(table.c.born == last.id))
    for table in MORTAL:
        database.writer.execute(update(table).where(table.c.died == last.id).values(died=None))
    database.writer.execute(delete(tables.lesson).where(tables.lesson.c.id == last.id))
    return last


def _json(value: Json | Iterable[str]) -> str:
    return json.dumps(value, allow_nan=False, separators=(",", ":"))
