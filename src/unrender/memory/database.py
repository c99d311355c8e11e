"""One connection to one brain file: opened, checked, brought up to date, and its transactions."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cached_property
from typing import TYPE_CHECKING

from unrender.errors import UnrenderError
from unrender.memory import tally
from unrender.memory.layout import APPLICATION, SCHEMA, create
from unrender.memory.place import Place
from unrender.memory.schema import is_known
from unrender.memory.trouble import DamageError, plainly, sentence

if TYPE_CHECKING:
    from sqlalchemy import Connection

_SETTINGS = {
    "journal_mode": "DELETE",  # no second file once a lesson is over
    "synchronous": "EXTRA",  # FULL, and the removal of the journal, which is the commit, is on disk too
    "foreign_keys": "ON",
    "cell_size_check": "ON",  # find damage earlier
}
LARGEST = 64 << 20  # bytes of one entry


class Database:
    """A connection that belongs to one process and is used by one thread at a time."""

    def __init__(self, place: Place, timeout: float) -> None:
        """Open the file at `place`; wait at most `timeout` seconds for other programs to be done with it."""
        self.place = place
        self.process = os.getpid()
        self._sound = False
        with plainly(place.name):
            self.driver = sqlite3.connect(
                place.uri, timeout, uri=True, isolation_level=None, check_same_thread=False
            )
        try:
            self.driver.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LARGEST)
            with plainly(place.name):
                self._prepare()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Let go of the file."""
        with suppress(sqlite3.Error):
            if "writer" in self.__dict__:
                self.writer.close()
            self.driver.close()

    @cached_property
    def writer(self) -> Connection:
        """SQLAlchemy around the same connection; to be asked for before a transaction is begun."""
        from unrender.memory.alchemy import around

        assert not self.driver.in_transaction
        return around(self.driver)

    def pragma(self, name: str) -> int:
        """The value of a pragma that is a number."""
        (value,) = self.driver.execute(f"PRAGMA {name}").fetchone()
        return int(value)

    @contextmanager
    def plainly(self) -> Iterator[None]:
        """Statements that may fail; every error is an UnrenderError about this file."""
        if self.process != os.getpid():
            raise UnrenderError("A lesson goes on in the process that began it, not in a copy of it.")
        with plainly(self.place.name):
            yield

    @contextmanager
    def transaction(self, begin: str) -> Iterator[sqlite3.Connection]:
        """All of what happens within, or nothing of it; `begin` says which locks to take."""
        with self.plainly():
            self.driver.execute(begin)
        try:
            yield self.driver
            with self.plainly():
                self.driver.execute("COMMIT")
        except BaseException:
            self._roll_back()
            raise

    def _roll_back(self) -> None:
        # A rollback that fails leaves the journal, from which the next one to open the file restores it.
        if self.process == os.getpid() and self.driver.in_transaction:
            with suppress(sqlite3.Error):
                self.driver.execute("ROLLBACK")

    def check(self) -> None:
        """Make sure, once, that every page of the file is sound: lessons find their rows by the indices."""
        if not self._sound:
            if self.driver.execute("PRAGMA integrity_check(1)").fetchall() != [("ok",)]:
                raise DamageError
            self._sound = True

    def _prepare(self) -> None:
        """Make sure that the file is a brain of this version, and set the connection up."""
        self.driver.execute("PRAGMA trusted_schema = OFF")  # a file brings no code of its own
        if self.pragma("page_count") == 0:
            self._create()
        self._check()
        if self.pragma("user_version") < SCHEMA:
            self._upgrade()
        for name, value in _SETTINGS.items():
            self.driver.execute(f"PRAGMA {name} = {value}")

    def _create(self) -> None:
        if self.place.read_only:
            raise sentence(sqlite3.SQLITE_READONLY, self.place.name)
        with self.transaction("BEGIN IMMEDIATE"):
            if self.pragma("application_id") == 0:  # else another process was faster
                create(self.driver)
                tally.start(self.driver)
                self.driver.execute(f"PRAGMA application_id = {APPLICATION}")
                self.driver.execute(f"PRAGMA user_version = {SCHEMA}")

    def _check(self) -> None:
        if self.pragma("application_id") != APPLICATION:
            raise sentence(sqlite3.SQLITE_NOTADB, self.place.name)
        with self.transaction("BEGIN") as connection:  # nobody brings it up to date in between
            version = self.pragma("user_version")
            if version > SCHEMA:
                raise UnrenderError(
                    f'The brain file "{self.place.name}" comes from a newer unrender: it has format '
                    f"{version}, and this one reads formats up to {SCHEMA}; update unrender."
                )
            if not is_known(connection, version) or self._encoding != "UTF-8":
                raise UnrenderError(
                    f'The brain file "{self.place.name}" has tables or rules that unrender does not make, '
                    "and was left as it is; restore it from a copy."
                )

    @property
    def _encoding(self) -> str:
        (name,) = self.driver.execute("PRAGMA encoding").fetchone()
        return str(name)

    def _upgrade(self) -> None:
        if self.place.read_only:
            raise UnrenderError(
                f'The brain file "{self.place.name}" has an older format; open it once where the file and '
                "its folder are writable, and it is brought up to date."
            )
        from unrender.memory.migrations import upgrade

        writer = self.writer
        with self.transaction("BEGIN IMMEDIATE"):
            upgrade(writer)
