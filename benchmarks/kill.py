"""Whether the brain file survives: a process that teaches is killed (SIGKILL) at random instants.

    python benchmarks/kill.py [--instants 200] [--seed 0] [--lessons 4] [--longest 0.05]

One file grows through all of it. Every lesson writes a symbol, a route with weights and three observations,
and replaces a record; the teaching process confirms each lesson after `Store.lesson` has returned. After
every kill the file is opened again and must hold every confirmed lesson, each whole, and no half of another.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import tempfile
import time
import traceback
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from unrender.errors import UnrenderError
from unrender.memory import RouteRecord, Snapshot, Store, SymbolRecord


@dataclass(frozen=True)
class Tally:
    """What was counted over all kills."""

    kills: int
    opened: int  # times the file opened, and held nothing but whole lessons
    confirmed: int  # lessons whose teaching had returned
    kept: int  # of these, found whole after the kill


def object_name(number: int) -> str:
    return f"object {number}"


def route_of(number: int) -> RouteRecord:
    """The route that lesson `number` teaches; its weights, 1 to 20 kB, make the lesson span several pages."""
    rng = random.Random(number)
    return RouteRecord(
        symbol=object_name(number),
        number=1,
        kind="learned",
        parts=("circle", "square"),
        body={"lesson": number},
        weights=rng.randbytes(rng.randrange(1_000, 20_000)),
        observations=tuple({"lesson": number, "value": rng.random()} for _ in range(3)),
    )


def teach(store: Store, number: int) -> None:
    """Lesson `number`, which also replaces what the lesson before it has left."""
    with store.lesson("teach", object_name(number), {"lesson": number}) as lesson:
        lesson.put_symbol(SymbolRecord(object_name(number), ("red", "green")))
        lesson.put_route(route_of(number))
        lesson.put_record("progress", "last", {"lesson": number})


def whole(known: Snapshot) -> bool:
    """Whether the lessons 1 to n are known, all of each, and nothing else."""
    numbers = range(1, len(known.lessons) + 1)
    last = {"progress": {"last": {"lesson": len(numbers)}}} if numbers else {}
    return (
        [lesson.details["lesson"] for lesson in known.lessons] == list(numbers)
        and set(known.symbols) == {object_name(number) for number in numbers}
        and {route.symbol: route for route in known.routes} == {object_name(n): route_of(n) for n in numbers}
        and known.records == last
    )


def teach_until_killed(path: Path, known: int, confirm: int) -> None:
    """Lesson after lesson, from `known` + 1 on, one byte into the pipe `confirm` after each."""
    with Store.open(path) as store:
        for number in count(known + 1):
            teach(store, number)
            os.write(confirm, b".")


def kill_after(path: Path, known: int, lessons: int, seconds: float) -> int:
    """Teach in a process of its own, kill it so many lessons and seconds later; how many it had confirmed."""
    confirmed, confirm = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            teach_until_killed(path, known, confirm)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(1)
    os.close(confirm)
    with open(confirmed, "rb") as pipe:
        before = pipe.read(lessons)
        time.sleep(seconds)
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        if not os.WIFSIGNALED(status):
            raise RuntimeError("The teaching process ended by itself.")
        return len(before + pipe.read())


def run(path: Path, instants: int, seed: int, lessons: int = 4, longest: float = 0.05) -> Tally:
    """Kill at `instants` random instants: after fewer than `lessons` lessons, and up to `longest` seconds."""
    rng = random.Random(seed)
    Store.open(":memory:").close()  # imports what the children need, once for all of them
    opened = confirmed = kept = known = 0
    for _ in range(instants):
        before = known
        new = kill_after(path, known, rng.randrange(lessons), rng.uniform(0.0, longest))
        confirmed += new
        try:
            with Store.open(path) as store:
                snapshot = store.read()
        except UnrenderError as error:
            print(error)
            continue
        known = len(snapshot.lessons)
        if whole(snapshot):
            # One more than confirmed may be there: the kill may fall between its commit and its confirmation.
            opened += known - before in (new, new + 1)
            kept += min(new, known - before)
    return Tally(instants, opened, confirmed, kept)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--instants", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--lessons", type=int, default=4, help="a kill comes after fewer lessons than this")
    parser.add_argument("--longest", type=float, default=0.05, help="and up to so many seconds into the next")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        tally = run(
            Path(folder) / "kill.brain", options.instants, options.seed, options.lessons, options.longest
        )
    print(
        f"{tally.opened} of {tally.kills} times the file opened, with every confirmed lesson and no half one"
    )
    print(f"{tally.kept} of {tally.confirmed} confirmed lessons were kept")


if __name__ == "__main__":
    main()
