"""Small brains, and programs that use them from another process."""

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


@pytest.fixture
def taught(path: Path) -> Snapshot:
    """What the file at `path` knows: a ship, a house from a grammar, and an answered question."""
    with Store.open(path) as store:
        with store.lesson("teach", "ship", {"scene": "frame.png"}) as lesson:
            lesson.put_symbol(SymbolRecord("ship", ("red", "green", "blue")))
            lesson.put_route(ROUTE)
        with store.lesson("grammar", "house", {}) as lesson:
            lesson.put_symbol(SymbolRecord("house"))
            lesson.put_route(RouteRecord("house", 1, "given", given="[house] -> [triangle] [square]\n"))
            lesson.put_record("question", "1", {"cause": "A.2", "answer": "house"})
        return store.read()


@pytest.fixture
def run_python() -> Callable[..., str]:
    """Run a program in a Python of its own, `before` being the command that starts it; what it printed."""

    def run(program: str, *arguments: object, before: tuple[str, ...] = ()) -> str:
        command = [*before, sys.executable, "-c", program, *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run
