"""How a brain file of an older format becomes one of today's: alembic scripts, one for each format.

The number of a script is the format it leads to, kept in the file as PRAGMA user_version; there is no other
table of versions.
"""

from __future__ import annotations

from pathlib import Path

from alembic.operations import Operations
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

SCRIPTS = Path(__file__).parent


def upgrade(connection: Connection, scripts: Path = SCRIPTS, until: int | None = None) -> None:
    """Run the scripts that the file has not seen, oldest first, inside the caller's transaction.

    until: the format after which to stop, if not the newest.
    """
    version = int(connection.exec_driver_sql("PRAGMA user_version").scalar_one())
    directory = ScriptDirectory(str(scripts))
    with Operations.context(MigrationContext.configure(connection)):
        for script in reversed(list(directory.walk_revisions())):
            number = int(script.revision)
            if version < number and (until is None or number <= until):
                script.module.upgrade()
                connection.exec_driver_sql(f"PRAGMA user_version = {number}")
