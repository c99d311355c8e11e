"""Several processes on one brain file, and processes that are killed."""

import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from unrender.errors import UnrenderError
from unrender.memory import Snapshot, Store

TEACH = """
import sys, time
from unrender.memory import RouteRecord, Store, SymbolRecord
with Store.open(sys.argv[1]) as store:
    for number in range(int(sys.argv[3])):
        with store.lesson("teach", str(number)) as lesson:
            lesson.put_symbol(SymbolRecord(f"{sys.argv[2]} {number}"))
            lesson.put_route(RouteRecord(f"{sys.argv[2]} {number}", 1, "learned", weights=bytes(9000),
                                         observations=({"n": 1}, {"n": 2})))
            lesson.put_record("done", f"{sys.argv[2]} {number}", {})
        time.sleep(0.01)
"""


def is_whole(known: Snapshot) -> bool:
    """Whether each lesson of TEACH is there with its five rows."""
    routes = {route.symbol for route in known.routes if route.weights and len(route.observations) == 2}
    return set(known.symbols) == routes == set(known.records.get("done", {})) and len(routes) == len(
        known.lessons
    )


def teacher(path: Path, name: str, lessons: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", TEACH, path, name, str(lessons)])


def test_a_reader_sees_whole_lessons_while_another_process_teaches(path: Path) -> None:
    sizes, halves = set(), 0
    with Store.open(path) as store, teacher(path, "a", 1000) as teaching:
        while len(sizes) < 6 and teaching.poll() is None:
            if store.changed():
                known = store.read()
                sizes.add(len(known.lessons))
                halves += not is_whole(known)
        teaching.kill()
        assert is_whole(store.read())
    assert halves == 0
    assert len(sizes) == 6


def test_two_processes_teach_one_new_file(path: Path) -> None:
    teachers = [teacher(path, name, 10) for name in "ab"]
    assert [teaching.wait(timeout=60) for teaching in teachers] == [0, 0]
    with Store.open(path) as store:
        known = store.read()
    assert is_whole(known)
    assert len(known.lessons) == 20


# Writes changed pages into the file itself before the transaction is over, and dies: the journal stays.
DIE_WRITING = """
import os, signal, sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("PRAGMA cache_size = 1")
connection.execute("BEGIN IMMEDIATE")
connection.execute("UPDATE weights SET blob = zeroblob(500000)")
connection.execute("UPDATE lesson SET title = 'half', seal = 0")
print(os.path.getsize(sys.argv[1] + "-journal"), flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


def die_writing(path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", DIE_WRITING, path], capture_output=True, timeout=60, check=False
    )
    assert done.returncode == -9
    assert int(done.stdout) > 0


def test_a_lesson_that_was_cut_off_is_gone_when_the_file_is_opened(path: Path, taught: Snapshot) -> None:
    before = path.stat().st_size
    die_writing(path)
    assert path.stat().st_size > before
    assert path.with_name("my.brain-journal").exists()
    with Store.open(path) as store:
        assert store.read() == taught
    assert not path.with_name("my.brain-journal").exists()
    assert path.stat().st_size == before


OPEN = """
import sys
from unrender.errors import UnrenderError
from unrender.memory import Store
try:
    Store.open(sys.argv[1])
except UnrenderError as error:
    print(error)
"""


def test_a_cut_off_lesson_in_a_read_only_file_waits_until_it_can_be_taken_back(
    path: Path, taught: Snapshot, run_python: Callable[..., str], unprivileged: tuple[str, ...]
) -> None:
    die_writing(path)
    path.chmod(0o444)
    said = run_python(OPEN, path, before=unprivileged)
    path.chmod(0o644)
    assert "was left in the middle of a lesson; open it once where" in said
    with Store.open(path) as store:
        assert store.read() == taught


def test_a_file_that_is_in_use_too_long_is_named(path: Path, taught: Snapshot) -> None:
    with Store.open(path, timeout=0.1) as store:
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        assert store.read() == taught  # someone else is writing: reading goes on
        with pytest.raises(UnrenderError, match="is in use by another program"), store.lesson("teach", "x"):
            pass
        other.execute("ROLLBACK")
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(UnrenderError, match="is in use by another program"):
            store.read()
        with pytest.raises(UnrenderError, match="is in use by another program"):
            Store.open(path, timeout=0.1)
        other.execute("ROLLBACK")
        other.execute("BEGIN")
        other.execute("SELECT * FROM lesson").fetchone()  # a reader that does not let go
        with pytest.raises(UnrenderError, match="is in use by another program"), store.lesson("teach", "x"):
            pass
        other.close()
        assert store.read() == taught
        with store.lesson("teach", "now it works"):
            pass


FORK = """
import os, sys
from unrender.errors import UnrenderError
from unrender.memory import Store, SymbolRecord

def in_a_fork(act):
    child = os.fork()
    if child == 0:
        status = 1
        try:
            status = act() or 0
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

def teach(name):
    with store.lesson("teach", name) as lesson:
        lesson.put_symbol(SymbolRecord(name))

def misuse(lesson):
    try:
        lesson.put_symbol(SymbolRecord("misuse"))
    except UnrenderError:
        return 7

def use_memory(memory):
    try:
        memory.read()
    except UnrenderError:
        return 8

store = Store.open(sys.argv[1])
teach("parent")
print(in_a_fork(lambda: teach("child")), in_a_fork(store.close), store.changed(), *store.read().symbols)
with store.lesson("teach", "while a copy looks") as lesson:
    lesson.put_symbol(SymbolRecord("parent again"))
    print(in_a_fork(lambda: len(store.read().symbols)), in_a_fork(lambda: misuse(lesson)))
    lesson.put_symbol(SymbolRecord("parent once more"))
print(*store.read().symbols, sep=", ")
print(in_a_fork(lambda: use_memory(memory)) if (memory := Store.open(":memory:")) else "")
"""


def test_a_fork_gets_a_connection_of_its_own(path: Path, run_python: Callable[..., str]) -> None:
    assert run_python(FORK, path).splitlines() == [
        "0 0 True parent child",
        "2 7",
        "parent, child, parent again, parent once more",
        "8",
    ]
