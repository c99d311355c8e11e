"""Where all that is seen goes as it comes, so that the same command goes on after a stop."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Generator, Iterable, Sequence
from dataclasses import replace
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import unrender
from unrender.batch.destinations import PARQUET, Goal
from unrender.batch.journal import Entry, Journal, joined
from unrender.batch.look import Report
from unrender.batch.summary import Keep, Seen
from unrender.errors import UnrenderError

if TYPE_CHECKING:
    from unrender.memory import Snapshot

JOURNAL = "unrender-journal.jsonl"  # in a folder of files, until all of them are there

Reports = Sequence[Report[Seen]]


class Results:
    """Nothing is written; the others are of this kind."""

    done: Collection[str] = frozenset()  # the pictures that were done before

    def put(self, image: str, reports: Reports) -> Reports:
        """Write what was seen in one picture or video; what cannot be written is a report of that."""
        return reports

    def finish(self, failed: bool) -> None:
        """All that was wanted has been looked at."""

    def close(self) -> None:
        """Let go of the files; called without `finish`, the same command will go on from here."""

    def __enter__(self) -> Results:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def kept(self, reports: Iterable[Report[Seen]]) -> Generator[Report[Seen]]:
        """The same reports, each once it is written."""
        for source, group in groupby(reports, lambda report: report.view.source):
            yield from self.put(str(source.path), list(group))


class Journaled(Results):
    """What is done stands in a journal."""

    def __init__(
        self, path: Path, made_by: str, again: bool, holds: Callable[[Entry], bool] | None = None
    ) -> None:
        self.journal = Journal(path, made_by, again=again, holds=holds)
        self.done = frozenset(self.journal.done)

    def close(self) -> None:
        self.journal.close()


class Lines(Journaled):
    """A line of JSON for each picture or frame; the file is its own journal."""

    def put(self, image: str, reports: Reports) -> Reports:
        whole = all(report.error is None for report in reports)
        self.journal.add(image, (_line(report, len(reports) if whole else None) for report in reports))
        return reports


def _line(report: Report[Seen], frames: int | None) -> str:
    frame = report.view.frame
    head = {} if frame is None else {"frame": frame, "frames": frames}
    return joined(head, {"error": report.error} if report.result is None else report.result.text)


class Parquet(Journaled):
    """One row for each object. Until all is done the rows stand in a journal beside the file."""

    def __init__(self, goal: Path, made_by: str, again: bool) -> None:
        from unrender.batch.parquet import check_parquet, unfold

        check_parquet()
        self.goal, self.made_by = goal, made_by
        beside = goal.with_name(f"{goal.name}.jsonl")
        if goal.exists() and not beside.exists() and not again:
            unfold(goal, beside)
        super().__init__(beside, made_by, again)

    def put(self, image: str, reports: Reports) -> Reports:
        rows = [row for report in reports if report.result is not None for row in report.result.rows]
        errors = [report.error for report in reports if report.error is not None]
        self.journal.add(image, [{"rows": rows} | ({"error": errors[0]} if errors else {})])
        return reports

    def finish(self, failed: bool) -> None:
        from unrender.batch.parquet import fold

        fold(self.journal.path, self.goal, self.made_by)
        self.journal.path.unlink()


class Files(Journaled):
    """Files in a folder for each picture or frame; a journal says which are done until all are."""

    def __init__(self, goal: Goal, made_by: str, again: bool) -> None:
        assert goal.folder is not None
        self.goal, self.folder = goal, goal.folder
        made_by = f"{made_by}, as {' '.join(goal.suffixes)}"
        super().__init__(goal.folder / JOURNAL, made_by, again, self._there)

    def _there(self, entry: Entry) -> bool:
        return all((self.folder / name).exists() for name in entry["files"])

    def put(self, image: str, reports: Reports) -> Reports:
        told = [self._write(report) for report in reports]
        if all(report.error is None for report in told):
            paths = [path for report in told for path in self.goal.paths(report.view)]
            self.journal.add(image, [{"files": [str(path.relative_to(self.folder)) for path in paths]}])
        return told

    def _write(self, report: Report[Seen]) -> Report[Seen]:
        if report.result is None:
            return report
        try:
            self.goal.write(report.result.files, report.view)
        except UnrenderError as error:
            return replace(report, result=None, error=str(error))
        return report

    def finish(self, failed: bool) -> None:
        if not failed:
            self.journal.path.unlink()


def results_of(goal: Goal, known: Snapshot | None, again: bool, max_seconds: float | None = None) -> Results:
    """What writes to this goal, and goes on where it was stopped, or begins `again`."""
    if goal.table is not None:
        kind = Parquet if goal.table.suffix.lower() == PARQUET else Lines
        return kind(goal.table, maker(known, max_seconds), again)
    return Results() if goal.folder is None else Files(goal, maker(known, max_seconds), again)


def keep_for(goal: Goal, lines: bool, remember: bool = False) -> Keep:
    """What is needed of a scene for this goal, for `lines` of JSON, and to `remember` it."""
    parquet = goal.table is not None and goal.table.suffix.lower() == PARQUET
    return Keep(goal.suffixes, lines or (goal.table is not None and not parquet), parquet, remember)


def maker(known: Snapshot | None, max_seconds: float | None = None) -> str:
    """Who sees, and how long: results by makers that differ do not belong together."""
    brain = "no brain" if known is None else f"brain {known.fingerprint}"
    return f"{eyes()}, {brain}" + ("" if max_seconds is None else f", at most {max_seconds:g} s a picture")


@cache
def eyes() -> str:
    """This unrender, and the weights that its primitives are seen with."""
    digest = hashlib.sha256()
    for path in sorted(
        (Path(unrender.__file__).parent / "perception" / "encoder" / "weights").glob("*.onnx")
    ):
        digest.update(path.name.encode() + path.read_bytes())
    return f"unrender {unrender.__version__} with weights {digest.hexdigest()[:8]}"
