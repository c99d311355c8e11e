"""What can go wrong with a brain file, each in one sentence."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from unrender.errors import UnrenderError

_SENTENCES = {
    sqlite3.SQLITE_BUSY: "{} is in use by another program; try again when that one is done.",
    sqlite3.SQLITE_FULL: "The disk is full, so {} keeps only what it held before; make room and try again.",
    sqlite3.SQLITE_READONLY: "{} cannot be written; make the file and its folder writable.",
    sqlite3.SQLITE_READONLY_DBMOVED: "{} was moved or deleted while it was open; open it again.",
    sqlite3.SQLITE_READONLY_ROLLBACK: "{} was left in the middle of a lesson; open it once where the file "
    "and its folder are writable, and it is whole again.",
    sqlite3.SQLITE_IOERR: "{} could not be read or written, and keeps what it held before; check the disk "
    "and try again.",
    sqlite3.SQLITE_CANTOPEN: "{} cannot be opened; check the permissions of the file and its folder.",
    sqlite3.SQLITE_NOTADB: "{} is not a brain file and was left as it is; choose another file.",
    sqlite3.SQLITE_CORRUPT: "{} is damaged and was left as it is; restore it from a copy.",
    sqlite3.SQLITE_TOOBIG: "{} can hold no entry of more than 64 MB; keep less, or restore a copy.",
}
# Statements that are right, yet fail on a file whose tables or letters are not what they were.
_DAMAGE = (sqlite3.SQLITE_ERROR, sqlite3.SQLITE_MISMATCH, sqlite3.SQLITE_FORMAT)


class DamageError(Exception):
    """What was read is not what was written."""


def sentence(code: int, name: str) -> UnrenderError:
    """The error for an SQLite result code, by its exact meaning where that is known, else by its kind."""
    text = _SENTENCES.get(code) or _SENTENCES.get(code & 0xFF) or "{} could not be used; open it again."
    subject = f'"{name}"' if code == sqlite3.SQLITE_NOTADB else f'the brain file "{name}"'
    named = text.format(subject)
    return UnrenderError(named[0].upper() + named[1:])


def _code(error: sqlite3.Error) -> int:
    """The SQLite result code of a driver's error."""
    # Python's own complaint about letters that are not UTF-8 has no code.
    unnamed = sqlite3.SQLITE_ERROR if isinstance(error, sqlite3.OperationalError) else sqlite3.SQLITE_MISUSE
    code = int(getattr(error, "sqlite_errorcode", unnamed))
    return sqlite3.SQLITE_CORRUPT if code & 0xFF in _DAMAGE else code


@contextmanager
def plainly(name: str) -> Iterator[None]:
    """Every error of the database within, as an UnrenderError about the brain file `name`."""
    try:
        yield
    except (DamageError, UnicodeDecodeError) as error:
        raise sentence(sqlite3.SQLITE_CORRUPT, name) from error
    except UnicodeEncodeError as error:
        raise UnrenderError(f"The text {error.object!r} has characters that cannot be kept.") from error
    except Exception as error:
        driver = getattr(error, "orig", error)  # where SQLAlchemy, which reading does without, is around it
        if not isinstance(driver, sqlite3.Error):
            raise
        raise sentence(_code(driver), name) from error
