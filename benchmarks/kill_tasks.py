"""What a process does with a brain file while it is killed, step by step, and what the file then holds."""

from __future__ import annotations

import os
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import unrender
from unrender import Brain, Scene
from unrender.memory import Snapshot, Store
from unrender.memory.layout import APPLICATION, SCHEMA
from unrender.worlds.blueprints import BLUEPRINTS

FIXTURES = Path(__file__).parents[1] / "tests" / "memory" / "fixtures"  # brains of older formats

Step = Callable[[Brain], object]


@dataclass(frozen=True)
class Task:
    """Work on one file, in steps of which each is confirmed."""

    name: str
    steps: int
    make: Callable[[Path], None]  # the file before the first step
    work: Callable[[Path, int], Iterator[None]]  # all steps from the given one on
    look: Callable[[Path], object]  # all that the file holds
    writes: bool = True  # to the brain file

    def run(self, path: Path, begin: int, confirm: int) -> None:
        """Do the steps from `begin` on, a line into the pipe `confirm` after each."""
        for _ in self.work(path, begin):
            os.write(confirm, b"\n")

    def rehearse(self, path: Path) -> tuple[list[object], float]:
        """What the file holds before the first and after every step, and the seconds of a step."""
        self.make(path)
        states, seconds, begin = [self.look(path)], 0.0, time.monotonic()
        for _ in self.work(path, 0):
            seconds += time.monotonic() - begin
            states.append(self.look(path))
            begin = time.monotonic()
        return states, seconds / self.steps


def held(path: Path) -> tuple[Snapshot, list[str]]:
    """All that a brain file holds, but not when it was taught, and the objects that the brain then knows."""
    with Store.open(path) as store:
        snapshot = store.read()
    with unrender.open(path) as brain:
        known = sorted(brain.symbols)
    return replace(snapshot, lessons=tuple(replace(lesson, at="") for lesson in snapshot.lessons)), known


def shown(name: str, form: int = 0) -> Scene:
    """An object of the asteroid world, alone."""
    shapes = [piece.observed((0.9, 0.6, 0.3)) for piece in BLUEPRINTS[name][form].pieces]
    return Scene(99, 99, [replace(shape, depth=i) for i, shape in enumerate(shapes)])


def taught(name: str, called: str, form: int = 0) -> Step:
    return lambda brain: brain.teach(shown(name, form), called)


def answered(name: str, called: str) -> Step:
    def step(brain: Brain) -> None:
        question = brain.see_again(shown(name)).question
        assert question is not None
        brain.answer(question, called)

    return step


def damaged(brain: Brain) -> None:
    """An example of what can be the matter with a ship."""
    scene = brain.see_again(shown("ship"))
    ship = next(node for node in scene.observations if node.symbol == "ship")
    brain.teach_attribute(scene, ship, "damaged", 1.0)


def fleet(brain: Brain) -> None:
    """An object that is made of another one."""
    scene = brain.see_again(shown("ship"))
    brain.teach(scene, "fleet", scene.axioms)


LESSONS: tuple[Step, ...] = (
    answered("ship", "ship"),
    taught("ship", "ship", 1),
    damaged,
    fleet,
    taught("station", "station"),
    *(taught("asteroid", "asteroid", form) for form in range(3)),
    lambda brain: brain.learn_grammar("[lamp] -> [circle] [square]\n    [square] y = height"),
    lambda brain: brain.forget("lamp"),
    taught("station", "harbour"),
)
RENAMES: tuple[Step, ...] = tuple(
    lambda brain, old=old, new=new: brain.rename(old, new)
    for old, new in [
        ("ship", "boat"),
        ("damaged", "broken"),
        ("boat", "vessel"),
        ("asteroid", "rock"),
        ("broken", "battered"),
        ("fleet", "armada"),
        ("vessel", "ship"),
        ("station", "port"),
    ]
)
UNDONE: tuple[Step, ...] = (Brain.undo,) * len(LESSONS)


def empty(path: Path) -> None:
    unrender.open(path).close()


@cache
def all_lessons() -> bytes:
    """The file of a brain that has had all lessons."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "full.brain"
        with unrender.open(path) as brain:
            for lesson in LESSONS:
                lesson(brain)
        return path.read_bytes()


def full(path: Path) -> None:
    path.write_bytes(all_lessons())


def warm_up() -> None:
    """Import what the processes need, once for all of them, and without threads, which a fork loses."""
    os.environ["OMP_NUM_THREADS"] = "1"
    all_lessons()


def on_a_brain(steps: tuple[Step, ...]) -> Callable[[Path, int], Iterator[None]]:
    """The steps, one after the other, on one open brain."""

    def work(path: Path, begin: int) -> Iterator[None]:
        with unrender.open(path) as brain:
            for step in steps[begin:]:
                step(brain)
                yield

    return work


# A file of an older format


def version(path: Path) -> int:
    """The format of a file."""
    with closing(sqlite3.connect(path)) as connection:
        return int(connection.execute("PRAGMA user_version").fetchone()[0])


def of_format_0(path: Path) -> None:
    """The mark of a brain, and no tables yet."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA application_id = {APPLICATION}")


def of_format_1(path: Path) -> None:
    """A brain that knows something, as it was kept from the time of that format."""
    path.write_bytes((FIXTURES / "brain-1.brain").read_bytes())


def held_in_older_format(path: Path) -> object:
    """The format, and what a copy of the file holds once it has been brought up to date."""
    found = version(path)
    with tempfile.TemporaryDirectory() as folder:
        return found, held(Path(shutil.copy(path, folder)))


COMING = f'''
import sqlalchemy as sa
from alembic import op

revision = "{SCHEMA + 1:04d}"
down_revision = "{SCHEMA:04d}"


def upgrade():
    for table in ("weights", "observation", "record"):
        with op.batch_alter_table(table, recreate="always") as changed:
            changed.add_column(sa.Column("more", sa.Text))
'''
"""A format to come, for which the largest tables are written anew."""


def to_the_coming_format(path: Path, begin: int) -> Iterator[None]:
    """One step, as an unrender of the next format would do it."""
    from unrender.memory.database import Database
    from unrender.memory.migrations import SCRIPTS, upgrade
    from unrender.memory.place import find

    with tempfile.TemporaryDirectory() as folder:
        scripts = Path(folder) / "versions"
        scripts.mkdir()
        for script in (SCRIPTS / "versions").glob("*.py"):
            (scripts / script.name).write_bytes(script.read_bytes())
        (scripts / "coming.py").write_text(COMING, encoding="utf-8")
        with closing(Database(find(path), 10.0)) as database:
            writer = database.writer
            with database.transaction("BEGIN IMMEDIATE"):
                upgrade(writer, scripts.parent)
            yield


def held_in_any_format(path: Path) -> object:
    """The format, and what is held: of a format to come, which is not opened, the rows themselves."""
    found = version(path)
    if found <= SCHEMA:
        return found, held(path)
    with closing(sqlite3.connect(path)) as connection:
        tables = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
        rows = {name: connection.execute(f'SELECT * FROM "{name}"').fetchall() for (name,) in tables}
    return found, rows


LATER: tuple[Step, ...] = (Brain.lessons.fget, *LESSONS[4:8])  # the first only reads

TASKS = (
    Task("teaches", len(LESSONS), empty, on_a_brain(LESSONS), held),
    Task("undoes", len(UNDONE), full, on_a_brain(UNDONE), held),
    Task("renames", len(RENAMES), full, on_a_brain(RENAMES), held),
    Task("opens a file of format 0", len(LATER), of_format_0, on_a_brain(LATER), held_in_older_format),
    Task("opens a file of format 1", len(LATER), of_format_1, on_a_brain(LATER), held_in_older_format),
    Task("rewrites it for a format to come", 1, full, to_the_coming_format, held_in_any_format),
)
