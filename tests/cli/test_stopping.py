"""Many pictures on a terminal: a bar with the time left, and Ctrl+C, which leaves what has been seen."""

import contextlib
import fcntl
import json
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import termios
from pathlib import Path

import pytest
from PIL import Image, ImageDraw

MANY = 150  # pictures: more than are seen before it is stopped
CIRCLES = [(20, 20), (60, 30), (40, 62)]  # centres
COMMAND = [sys.executable, "-m", "unrender.cli"]
ENVIRONMENT = os.environ | {"OMP_NUM_THREADS": "1", "TERM": "xterm-256color"}


@pytest.fixture
def many(tmp_path: Path) -> Path:
    """A folder of small pictures with three circles each."""
    folder = tmp_path / "many"
    folder.mkdir()
    picture = Image.new("RGB", (336, 336), (20, 24, 40))
    for x, y in CIRCLES:
        ImageDraw.Draw(picture).ellipse([4 * x - 40, 4 * y - 40, 4 * x + 40, 4 * y + 40], (220, 160, 60))
    small = picture.resize((84, 84), Image.Resampling.BOX)
    for i in range(MANY):
        small.save(folder / f"{i:03d}.png")
    return folder


class Terminal:
    """A command whose stderr is a terminal of 100 columns; its stdout goes to a pipe."""

    def __init__(self, *words: str | Path) -> None:
        self._end, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
        command = [*COMMAND, *map(str, words)]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=theirs, text=True, env=ENVIRONMENT
        )
        os.close(theirs)
        self.shown = ""

    def read_until(self, pattern: str) -> re.Match[str]:
        """Wait until it shows this."""
        while not (found := re.search(pattern, self.shown)):
            self.shown += os.read(self._end, 4096).decode()  # an error if it has ended
        return found

    def finish(self) -> tuple[str, str]:
        """What it prints until it ends, on stdout and on the terminal."""
        assert self.process.stdout is not None
        printed, before = self.process.stdout.read(), len(self.shown)
        with contextlib.suppress(OSError):  # the end of a terminal is an error
            while piece := os.read(self._end, 4096):
                self.shown += piece.decode()
        os.close(self._end)
        self.process.wait(timeout=60)
        return printed, self.shown[before:]


TIME_LEFT = rf"\d+/{MANY}\S* \S*\d:\d\d:\d\d\S* left; Ctrl\+C stops"


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_see_shows_the_time_left_and_stops_with_a_table_of_what_was_seen(many: Path, jobs: str) -> None:
    terminal = Terminal("see", many, "--jobs", jobs)
    terminal.read_until(TIME_LEFT)
    terminal.process.send_signal(signal.SIGINT)
    printed, last = terminal.finish()
    assert terminal.process.returncode == 130
    found = re.search(rf"Stopped after (\d+) of {MANY}\.", last)
    assert found
    done = int(found[1])
    assert 2 <= done < MANY
    assert ["circle", str(len(CIRCLES) * done), str(done), "1.00"] in [
        line.split() for line in printed.splitlines()
    ]
    assert f"\n{done} pictures in " in printed


def test_find_shows_the_time_left_and_stops_with_what_was_found(many: Path) -> None:
    terminal = Terminal("find", "circle", many)
    terminal.read_until(TIME_LEFT)
    terminal.process.send_signal(signal.SIGINT)
    printed, last = terminal.finish()
    assert terminal.process.returncode == 130
    found = re.search(rf"Stopped after (\d+) of {MANY}\.", last)
    assert found
    assert len(printed.splitlines()) == 1 + len(CIRCLES) * int(found[1])


def test_lines_of_json_for_another_program_come_with_a_bar_too(many: Path) -> None:
    terminal = Terminal("see", many, "--json")
    terminal.read_until(TIME_LEFT)
    terminal.process.send_signal(signal.SIGINT)
    printed, last = terminal.finish()
    assert terminal.process.returncode == 130
    found = re.search(rf"Stopped after (\d+) of {MANY}\.", last)
    assert found
    images = [json.loads(line)["image"] for line in printed.splitlines()]
    assert len(images) in (int(found[1]), int(found[1]) - 1)
    assert images[0] == str(many / "000.png")
    assert "image" not in terminal.shown
