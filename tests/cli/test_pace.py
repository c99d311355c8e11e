"""--jobs 0: other processes are started only where they pay."""

import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from unrender.batch.machine import usable_cores
from unrender.batch.schedule import Pace, paced
from unrender.batch.sources import sources
from unrender.batch.summary import Keep

from .conftest import PICTURES

COMMAND = [sys.executable, "-m", "unrender.cli", "see", "--jobs", "0", "--json"]


@pytest.mark.parametrize(
    ("first", "each", "left", "processes", "worth"),
    [
        (4.0, 0.1, 10, 2, False),  # a second of work is no reason to start for three
        (4.0, 0.1, 1000, 2, True),
        (4.0, 10.0, 2, 2, True),  # slow pictures are worth it even if there are two
        (4.0, 0.1, 1, 1, False),
        (0.2, 0.1, 10, 8, False),  # all was loaded before, but other processes must load it still
    ],
)
def test_processes_are_started_if_the_work_that_is_left_is_worth_it(
    first: float, each: float, left: int, processes: int, worth: bool
) -> None:
    pace = Pace()
    pace.add(first)
    assert not pace.worth(left, processes), "one picture tells nothing"
    pace.add(each)
    assert pace.worth(left, processes) == worth


def copies(folder: Path, picture: Path, count: int) -> Path:
    """A folder in which a picture stands so many times."""
    folder.mkdir()
    for i in range(count):
        shutil.copy(picture, folder / f"{i:02d}.png")
    return folder


def spawned(process: int) -> bool:
    """Whether a process has started another one that looks at pictures."""
    try:
        found = Path(f"/proc/{process}/task/{process}/children").read_text().split()
        return any(b"popen_loky" in Path(f"/proc/{child}/cmdline").read_bytes() for child in found)
    except OSError:  # it ended while we looked
        return False


def test_a_few_pictures_are_seen_by_one_process(tmp_path: Path) -> None:
    few = copies(tmp_path / "few", PICTURES / "asteroids.png", 4)
    process = subprocess.Popen([*COMMAND, str(few)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    others = [spawned(process.pid) for _ in process.stdout]
    assert process.wait(timeout=60) == 0
    assert others == [False] * 4


@pytest.mark.skipif(usable_cores() < 2, reason="one core has nothing to share")
def test_for_many_pictures_other_processes_are_started(tmp_path: Path) -> None:
    many = copies(tmp_path / "many", PICTURES / "asteroids.png", 200)
    process = subprocess.Popen([*COMMAND, str(many)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while process.poll() is None and not spawned(process.pid):
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)  # while they are starting
    assert process.wait(timeout=60) == 130


class Sudden(Pace):
    """Finds out after three pictures that the rest is worth other processes."""

    def worth(self, left: int, processes: int) -> bool:
        return len(self.later) >= 2


@pytest.mark.skipif(usable_cores() < 2, reason="one core has nothing to share")
def test_nothing_is_lost_or_done_twice_where_other_processes_take_over(folder: Path, tmp_path: Path) -> None:
    wanted = sources([str(copies(tmp_path / "some", folder / "one.png", 7)), str(tmp_path / "none.png")])
    reports = list(paced(wanted, None, Keep(), pace=Sudden()))
    assert [report.view.source for report in reports] == wanted
    assert [report.error is None for report in reports] == [True] * 7 + [False]
