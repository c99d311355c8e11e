"""Permanent memory: the brain file, one SQLite database in which every lesson is one transaction."""

from unrender.memory.records import LessonRecord, PastRecord, RouteRecord, Snapshot, SymbolRecord
from unrender.memory.store import Store

__all__ = ["LessonRecord", "PastRecord", "RouteRecord", "Snapshot", "Store", "SymbolRecord"]
