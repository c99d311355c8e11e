"""unrender watch: a film in a table, in words and as files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.film.drawings import behind_post, frame

Run = Callable[..., int]
Capture = pytest.CaptureFixture[str]


@pytest.fixture
def clip(tmp_path: Path) -> Path:
    first, *others = [Image.fromarray(np.asarray(each)) for each in behind_post()[:8]]
    first.save(tmp_path / "clip.gif", save_all=True, append_images=others, duration=40)
    return tmp_path / "clip.gif"


def test_a_film_is_told_and_written(run: Run, clip: Path, tmp_path: Path, capsys: Capture) -> None:
    goals = [tmp_path / "new" / f"film.{suffix}" for suffix in ("lottie.json", "svg", "tscn", "mp4")]
    assert run("watch", clip, *(word for goal in goals for word in ("-o", goal))) == 0
    said = capsys.readouterr().out
    assert "uniform" in said
    assert "moves to the right by 6" in said
    assert all(goal.stat().st_size > 500 for goal in goals)


def test_what_cannot_be_watched_or_written_is_one_sentence(
    run: Run, clip: Path, tmp_path: Path, capsys: Capture
) -> None:
    Image.fromarray(frame([])).save(tmp_path / "one.txt", "PNG")
    (tmp_path / "empty").mkdir()
    for words in (("missing.mp4",), (tmp_path / "empty",), (clip, "-o", tmp_path / "film.doc")):
        assert run("watch", *words) == 2
        error = capsys.readouterr().err
        assert error.count("\n") == 1
        assert "Traceback" not in error
