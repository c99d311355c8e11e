"""What permanent memory holds, as plain values. Every `dict` here is JSON: string keys, lists, no tuples."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field, replace
from typing import Any

Json = dict[str, Any]


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
        """16 hex digits that stand for all that decides what is seen: symbols and routes, not the history."""
        symbols = {name: symbol.attributes for name, symbol in self.symbols.items()}
        routes = [asdict(replace(route, row=0)) for route in self.routes]
        text = json.dumps([symbols, routes], sort_keys=True, default=bytes.hex)
        return hashlib.sha256(text.encode()).hexdigest()[:16]
