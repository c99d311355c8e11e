"""Whether everything survives: a process is killed (SIGKILL) at random instants while it works on a brain.

    python benchmarks/kill.py [--kills 500] [--seed 0] [--quick] [--out out/kill]

It teaches, undoes, renames, brings an old file up to date, or looks at a folder of pictures, and confirms
every step after the brain's method has returned. Every other kill comes as soon as the file's journal shows
that a step is being written. After each of them the file must open and hold exactly what it held after the
last confirmed step, or after the one that was cut off; then work goes on with the same file.
"""

from __future__ import annotations

import os
import random
import signal
import tempfile
import time
import traceback
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from kill_batch import BATCHES, Batch
from kill_tasks import TASKS, Task, warm_up
from report import Line, Table, parser, publish, run

from unrender.errors import UnrenderError

WRITING = 0.015  # seconds after the journal appears within which a kill falls
GLANCE = 0.0002  # seconds between two looks


@dataclass(frozen=True)
class Tally:
    """What was counted over all kills of one task."""

    kills: int = 0
    writing: int = 0  # times a step was cut off while it was being written
    opened: int = 0  # times the file opened and held a known state, nothing half
    confirmed: int = 0  # steps whose method had returned
    kept: int = 0  # of these, found after the kill

    def __add__(self, other: Tally) -> Tally:
        return Tally(
            self.kills + other.kills,
            self.writing + other.writing,
            self.opened + other.opened,
            self.confirmed + other.confirmed,
            self.kept + other.kept,
        )

    def line(self, what: str) -> Line:
        told = f"{self.opened} of {self.kills} opened, {self.kept} of {self.confirmed} kept"
        whole = self.opened == self.kills and self.kept == self.confirmed
        return Line(what, "all opened, all kept", told, whole, {"cut off while writing": str(self.writing)})


@dataclass(frozen=True)
class Killed:
    """What a process had done when it was killed."""

    confirmed: int
    writing: bool


def kill(task: Task | Batch, path: Path, begin: int, rng: random.Random, seconds: float) -> Killed:
    """Work on the file from step `begin` in a process of its own, and kill it at some instant; a step takes
    about so many `seconds`."""
    confirmed, confirm = os.pipe()
    child = os.fork()
    if child == 0:
        _work(task, path, begin, confirm)
    os.close(confirm)
    journal = path.with_name(f"{path.name}-journal")
    with open(confirmed, "rb") as pipe:
        before = [pipe.readline() for _ in range(rng.randrange(min(3, task.steps - begin)))]
        if task.writes and rng.random() < 0.5:
            _wait_for(journal)
            time.sleep(rng.uniform(0.0, WRITING))
        else:
            time.sleep(rng.uniform(0.0, 1.5 * seconds))
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        if not os.WIFSIGNALED(status):
            raise RuntimeError(f"The process that was to {task.name} ended by itself.")
        return Killed(len(before) + len(pipe.readlines()), journal.exists())


def _work(task: Task | Batch, path: Path, begin: int, confirm: int) -> None:
    """Do what is to be done, and wait until we are killed."""
    try:
        task.run(path, begin, confirm)
        while True:
            signal.pause()
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(1)


def _wait_for(journal: Path) -> None:
    """Until a step is being written, or nothing more is to be expected."""
    end = time.monotonic() + 1.0
    while not journal.exists() and time.monotonic() < end:
        time.sleep(GLANCE)


def hunt(task: Task | Batch, folder: Path, kills: int, seed: int) -> Tally:
    """Kill at random instants; the file goes through all of them until every step is done, then a new one."""
    rng = random.Random(f"{task.name} {seed}")
    states, seconds = task.rehearse(folder / "rehearsed")
    tally, files, at = Tally(), 0, task.steps
    path = folder
    for _ in range(kills):
        if at >= task.steps:
            files, at = files + 1, 0
            path = folder / f"{files}.brain"
            task.make(path)
        done = kill(task, path, at, rng, seconds)
        found = _found(task, path, states, at + done.confirmed)
        tally += Tally(
            1, done.writing, found is not None, done.confirmed, done.confirmed if found is not None else 0
        )
        at = task.steps if found is None else found
    return tally


def _found(task: Task | Batch, path: Path, states: Sequence[object], confirmed: int) -> int | None:
    """How many steps the file holds; None if it does not open, has lost any, or holds half of one."""
    try:
        state = task.look(path)
    except UnrenderError as error:
        print(error)
        return None
    # One more than confirmed may be there: the kill may fall between its commit and its confirmation.
    return next((n for n in range(confirmed, confirmed + 2) if state in states[n : n + 1]), None)


def main() -> None:
    options = parser(__doc__, "kill")
    options.add_argument("--kills", type=int, default=500, help="over all tasks")
    given = options.parse_args()
    plan: dict[Task | Batch, int] = dict.fromkeys([*TASKS, BATCHES[0]], 2)
    if not given.quick:
        few = given.kills // 25  # two processes take seconds to start
        plan = dict.fromkeys(plan, -(-(given.kills - few) // len(plan))) | {BATCHES[1]: few}
    tallies: dict[str, Tally] = {}
    warm_up()
    for task, kills in plan.items():
        with tempfile.TemporaryDirectory() as folder:
            tallies[task.name] = hunt(task, Path(folder), kills, given.seed)
    total = sum(tallies.values(), Tally())
    publish(
        given.out,
        "Killed at random instants",
        f"A process that works on a brain file, or with one, was killed with SIGKILL {total.kills} times; "
        f"{total.writing} times it was just writing. Steps are counted that were confirmed before the kill.",
        Table([tally.line(name) for name, tally in tallies.items()] + [total.line("all")], "while it"),
    )


if __name__ == "__main__":
    run(main)
