"""SQLAlchemy around a connection to SQLite that is open already."""

from __future__ import annotations

import sqlite3

from sqlalchemy import Connection, StaticPool, create_engine


def around(driver: sqlite3.Connection) -> Connection:
    """The same connection, for statements that are put together. Transactions are begun and ended in so many
    words, which SQLAlchemy leaves alone; but in setting itself up it rolls back, so none may be open yet."""
    engine = create_engine(
        "sqlite://", creator=lambda: driver, poolclass=StaticPool, isolation_level="AUTOCOMMIT"
    )
    return engine.connect()


def driver_of(connection: Connection) -> sqlite3.Connection:
    """The connection that it is around."""
    found = connection.connection.driver_connection
    assert isinstance(found, sqlite3.Connection)
    return found
