"""What permanent memory holds, as plain values. Every `dict` here is JSON: string keys, lists, no tuples."""

from __future__ import annotations

import hashlib
import json
import math
from dataclasses import asdict, dataclass, field, replace
from typing import Any

Json = dict[str, Any]
MOST = 1 << 53  # observations that can be counted


@dataclass(frozen=True)
class SymbolRecord:
    """A symbol and the names of its attributes, in their order."""

    name: str
    attributes: tuple[str, ...] = ()


@dataclass(frozen=True)
class RouteRecord:
    """One route of a symbol: the rule it was made from, its network and what it has observed."""

    symbol: str
    number: int  # 1 for the route "ship/1"
    kind: str
    label: str = ""
    parts: tuple[str, ...] = ()  # symbols
    given: str | None = None  # the grammar text, where g is written down instead of learned
    body: Json = field(default_factory=dict)
    weights: bytes | None = None  # safetensors
    observations: tuple[Json, ...] = ()  # oldest first
    row: int = field(default=0, compare=False)  # in the file: the larger, the later it was written


@dataclass(frozen=True)
class PastRecord:
    """How often each part of a route was seen where that was to be remembered, and its mean p then."""

    counts: tuple[int, ...]
    means: tuple[float, ...]  # 0 where the count is

    @classmethod
    def of(cls, body: Json) -> PastRecord:
        """From the JSON of `body`; a ValueError or TypeError if it cannot be."""
        counts, means = tuple(body.get("counts", ())), tuple(body.get("means", ()))
        whole = all(type(n) is int and 0 <= n < MOST for n in counts)
        if not whole or len(counts) != len(means) or not all(0 <= float(p) <= 1 + 1e-6 for p in means):
            raise ValueError("a past that cannot be")
        return cls(counts, means)

    @property
    def body(self) -> Json:
        """Plain JSON values."""
        return {"counts": list(self.counts), "means": list(self.means)}

    def __add__(self, other: PastRecord) -> PastRecord:
        """The past with the observations of both."""
        counts = tuple(a + b for a, b in zip(self.counts, other.counts, strict=True))
        sums = [
            math.fsum((a * p, b * q))
            for a, p, b, q in zip(self.counts, self.means, other.counts, other.means, strict=True)
        ]
        return PastRecord(counts, tuple(s / n if n else 0.0 for s, n in zip(sums, counts, strict=True)))


@dataclass(frozen=True)
class LessonRecord:
    """One lesson: what it was about, and when it was taught (ISO 8601, UTC)."""

    id: int
    kind: str
    title: str
    details: Json
    at: str


@dataclass(frozen=True)
class Snapshot:
    """All that is known at one instant: whole lessons only."""

    symbols: dict[str, SymbolRecord] = field(default_factory=dict)  # by name
    routes: tuple[RouteRecord, ...] = ()  # ordered by symbol and number
    lessons: tuple[LessonRecord, ...] = ()  # oldest first
    records: dict[str, dict[str, Json]] = field(default_factory=dict)  # kind -> key -> body

    @property
    def fingerprint(self) -> str:
        """16 hex digits that stand for all that is taught: symbols and routes, not the history. What is
        remembered, which moves p alone, is left out: it grows with every picture."""
        symbols = {name: symbol.attributes for name, symbol in self.symbols.items()}
        routes = [asdict(replace(route, row=0)) for route in self.routes]
        text = json.dumps([symbols, routes], sort_keys=True, default=bytes.hex)
        return hashlib.sha256(text.encode()).hexdigest()[:16]
