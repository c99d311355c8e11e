"""Store: the one door to a brain file."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from types import TracebackType
from typing import TYPE_CHECKING

from unrender.errors import UnrenderError
from unrender.memory.place import MEMORY, Place, find
from unrender.memory.records import Json, LessonRecord, PastRecord, Snapshot

if TYPE_CHECKING:
    from unrender.memory.database import Database
    from unrender.memory.lesson import Lesson

# Connections that a fork brought along. They belong to the parent: using or even closing them here could
# harm what the parent is writing, so they are kept and never touched.
_inherited: list[Database] = []


class Store:
    """An open brain file. Threads may share it; a process made by a fork gets a connection of its own."""

    def __init__(self, place: Place, timeout: float) -> None:
        self._place = place
        self._timeout = timeout
        self._lock = threading.RLock()
        self._database: Database | None = _connect(place, timeout)
        self._version: int | None = None  # the file's data_version at our last read
        self._teaching = False

    @classmethod
    def open(cls, path: str | os.PathLike[str], timeout: float = 10.0) -> Store:
        """Open or create a brain file; ":memory:" is a throw-away that lives as long as the store.

        For `timeout` seconds we wait for other programs that use the same file.
        """
        return cls(find(path), timeout)

    @classmethod
    def holding(cls, snapshot: Snapshot) -> Store:
        """A throw-away in memory with all of a snapshot but its history."""
        store = cls.open(MEMORY)
        with store.lesson("recall", "what another brain knows") as lesson:
            for symbol in snapshot.symbols.values():
                lesson.put_symbol(symbol)
            for route in snapshot.routes:
                lesson.put_route(replace(route, body={"learned": route.row} | route.body))
            for kind, bodies in snapshot.records.items():
                for key, body in bodies.items():
                    lesson.put_record(kind, key, body)
        return store

    @property
    def path(self) -> str:
        """The path as it was given."""
        return self._place.name

    @property
    def read_only(self) -> bool:
        """Whether the file or its folder cannot be written, so that it can be read but not taught."""
        return self._place.read_only

    def read(self) -> Snapshot:
        """All that is known, from one instant; inside a lesson, with what that lesson has written so far."""
        from unrender.memory import tally
        from unrender.memory.snapshot import read_snapshot

        with self._using() as database, database.plainly():
            with nullcontext() if self._teaching else database.transaction("BEGIN"):
                if not self._teaching:
                    tally.check(database.driver)
                snapshot = read_snapshot(database.driver)
                self._version = database.pragma("data_version")
            return snapshot

    def changed(self) -> bool:
        """Whether anyone else has committed since our last read; our own lessons do not count."""

        with self._using() as database, database.plainly():
            return database.pragma("data_version") != self._version

    @contextmanager
    def lesson(self, kind: str, title: str, details: Json | None = None) -> Iterator[Lesson]:
        """One lesson, one transaction: when the block is left, it is safe on disk; on an error nothing is."""
        from unrender.memory.lesson import Lesson

        with self._writing() as database:
            lesson = Lesson(database, kind, title, details or {})
            try:
                yield lesson
            finally:
                lesson.over = True

    def remember(
        self, seen: Mapping[int, PastRecord], after: LessonRecord | None
    ) -> dict[int, PastRecord] | None:
        """Add observations, by the rank of their routes, to what is remembered: one transaction, no lesson.

        Returns what is remembered of these routes then; None, and nothing is done, if `after` is not the last
        lesson any more, for ranks may mean other routes then.
        """
        from unrender.memory.past import add_past
        from unrender.memory.snapshot import last_lesson

        with self._writing("remembered") as database, database.plainly():
            if last_lesson(database.driver) != after:
                return None
            return add_past(database, seen)

    def check_writable(self, wanted: str) -> None:
        """An error if nothing can be `wanted` ("taught"), for the file is read-only."""
        if self.read_only:
            raise UnrenderError(
                f'The brain file "{self.path}" cannot be written, so nothing can be {wanted}; make the '
                "file and its folder writable, or copy it."
            )

    def undo(self) -> LessonRecord:
        """Make the last lesson not have been, and say which it was."""
        from unrender.memory.lesson import undo_last

        with self._writing() as database, database.plainly():
            return undo_last(database)

    def close(self) -> None:
        """Let go of the file; closing twice does no harm."""
        self._leave_parent()
        with self._lock:
            self._refuse_while_teaching()
            if self._database is not None:
                self._database.close()
            self._database = None

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @contextmanager
    def _using(self) -> Iterator[Database]:
        """The connection, for this thread alone."""
        if self._leave_parent():
            if self.path == MEMORY:
                raise UnrenderError(
                    "A brain in memory stays in the process that opened it; share a file instead."
                )
            self._database = _connect(self._place, self._timeout)
        with self._lock:
            if self._database is None:
                raise UnrenderError(f'The brain file "{self.path}" is closed; open it again.')
            yield self._database

    @contextmanager
    def _writing(self, wanted: str = "taught") -> Iterator[Database]:
        """The connection inside a transaction that no other program writes beside; wanted: what for."""
        from unrender.memory import tally

        with self._using() as database:
            self._refuse_while_teaching()
            self.check_writable(wanted)
            database.writer  # noqa: B018  before the transaction, which making it would end
            with database.transaction("BEGIN IMMEDIATE") as connection:
                with database.plainly():
                    database.check()
                    tally.check(connection)
                self._teaching = True
                try:
                    yield database
                finally:
                    self._teaching = False
                with database.plainly():
                    tally.renew(connection)

    def _refuse_while_teaching(self) -> None:
        if self._teaching:
            raise UnrenderError("A lesson is being taught; finish it first.")

    def _leave_parent(self) -> bool:
        """After a fork, let go of the lock and the connection, which are the parent's; whether we did."""
        if self._database is None or self._database.process == os.getpid():
            return False
        _inherited.append(self._database)
        self._database = None
        self._lock = threading.RLock()
        self._teaching = False
        self._version = None
        return True


def _connect(place: Place, timeout: float) -> Database:
    from unrender.memory.database import Database

    return Database(place, timeout)
