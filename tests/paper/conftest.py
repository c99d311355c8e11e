"""A test marked `paper("eq:Gamma1")` is the test of that row of docs/paper-map.md: while it runs, the package
must run everything that the row names.

A function is run when something of the package calls it, or when it is a door: documented in docs/api.md, to
be called by anybody. That a test calls it does not count. A class is run when a function of it is. An enum
and a table of numbers are run when a function that is run reads them.
"""

from __future__ import annotations

import importlib
import re
import sys
import threading
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from functools import cache, cached_property, reduce
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
SOURCE, TESTS = str(ROOT / "src" / "unrender"), str(ROOT / "tests")
GENERATED = "<string>"  # the file of what `dataclass` writes
MAP = (ROOT / "docs" / "paper-map.md").read_text(encoding="utf-8")
API = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
Ran = dict[int, tuple[CodeType, dict[str, Any]]]
"""Code and its globals, by the id of the code: two functions may be equal, letter by letter."""


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "paper(*rows): runs all that these rows of docs/paper-map.md name")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, Any]:
    rows = [row for mark in item.iter_markers("paper") for row in mark.args]
    if not rows:
        return (yield)
    ran: Ran = {}
    with watched(ran):
        outcome = yield
    for row in rows:
        idle = [word for word, thing in named(row).items() if not is_run(word, thing, ran)]
        assert not idle, f'the package does not run what the row "{row}" names: {", ".join(idle)}'
    return outcome


@contextmanager
def watched(ran: Ran) -> Iterator[None]:
    """Note the code of all that the package calls in this block."""
    open_ = doors()
    others: dict[int, CodeType] = {}  # of other packages, which call far more than they are asked about

    def note(frame: FrameType, event: str, _: Any) -> None:  # only at calls: it traces no lines
        code = frame.f_code
        if id(code) in ran or id(code) in others:
            return
        if not code.co_filename.startswith((SOURCE, GENERATED)):
            others[id(code)] = code
            return
        if id(code) in open_ or by_package(frame.f_back):
            ran[id(code)] = code, frame.f_globals

    before = sys.gettrace()
    sys.settrace(note)
    threading.settrace(note)
    try:
        yield
    finally:
        sys.settrace(before)
        threading.settrace(None)  # type: ignore[arg-type]


def by_package(frame: FrameType | None) -> bool:
    """Whether the nearest caller that is ours or a test is ours."""
    while frame is not None:
        if frame.f_code.co_filename.startswith(SOURCE):
            return True
        if frame.f_code.co_filename.startswith(TESTS):
            return False
        frame = frame.f_back
    return False


def is_run(word: str, thing: Any, ran: Ran) -> bool:
    if any(id(code) in ran for code in codes(thing)):
        return True
    last = word.split(".")[-1]
    callable_ = isinstance(thing, FunctionType | property | cached_property)
    return not callable_ and any(
        last in code.co_names and space.get(last) is thing for code, space in ran.values()
    )


def codes(thing: Any) -> list[CodeType]:
    """The code of a function, or of all functions of a class."""
    if isinstance(thing, type):
        return [code for own in vars(thing).values() for code in codes(own)]
    while hasattr(thing, "__wrapped__"):  # decorated
        thing = thing.__wrapped__
    inner = getattr(thing, "fget", None) or getattr(thing, "func", None) or getattr(thing, "__func__", thing)
    return [inner.__code__] if hasattr(inner, "__code__") else []


def named(row: str) -> dict[str, Any]:
    """What a row of the map names: by its words, in the files before them."""
    line = next(line for line in MAP.splitlines() if line.startswith(f"| {row} |"))
    found, module = {}, None
    for word in re.findall(r"`([^`]+)`", line.split("|")[3]):
        if "/" not in word:
            found[word] = reduce(getattr, word.split("."), module)
        elif word.startswith("src/"):
            module = importlib.import_module(word.removeprefix("src/").removesuffix(".py").replace("/", "."))
    return found


@cache
def doors() -> frozenset[int]:
    """The ids of the code of all that anybody may call."""
    found = (path.rpartition(".") for path in re.findall(r"auto(?:function|class):: (\S+)", API))
    things = [getattr(importlib.import_module(module), name) for module, _, name in found]
    return frozenset(id(code) for thing in things for code in codes(thing))
