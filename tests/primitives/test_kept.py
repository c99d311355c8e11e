"""The machine code that is kept on disk: found again, never stale, and compiled anew if it cannot be read."""

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from unrender.primitives import kept
from unrender.primitives.jit import compiled

INNER = "SCALE = {scale}\ndef inner(x):\n    return {sign}x * SCALE\n"
OUTER = """
from unrender.primitives.jit import compiled
import inner_loop
from inner_loop import SCALE
inner = compiled(inner_loop.inner)
@compiled
def outer(x):
    return inner(x) + SCALE
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where code is kept, and where the modules of a test are."""
    monkeypatch.setattr(kept, "folder", lambda: tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    monkeypatch.syspath_prepend(tmp_path)
    yield tmp_path
    for name in ("inner_loop", "outer_loop"):
        sys.modules.pop(name, None)


def loops(folder: Path, scale: int = 2, sign: str = "+") -> ModuleType:
    """A loop that calls one of another file and reads a number of it, as a new process finds them."""
    (folder / "inner_loop.py").write_text(INNER.format(scale=scale, sign=sign))
    (folder / "outer_loop.py").write_text(OUTER)
    for name in ("inner_loop", "outer_loop"):
        sys.modules.pop(name, None)
    importlib.invalidate_caches()
    return importlib.import_module("outer_loop")


def found(loop: Any) -> bool:
    """Whether its code was on disk."""
    return not loop.stats.cache_misses


def test_what_was_compiled_once_is_found_again(folder: Path) -> None:
    first, again = loops(folder), loops(folder)
    assert first.outer(3) == again.outer(3) == 8
    assert (found(first.outer), found(again.outer)) == (False, True)


def test_a_number_of_another_file_that_changes_is_noticed(folder: Path) -> None:
    assert loops(folder, scale=2).outer(3) == 8
    assert loops(folder, scale=5).outer(3) == 20
    old = loops(folder, scale=2)
    assert old.outer(3) == 8
    assert found(old.outer)


def test_a_loop_of_another_file_that_changes_is_noticed(folder: Path) -> None:
    assert loops(folder, sign="+").outer(3) == 8
    assert loops(folder, sign="-").outer(3) == -4


def test_a_comment_that_changes_is_no_reason_to_compile_again(folder: Path) -> None:
    loops(folder).outer(3)
    source = folder / "outer_loop.py"
    source.write_text("# So it is.\n" + source.read_text())
    sys.modules.pop("outer_loop")
    again = importlib.import_module("outer_loop")
    assert again.outer(3) == 8
    assert found(again.outer)


def test_code_that_is_damaged_is_compiled_anew(folder: Path) -> None:
    loops(folder).outer(3)
    for file in folder.glob("*.code"):
        file.write_bytes(file.read_bytes()[:1000])
    again = loops(folder)
    assert again.outer(3) == 8
    assert not found(again.outer)
    mended = loops(folder)
    assert mended.outer(3) == 8
    assert found(mended.outer)


def test_a_new_loop_may_call_one_that_was_kept(folder: Path) -> None:
    loops(folder).inner(3)
    inner = loops(folder).inner
    assert inner(3) == 6

    @compiled
    def twice(x: float) -> float:
        return inner(x) + inner(x)  # type: ignore[no-any-return]

    assert twice(4) == 16
    assert found(inner)


def test_an_error_in_a_kept_loop_is_an_error(folder: Path) -> None:
    def first(values: Any) -> Any:
        if len(values) == 0:
            raise ValueError("nothing is first of none")
        return values[0]

    assert compiled(first)((1, 2)) == 1
    again = compiled(first)
    assert again((1, 2)) == 1
    assert found(again)
    with pytest.raises(ValueError, match="nothing is first of none"):
        again(())


def test_where_nothing_can_be_written_loops_work_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "folder", lambda: None)

    def double(x: float) -> float:
        return 2 * x

    assert compiled(double)(3) == 6


def test_code_that_checks_bounds_is_kept_apart(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(kept.config, "CACHE_DIR", str(tmp_path))
    plain = kept.folder.__wrapped__()
    monkeypatch.setattr(kept.config, "BOUNDSCHECK", 1)
    assert kept.folder.__wrapped__() != plain
