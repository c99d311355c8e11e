"""A table of all objects in a Parquet file, made of a journal of rows, and made a journal again."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from itertools import chain, groupby
from pathlib import Path
from typing import Any

from unrender.batch.journal import entries_of
from unrender.errors import UnrenderError
from unrender.exports.save import replacing

Row = dict[str, Any]

KEY = b"unrender"  # of what the file says about itself
GROUP = 50_000  # rows that are written at once
TYPES = {  # of the columns that every object has, in their order; attributes, which are numbers, follow
    "picture": "string",
    "frame": "int64",
    "id": "int64",
    "parent": "int64",
    "symbol": "string",
    "p": "float64",
    "route": "string",
    "track": "int64",
    "depth": "int64",
    "x": "float64",
    "y": "float64",
    "width": "float64",
    "height": "float64",
    "rotation": "float64",
    "velocity x": "float64",
    "velocity y": "float64",
    "spin": "float64",
}


def check_parquet() -> None:
    """Whether such files can be written at all."""
    try:
        import pyarrow.parquet  # noqa: F401
    except ImportError:
        raise UnrenderError('Parquet needs one more package: pip install "unrender[parquet]".') from None


def fold(journal: Path, goal: Path, made_by: str) -> None:
    """Write all rows of a journal as a table, all of it or nothing.

    The file also says who made it, in which pictures there is nothing, and which failed, and why.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    names, empty, failed = dict.fromkeys(TYPES), [], {}
    for entry in _entries(journal):
        names |= dict.fromkeys(name for row in entry["rows"] for name in row)
        if "error" in entry:
            failed[entry["image"]] = entry["error"]
        elif not entry["rows"]:
            empty.append(entry["image"])
    about = {KEY: json.dumps({"made_by": made_by, "empty": empty, "failed": failed})}
    fields = [pa.field(name, pa.type_for_alias(TYPES.get(name, "float64"))) for name in names]
    schema = pa.schema(fields, about)
    rows = chain.from_iterable(entry["rows"] for entry in _entries(journal))
    with replacing(goal) as file:
        with pq.ParquetWriter(file, schema, compression="zstd") as writer:
            for group in _batches(rows):
                writer.write_table(pa.Table.from_pylist(group, schema))
        file.flush()
        os.fsync(file.fileno())  # the journal is removed next


def unfold(table: Path, journal: Path) -> None:
    """Write the journal that a table was made of, all of it or nothing."""
    with replacing(journal) as file:
        for entry in _unfolded(table):
            file.write(json.dumps(entry).encode() + b"\n")
        file.flush()
        os.fsync(file.fileno())


def _unfolded(path: Path) -> Iterator[dict[str, Any]]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as table:
            about = json.loads((table.schema_arrow.metadata or {})[KEY])
            head = {"made_by": about["made_by"]}
            for image in about["empty"]:
                yield {"image": image} | head | {"rows": []}
            rows = (row for batch in table.iter_batches() for row in batch.to_pylist())
            for image, group in groupby(rows, lambda row: row["picture"]):
                failed = about["failed"].get(image)
                yield {"image": image} | head | {"rows": list(group)} | ({"error": failed} if failed else {})
    except (pa.ArrowInvalid, ValueError, KeyError, TypeError):
        raise UnrenderError(
            f'"{path}" was not written by "unrender see"; choose another name with -o, or let it be replaced '
            "with --again."
        ) from None


def _entries(journal: Path) -> Iterator[dict[str, Any]]:
    return (entry for entry in entries_of(journal) if entry is not None)


def _batches(rows: Iterable[Row]) -> Iterator[list[Row]]:
    batch: list[Row] = []
    for row in rows:
        batch.append(row)
        if len(batch) == GROUP:
            yield batch
            batch = []
    if batch:
        yield batch
