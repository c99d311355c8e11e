"""Permanent memory: the brain file, one SQLite database in which every lesson is one transaction."""

from unrender.memory.records import LessonRecord, RouteRecord, Snapshot, SymbolRecord
from unrender.memory.store import Store

__all__ = ["LessonRecord", "RouteRecord", "Snapshot", "Store", "SymbolRecord"]
