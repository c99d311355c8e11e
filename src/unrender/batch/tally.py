"""What was found in many pictures, in all of them and one by one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from unrender.batch.look import Report, View
from unrender.batch.sources import Source
from unrender.batch.summary import Seen

if TYPE_CHECKING:
    from rich.table import Table

LISTED = 40  # pictures that are listed one by one


@dataclass
class Total:
    """One kind of object: how many there are, in how many pictures, and how sure."""

    objects: int = 0
    pictures: int = 0
    p: float = 0.0  # summed over objects

    def add(self, ps: list[float]) -> None:
        self.objects += len(ps)
        self.pictures += 1
        self.p += sum(ps)


@dataclass
class Tally:
    """Reports, counted as they come; only of the first few is more kept than that."""

    sources: int = 0  # pictures and videos
    seen: int = 0  # pictures and frames
    files: int = 0
    unfinished: int = 0  # time was up
    failed: list[Report[Seen]] = field(default_factory=list)
    first: list[tuple[View, Seen | None]] = field(default_factory=list)
    totals: dict[str, Total] = field(default_factory=dict)  # by symbol
    _latest: Source | None = None

    @property
    def reports(self) -> int:
        """How many there were."""
        return self.seen + len(self.failed)

    def add(self, report: Report[Seen]) -> None:
        """One more; those of one video come one after the other."""
        result = report.result
        self.sources += report.view.source is not self._latest
        self._latest = report.view.source
        if result is None:
            self.failed.append(report)
        else:
            self.seen += 1
            self.files += len(result.files)
            self.unfinished += not result.complete
            for symbol, ps in result.found.items():
                self.totals.setdefault(symbol, Total()).add(ps)
        if self.reports <= LISTED:
            self.first.append(
                (
                    report.view,
                    None if result is None else Seen(result.size, result.found, complete=result.complete),
                )
            )

    def listed(self) -> Table | None:
        """What is in each picture, if there are not too many."""
        from rich.table import Table
        from rich.text import Text

        if self.reports > LISTED:
            return None
        rows = Table(box=None, pad_edge=False)
        for name in ("picture", "size", "what is in it"):
            rows.add_column(name, overflow="fold")
        for view, seen in self.first:
            if seen is None:
                rows.add_row(Text(str(view)), "", Text("failed", "red"))
            else:
                what = ", ".join(f"{len(ps)} {symbol}" for symbol, ps in sorted(seen.found.items()))
                up = "" if seen.complete else ", when time was up"
                rows.add_row(Text(str(view)), seen.size, Text((what or "nothing") + up))
        return rows

    def table(self) -> Table:
        """Every kind of object."""
        from rich.table import Table
        from rich.text import Text

        rows = Table(box=None, pad_edge=False)
        rows.add_column("symbol")
        for name in ("objects", "pictures", "mean p"):
            rows.add_column(name, justify="right")
        for symbol, total in sorted(self.totals.items()):
            mean = f"{total.p / total.objects:.2f}"
            rows.add_row(Text(symbol, "bold"), str(total.objects), str(total.pictures), mean)
        return rows
