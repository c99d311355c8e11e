"""unrender see on a real Dask cluster, whose workers stand in another folder than the pictures."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import chdir, contextmanager
from pathlib import Path
from threading import Thread

import pytest

import unrender
from unrender import Scene, UnrenderError
from unrender.batch.cluster import spread
from unrender.batch.look import View
from unrender.batch.resume import eyes
from unrender.batch.sources import Source, sources
from unrender.batch.summary import Keep
from unrender.batch.worker import SOON, work

from .test_many import film

Run = Callable[..., int]
Capture = pytest.CaptureFixture[str]
ENVIRONMENT = os.environ | {"OMP_NUM_THREADS": "1", "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "1"}


@contextmanager
def started(folder: Path, *words: str) -> Iterator[int]:
    """A program of Dask that runs in a folder; its process."""
    command = [sys.executable, "-m", "dask", *words]
    with (folder / f"{words[0]}.log").open("wb") as log:
        process = subprocess.Popen(command, cwd=folder, env=ENVIRONMENT, stdout=log, stderr=log)
    try:
        yield process.pid
    finally:
        process.terminate()
        process.wait(timeout=60)


def wait_for(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 500
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.05)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A scheduler and one worker, which is started again should it die."""
    folder = tmp_path_factory.mktemp("cluster")
    file = folder / "scheduler.json"
    plain = ("--no-dashboard", "--scheduler-file", str(file))
    with started(folder, "scheduler", "--port", "0", "--host", "127.0.0.1", *plain):
        wait_for(lambda: file.exists() and file.read_text().endswith("}"))
        with started(folder, "worker", "--nthreads", "1", *plain):
            yield json.loads(file.read_text())["address"]


@contextmanager
def second_worker(address: str, folder: Path) -> Iterator[tuple[int, Callable[[], bool]]]:
    """One more worker, which nobody starts again: its process, and whether it has pictures to look at."""
    from distributed import Client

    with Client(address, set_as_default=False) as client:
        client.wait_for_workers(1, timeout=120)
        (first,) = client.nthreads()
        words = ("worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard")
        with started(folder, *words) as process:
            client.wait_for_workers(2, timeout=120)
            (second,) = client.nthreads().keys() - {first}
            yield process, lambda: bool(client.processing([second])[second])


def test_a_worker_that_is_killed_takes_no_picture_with_it(
    run: Run, folder: Path, brain: Path, ship: Path, address: str, tmp_path: Path, capsys: Capture
) -> None:
    for i in range(9):
        os.link(folder / "one.png", folder / f"more{i:02d}.png")
    (folder / "bad.png").write_text("no picture")
    (folder / "ship.png").write_bytes(ship.read_bytes())
    film(folder / "clip.mkv", 2)
    goal, killed = tmp_path / "all.jsonl", list[int]()
    with second_worker(address, tmp_path) as (worker, busy), chdir(tmp_path):

        def kill() -> None:
            wait_for(lambda: goal.exists() and goal.read_bytes().count(b"\n") >= 3 and busy())
            os.kill(worker, signal.SIGKILL)
            killed.append(worker)

        killer = Thread(target=kill)
        killer.start()
        assert run("see", "frames", "-o", goal.name, "-b", brain, "--cluster", address) == 1
        killer.join()
    assert killed
    assert capsys.readouterr().err.splitlines() == [
        "1 of 14 failed:",
        '  "frames/bad.png" is not a picture in a format that Pillow reads.',
    ]
    lines = [json.loads(line) for line in goal.read_text().splitlines()]
    seen = sorted((line["image"], line.get("frame")) for line in lines)
    assert seen == sorted(
        [(str(path.relative_to(tmp_path)), None) for path in folder.rglob("*.png")]
        + [("frames/clip.mkv", i) for i in range(2)]
    )
    scenes = {line["image"]: Scene.from_dict(line) for line in lines if "error" not in line}
    with unrender.open(brain) as opened:
        for name in ("ship.png", "more03.png"):
            assert scenes[f"frames/{name}"].to_dict() == opened.see(folder / name).to_dict()
    assert "ship" in {axiom.symbol for axiom in scenes["frames/ship.png"].axioms}
    with contextlib.chdir("/"):  # where there is no such folder
        assert run("see", "frames", "-o", goal, "-b", brain, "--cluster", address) == 2


def test_files_are_written_here_and_what_failed_is_tried_again(
    run: Run, folder: Path, address: str, tmp_path: Path, capsys: Capture
) -> None:
    good = (folder / "one.png").read_bytes()
    (folder / "one.png").write_bytes(good[:40])
    command = ("see", folder, "-o", tmp_path / "out", "-f", "svg", "--cluster", address)
    assert run(*command) == 1
    (folder / "one.png").write_bytes(good)
    assert run(*command) == 0
    assert "1 of 2 were done before." in capsys.readouterr().err
    assert sorted(path.name for path in (tmp_path / "out").rglob("*.*")) == ["one.svg", "two.svg"]


def test_what_kills_every_worker_or_goes_wrong_is_listed_with_the_reason(folder: Path, address: str) -> None:
    wanted = sources([str(folder / "one.png")])
    (failed,) = spread(wanted, None, lambda scene, view: 1 // 0, address)
    assert "was given up: ZeroDivisionError" in str(failed.error)
    (killed,) = spread(wanted, None, lambda scene, view: os._exit(1), address)
    assert str(killed.error).endswith('one.png" was given up: 2 workers died while they looked at it.')


def test_pictures_that_are_sent_together_do_not_suffer_from_one_another(folder: Path, address: str) -> None:
    names = [f"{i:02d}" for i in range(10)]
    for name in names:
        os.link(folder / "one.png", folder / "more" / f"{name}.png")

    def errand(scene: Scene, view: View) -> int:
        time.sleep(0.4 if view.name in ("03", "04", "05") else 0.0)
        return 1 // (view.name != "06")

    wanted = sources([str(folder / "more" / f"{name}.png") for name in names])
    reports = list(spread(wanted, None, errand, address))
    assert sorted(report.view.name for report in reports) == names
    (failed,) = (report for report in reports if report.error)
    assert failed.view.name == "06"
    assert "was given up: ZeroDivisionError" in str(failed.error)


def test_a_worker_reports_soon_and_leaves_the_rest(folder: Path) -> None:
    parcels = [(source, source.path.read_bytes()) for source in sources([str(folder)])]
    quick = work(parcels, None, lambda scene, view: view.name, eyes())
    assert [report.result for reports in quick.reports for report in reports] == ["more/two", "one"]
    slow = work(parcels, None, lambda scene, view: time.sleep(SOON), eyes())
    assert len(slow.reports) == 1
    assert slow.seconds > SOON


def test_workers_must_be_of_the_same_version(folder: Path) -> None:
    source, content = Source(folder / "one.png", "one"), (folder / "one.png").read_bytes()
    with pytest.raises(UnrenderError, match=r"A worker .* has unrender .* and this is unrender 9"):
        work([(source, content)], None, Keep(), "unrender 9")


@pytest.mark.parametrize("address", ["tcp://127.0.0.1:9", "nowhere", "http://127.0.0.1:9"])
def test_a_scheduler_that_does_not_answer_is_one_line(
    run: Run, folder: Path, address: str, capsys: Capture
) -> None:
    assert run("see", folder, "--cluster", address) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert f'No scheduler answers at "{address}"' in told


def test_jobs_and_a_cluster_are_not_for_the_same_work(run: Run, folder: Path, capsys: Capture) -> None:
    assert run("see", folder, "--cluster", "tcp://127.0.0.1:9", "--jobs", "2") == 2
    assert "choose one" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("package", "words", "extra"),
    [
        ("distributed", ["--cluster", "tcp://127.0.0.1:9"], "unrender[cluster]"),
        ("pyarrow", ["-o", "all.parquet"], "unrender[parquet]"),
    ],
)
def test_a_package_that_is_missing_is_named_with_the_command_that_installs_it(
    folder: Path, package: str, words: list[str], extra: str
) -> None:
    program = f"import sys; sys.modules[{package!r}] = None; from unrender.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", program, "see", str(folder), *words],
        capture_output=True,
        text=True,
        cwd=folder.parent,
        timeout=120,
    )
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert f'pip install "{extra}"' in done.stderr
    assert [path.name for path in folder.parent.iterdir()] == ["frames"]
