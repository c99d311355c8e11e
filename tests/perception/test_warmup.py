"""The loops that are compiled after an installation."""

import os
from pathlib import Path

import pytest

from unrender.perception import warmup
from unrender.primitives import kept


def test_the_list_names_the_loops_that_pictures_need() -> None:
    warmup.look(warmup.PICTURES[:2])
    listed = set(warmup.listed())
    assert len(listed & set(warmup.used())) > 0.7 * len(listed), (
        "python -m unrender.perception.warmup list writes it anew"
    )


def test_what_is_listed_but_is_gone_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = ["unrender.nowhere loop (int64,)", "unrender.render.coverage nothing (int64,)"]
    there = "unrender.render.coverage _all_pixels (int64, int64)"
    monkeypatch.setattr(kept, "folder", lambda: tmp_path)
    monkeypatch.setattr(warmup, "LIST", tmp_path / "loops.txt")
    warmup.LIST.write_text("\n".join([*gone, there, "unrender.render.coverage _all_pixels (int64, strange)"]))
    warmup.compile_listed(0, 1)  # without an error


def test_code_that_nobody_has_used_for_long_is_deleted(tmp_path: Path) -> None:
    old, new = (tmp_path / f"{kept.FOLDER}-0" / name for name in ("old.code", "new.code"))
    old.parent.mkdir()
    for file in (old, new):
        file.write_bytes(b"")
    os.utime(old, (0, 0))
    warmup._drop_unused(tmp_path / f"{kept.FOLDER}-1")
    assert [file.name for file in old.parent.iterdir()] == ["new.code"]
