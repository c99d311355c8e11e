"""Two processes teach one brain at once: the lessons of both are there, each whole."""

import subprocess
import sys
from pathlib import Path

import pytest

import unrender
from unrender.memory import Store

ROUNDS = 9

# Waits for the other one before it begins. Each teaches objects of its own, and both the same object.
TEACH = """
import sys, time
from pathlib import Path
import unrender
from unrender import Observation, Scene

path, name, other, rounds = Path(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4])
looks = {"red": 0.5, "green": 0.5, "blue": 0.5, "filled": 1.0, "thickness": 0.1}

def scene(angle):
    shapes = [("square", 0.0), ("triangle", angle), ("circle", 0.0)]
    return Scene(99, 99, [Observation(symbol, (20.0 + 25 * i, 40.0), (20.0, 14.0), turn, dict(looks), depth=i)
                          for i, (symbol, turn) in enumerate(shapes)])

brain = unrender.open(path)
brain.understand(scene(0.0))
path.with_name(name).touch()
while not path.with_name(other).exists():
    time.sleep(0.001)
for i in range(rounds):
    if i % 3 == 2:  # an object that both know, each in forms of its own
        print(brain.teach(scene(5.0 * i if name == "a" else -5.0 * i), "shared"))
    elif i % 3 == 1:
        brain.rename(f"{name}{i - 1}", f"{name}{i}")
    else:
        print(brain.teach(scene(0.0), f"{name}{i}"))
"""


def test_what_two_processes_teach_at_once_is_all_there(tmp_path: Path) -> None:
    path = tmp_path / "my.brain"
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", TEACH, path, name, other, str(ROUNDS)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for name, other in ("ab", "ba")
    ]
    said = [writer.communicate(timeout=180) for writer in writers]
    assert [writer.returncode for writer in writers] == [0, 0], said
    with unrender.open(path) as brain:
        assert len(brain.lessons) == 2 * ROUNDS
        taught = {f"{name}{i + 1}" for name in "ab" for i in range(0, ROUNDS, 3)}
        assert set(brain.symbols) == taught | {"shared"}
        shared = brain.symbols["shared"]
    assert sum(len(route.memory) for route in shared) == 2 * ROUNDS // 3
    assert {route.name for route in shared} == {
        line for out, _ in said for line in out.split() if "shared" in line
    }
    turns = sorted(round(part.rotation) for route in shared for e in route.memory for part in e.parts[1:2])
    assert len(set(turns)) == len(turns)  # nothing was taken for something else
    with Store.open(path) as store:
        lessons = [lesson.title for lesson in store.read().lessons]
    own = [[title for title in lessons if title.startswith(name)] for name in "ab"]
    assert [len(titles) for titles in own] == [ROUNDS // 3 * 2] * 2


def test_the_second_of_two_that_give_a_name_twice_gets_a_clear_error(tmp_path: Path) -> None:
    with unrender.open(tmp_path / "my.brain") as one, unrender.open(tmp_path / "my.brain") as two:
        one.learn_grammar("[hut] -> [circle]")
        two.learn_grammar("[lamp] -> [square]")
        one.rename("hut", "house")
        with pytest.raises(unrender.UnrenderError, match=r"\[house\] is known already; choose another name"):
            two.rename("lamp", "house")
        assert set(one.symbols) == set(two.symbols) == {"house", "lamp"}
