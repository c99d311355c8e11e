"""What is remembered of the parts of routes: how often each was seen, and its mean p.

It is kept as records, each under the rank of its route in the order of learning, which stays when a name is
changed. Remembering is no lesson: a record grows in place, and is born with the first of all lessons, so that
undoing any other one leaves it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

from unrender.errors import UnrenderError
from unrender.memory.layout import seal
from unrender.memory.records import PastRecord, Snapshot
from unrender.memory.snapshot import current_records
from unrender.memory.trouble import DamageError

if TYPE_CHECKING:
    from unrender.memory.database import Database

KIND = "past"


def past_of(snapshot: Snapshot) -> dict[int, PastRecord]:
    """What a snapshot remembers, by the rank of the route."""
    try:
        return {int(key): PastRecord.of(body) for key, body in snapshot.records.get(KIND, {}).items()}
    except (ValueError, TypeError, AttributeError):
        raise UnrenderError("What the brain remembers is damaged; restore it from a copy.") from None


def add_past(database: Database, seen: Mapping[int, PastRecord]) -> dict[int, PastRecord]:
    """Add observations to what is remembered of each route; what is remembered of these then. To be called
    inside a transaction that writes."""
    from sqlalchemy import func, insert, select, update

    from unrender.memory.tables import lesson, record

    rows = {row["key"]: row for row in current_records(database.driver, KIND)}
    born = database.writer.execute(select(func.min(lesson.c.id))).scalar_one()
    held = {}
    for rank, more in seen.items():
        row = rows.get(str(rank))
        try:
            old = None if row is None else PastRecord.of(json.loads(row["body"]))
        except (ValueError, TypeError, AttributeError, RecursionError) as error:
            raise DamageError from error
        # An unrender that knew nothing of this may have left the record of another route.
        held[rank] = more if old is None or len(old.counts) != len(more.counts) else old + more
        body = json.dumps(held[rank].body, allow_nan=False, separators=(",", ":"))
        if row is None:
            values = {"born": born, "kind": KIND, "key": str(rank), "body": body}
            database.writer.execute(insert(record).values(**values, seal=seal(record.name, values)))
        else:
            sealed = seal(record.name, row | {"body": body})
            change = update(record).where(record.c.id == row["id"])
            database.writer.execute(change.values(body=body, seal=sealed))
    return held
