"""Many pictures: how many a second one and two workers see, by --jobs and on a Dask cluster.

    python benchmarks/many.py [--seed 0] [--quick] [--out out/many] [--pictures 200] [--rounds 3]

Each worker has one thread. Starting them does not count: the clock runs when the first pictures have been
seen. A worker of a cluster reports several pictures at a time; it is asked for the first ones beforehand, so
that nothing is counted that it saw before the clock ran. Of several rounds the best one counts, because other
programs only ever slow it down. The processor's time for each picture depends less on them.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path

import numpy as np
import psutil
from PIL import Image
from report import Line, Table, parser, picture, publish, run, subplots

import unrender
from unrender.batch.brains import knowledge
from unrender.batch.look import Report, watch
from unrender.batch.sources import Source, sources
from unrender.batch.summary import Keep, Seen
from unrender.memory import Snapshot
from unrender.worlds.asteroids import Asteroids

PICTURES, ROUNDS = 200, 3
QUICK = 6  # pictures
EFFICIENT = 0.8  # of two workers, against one
CHEAP = 1.1  # what a picture may cost on a cluster, against what it costs by --jobs
KEEP = Keep((), text=True)
CALM = {  # of Dask, as docs/howto/cluster.md advises
    "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False",
    "DASK_DISTRIBUTED__ADMIN__TICK__INTERVAL": "500ms",
}

Processes = list[psutil.Process]


@dataclass(frozen=True, eq=False)
class Team:
    """So many workers of one kind."""

    kind: str  # the option of `unrender see`
    workers: int
    look: Callable[[list[Source], Snapshot | None], Iterator[Report[Seen]]]
    processes: Callable[[], Processes]
    scheduler: Processes

    def __str__(self) -> str:
        return f"{self.workers} by --{self.kind}"


@dataclass(frozen=True)
class Rate:
    """How fast, and at what cost."""

    pictures: float  # a second
    cpu: float  # ms for each picture, of all workers together
    around: float  # ms for each picture, of this program and the scheduler


def main() -> None:
    cli = parser(__doc__, "many")
    cli.add_argument("--pictures", type=int, default=PICTURES)
    cli.add_argument("--rounds", type=int, default=ROUNDS)
    options = cli.parse_args()
    count, rounds = (QUICK, 1) if options.quick else (options.pictures, options.rounds)
    os.environ["OMP_NUM_THREADS"] = "1"  # here and of the workers
    rates: dict[Team, Rate] = {}
    texts = []
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        wanted, known = prepared(Path(folder), count, options.seed)
        for team in teams(Path(folder), stack):
            measured = [measure(team, wanted, known) for _ in range(rounds)]
            rates[team] = max((rate for rate, _ in measured), key=lambda rate: rate.pictures)
            texts += [text for _, text in measured]
    publish(
        options.out,
        "Many pictures",
        f"{count} pictures of the asteroid world, 84x84 pixels, seen with a brain that knows the ship, by "
        f"one and by two workers of one thread each. They share {os.cpu_count()} cores with the scheduler "
        "and the program that sends the pictures. Starting them is not counted. Dask's profiler is off, and "
        "it looks after itself twice a second, as our guide to clusters advises.",
        Table(lines(rates, texts), "workers", "pictures a second"),
        plot(rates, options.out),
    )


def teams(folder: Path, stack: ExitStack) -> Iterator[Team]:
    """One and two processes of this machine, then a cluster of one and of two workers."""
    for count in (1, 2):
        yield Team("jobs", count, partial(watch, errand=KEEP, jobs=count), partial(pool, count), [])
    address, scheduler = stack.enter_context(started_scheduler(folder))
    workers: Processes = []
    for count in (1, 2):
        workers.append(stack.enter_context(started_worker(folder, address, count)))
        look = partial(watch, errand=KEEP, cluster=address)
        yield Team("cluster", count, look, partial(list, workers[:]), [scheduler])


def prepared(folder: Path, count: int, seed: int) -> tuple[list[Source], Snapshot | None]:
    """The pictures, and what a brain knows that was taught the ship."""
    world, rng = Asteroids(84, 84), np.random.default_rng(seed)
    (folder / "pictures").mkdir()
    for i in range(count):
        Image.fromarray(world.sample(rng).image).save(folder / "pictures" / f"{i:05d}.png")
    alone = Asteroids(128, 128, ships=(1, 1), asteroids=(0, 0), loose=(0, 0), part=(20.0, 20.0))
    with unrender.open(folder / "ship.brain") as brain:
        brain.teach(brain.see(alone.sample(rng).image), "ship")
    return sources([str(folder / "pictures")]), knowledge(folder / "ship.brain")


def measure(team: Team, wanted: list[Source], known: Snapshot | None) -> tuple[Rate, dict[str, str]]:
    """One round, and what was seen in it; the first fifth of the reports is not counted."""
    texts: dict[str, str] = {}
    first = max(team.workers, len(wanted) // 5)
    reports = team.look(wanted[:first] if team.scheduler else wanted, known)
    for report in islice(reports, first):
        note(report, texts)
    if team.scheduler:
        reports = team.look(wanted[first:], known)
    there = team.processes()
    here = [process for process in (psutil.Process(), *team.scheduler) if process not in there]
    before, begin, own, theirs = len(texts), time.perf_counter(), cpu(here), cpu(there)
    for report in islice(reports, len(wanted) - before):
        note(report, texts)
    took, seen = time.perf_counter() - begin, len(texts) - before
    rate = Rate(seen / took, 1e3 * (cpu(there) - theirs) / seen, 1e3 * (cpu(here) - own) / seen)
    for _ in reports:  # lets the workers go
        pass
    return rate, texts


def note(report: Report[Seen], texts: dict[str, str]) -> None:
    """Keep what was seen; a picture that failed is an error of this benchmark."""
    if report.result is None:
        raise unrender.UnrenderError(str(report.error))
    texts[report.view.source.name] = report.result.text


def cpu(processes: Processes) -> float:
    """Seconds that these have computed."""
    times = [process.cpu_times() for process in processes]
    return sum(one.user + one.system for one in times)


def pool(workers: int) -> Processes:
    """The processes of --jobs: this one, or those that it has started to look at pictures."""
    us = psutil.Process()
    return [us] if workers == 1 else [one for one in us.children() if "popen_loky" in " ".join(one.cmdline())]


@contextmanager
def started(folder: Path, *words: str) -> Iterator[psutil.Process]:
    """A program of Dask."""
    command, environment = [sys.executable, "-m", "dask", *words], os.environ | CALM
    with (folder / "dask.log").open("ab") as log:
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=log)
    try:
        yield psutil.Process(process.pid)
    finally:
        process.terminate()
        process.wait(timeout=60)


@contextmanager
def started_scheduler(folder: Path) -> Iterator[tuple[str, psutil.Process]]:
    """A scheduler: its address and its process."""
    file = folder / "scheduler.json"
    words = ("--port", "0", "--host", "127.0.0.1", "--no-dashboard", "--scheduler-file", str(file))
    with started(folder, "scheduler", *words) as process:
        while not (file.exists() and file.read_text().endswith("}")):
            time.sleep(0.05)
        yield json.loads(file.read_text())["address"], process


@contextmanager
def started_worker(folder: Path, address: str, count: int) -> Iterator[psutil.Process]:
    """A worker that is ready to see; with it the cluster has so many."""
    from distributed import Client

    def warm() -> None:
        unrender.open().see(np.zeros((84, 84, 3), np.uint8))

    words = ("worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard")
    with started(folder, *words) as process:
        with Client(address, set_as_default=False) as client:
            client.wait_for_workers(count, timeout=120)
            client.run(warm)
        yield process


def lines(rates: dict[Team, Rate], texts: list[dict[str, str]]) -> list[Line]:
    """The table."""
    rows = []
    for team, rate in rates.items():
        more = {"CPU ms a picture": f"{rate.cpu:.0f}", "to send and schedule": f"{rate.around:.1f}"}
        rows.append(Line(str(team), "", f"{rate.pictures:.1f}", None, more))
    jobs, two_jobs, cluster, two_cluster = rates.values()
    for kind, one, two in (("jobs", jobs, two_jobs), ("cluster", cluster, two_cluster)):
        share = two.pictures / (2 * one.pictures)
        goal = f"efficiency of two ≥ {EFFICIENT:g}"
        rows.append(Line(f"--{kind}", goal, f"{share:.2f}", share >= EFFICIENT))
    for count, here, there in ((1, jobs, cluster), (2, two_jobs, two_cluster)):
        cost = there.cpu / max(here.cpu, 0.1)  # ms: of a few pictures the clock may notice nothing
        goal = f"CPU a picture ≤ {CHEAP:g} of --jobs {count}"
        rows.append(Line(f"{count} by --cluster", goal, f"{cost:.2f}", cost <= CHEAP))
    same = all(text == texts[0] for text in texts)
    return [*rows, Line("all", "the same scenes, byte by byte", "yes" if same else "no", same)]


def plot(rates: dict[Team, Rate], out: Path) -> str:
    """Bars: pictures a second."""
    figure, (axes,) = subplots(size=(6.0, 3.2))
    axes.bar([str(team) for team in rates], [rate.pictures for rate in rates.values()], width=0.6)
    axes.set_ylabel("pictures a second")
    return picture(figure, out / "many.png", "Pictures a second by one and two workers")


if __name__ == "__main__":
    run(main)
