"""Small brains, and programs that use them from another process."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from unrender.memory import RouteRecord, Snapshot, Store, SymbolRecord

ROUTE = RouteRecord(
    symbol="ship",
    number=1,
    kind="learned",
    label="from above",
    parts=("triangle", "square", "square"),
    given=None,
    body={"frame": [1.5, -0.1], "nested": {"ä": None}},
    weights=bytes(range(256)) * 40,
    observations=({"p": 0.9, "red": 1}, {"p": 0.1 + 0.2, "red": 0}),
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "my.brain"


@pytest.fixture(scope="session")
def small_brain(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Snapshot]:
    """A file to copy, and what it knows: a ship, a house from a grammar, and an answered question."""
    path = tmp_path_factory.mktemp("brain") / "small.brain"
    with Store.open(path) as store:
        with store.lesson("teach", "ship", {"scene": "frame.png"}) as lesson:
            lesson.put_symbol(SymbolRecord("ship", ("wooden", "broken")))
            lesson.put_route(ROUTE)
        with store.lesson("grammar", "house", {}) as lesson:
            lesson.put_symbol(SymbolRecord("house"))
            lesson.put_route(RouteRecord("house", 1, "given", given="[house] -> [triangle] [square]\n"))
            lesson.put_record("question", "1", {"cause": "A.2", "answer": "house"})
        return path, store.read()


@pytest.fixture
def taught(path: Path, small_brain: tuple[Path, Snapshot]) -> Snapshot:
    """What the file at `path` knows, which is there from now on."""
    shutil.copy(small_brain[0], path)
    return small_brain[1]


@pytest.fixture
def run_python() -> Callable[..., str]:
    """Run a program in a Python of its own, `before` being the command that starts it; what it printed."""

    def run(program: str, *arguments: object, before: tuple[str, ...] = ()) -> str:
        command = [*before, sys.executable, "-c", program, *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=180, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


@pytest.fixture
def unprivileged() -> tuple[str, ...]:
    """What to run a program with so that permissions bind it: root gives up the privilege to ignore them."""
    root = os.geteuid() == 0
    return ("setpriv", "--bounding-set", "-dac_override,-dac_read_search") if root else ()
