"""unrender watch: a film in a table, in words and as files."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.film.drawings import behind_post, frame
from unrender.film.film import Film

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


@pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal of its own")
def test_ctrl_c_keeps_what_was_seen_and_says_so_in_one_line(tmp_path: Path) -> None:
    import pty

    folder, goal = tmp_path / "frames", tmp_path / "film.json"
    folder.mkdir()
    Image.fromarray(np.asarray(behind_post()[0])).save(folder / "0.png")
    for k in range(1, 3000):
        os.link(folder / "0.png", folder / f"{k}.png")
    words = [sys.executable, "-m", "unrender.cli", "watch", str(folder), "-o", str(goal)]
    screen, terminal = pty.openpty()  # on which it says how many frames it has seen
    there = os.environ | {"TERM": "xterm", "COLUMNS": "200"}
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=terminal, text=True, env=there)
    os.close(terminal)
    shown = b""
    while re.search(rb"[1-9]\d*/3000", shown) is None and (more := _read(screen)):
        shown += more
    process.send_signal(signal.SIGINT)
    while more := _read(screen):
        shown += more
    os.close(screen)
    assert process.communicate(timeout=60)[0] == ""
    assert process.returncode == 130
    last = shown.decode().rstrip().splitlines()[-1]
    told = re.search(rf"Stopped after (\d+) frames?\. Wrote {re.escape(str(goal))}\.$", last)
    assert told is not None
    assert len(Film.load(goal)) == int(told[1]) < 3000


def _read(screen: int) -> bytes:
    """What a program has put on its terminal since; nothing once it has ended."""
    try:
        return os.read(screen, 1000)
    except OSError:
        return b""
