"""One number over all rows of a brain file: which there are, whether each is current, and their seals.

A seal says that a row is as it was written. The tally says that no row is missing, was added or came back:
SQLite keeps no checksums of its pages, and a single changed byte can hide a row or end its life.
"""

from __future__ import annotations

import sqlite3

from unrender.memory.layout import MORTAL
from unrender.memory.trouble import DamageError

_ID, _DIED = 1_000_003, 1_299_709  # weights, so that a change of one column is no change of another


def _sum(weight: int, table: str) -> str:
    """SQL for the share of one table."""
    died = "coalesce(died, 0)" if table in MORTAL else "0"
    return f"{weight} * (SELECT coalesce(sum(1 + {_ID} * id + {_DIED} * {died} + seal), 0) FROM {table})"


_TOTAL = " + ".join(_sum(weight, table) for weight, table in enumerate(("lesson", *MORTAL), start=1))


def start(connection: sqlite3.Connection) -> None:
    """Begin the tally of a file that has none."""
    connection.execute(f"INSERT INTO tally (id, total) VALUES (1, {_TOTAL})")


def check(connection: sqlite3.Connection) -> None:
    """Make sure that all rows are there that were, and no others."""
    found = connection.execute(f"SELECT id = 1 AND total = {_TOTAL} FROM tally").fetchall()
    if found != [(1,)]:
        raise DamageError


def renew(connection: sqlite3.Connection) -> None:
    """Count again, at the end of what was written."""
    connection.execute(f"UPDATE tally SET total = {_TOTAL}")
