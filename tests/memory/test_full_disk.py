"""A disk that is full or may not be written: one clear error, nothing lost, and afterwards it goes on."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import unrender
from unrender.memory import RouteRecord, Store

FILL = """
import sys
from unrender.errors import UnrenderError
from unrender.memory import RouteRecord, Store
path = sys.argv[1] + "/my.brain"
store, known = Store.open(path), 0
try:
    for known in range(1000):
        with store.lesson("teach", str(known)) as lesson:
            lesson.put_route(RouteRecord("ship", known, "learned", weights=bytes(20_000)))
except UnrenderError as error:
    print(error)
assert 0 < known == len(store.read().lessons) == len(store.read().routes)
store.close()
with Store.open(path) as again:
    assert known == len(again.read().lessons) == len(again.read().routes)
print("all kept")
"""
SMALL_FILES = ("sh", "-c", 'ulimit -f 300; exec "$@"', "sh")


def small_disk(folder: Path, size: str) -> tuple[str, ...] | None:
    """The command that gives a program a disk of this size at `folder`; None where that may not be."""
    mount = f'mount -t tmpfs -o size={size} tmpfs "$0" && exec "$@"'
    command = ("unshare", "--map-root-user", "--mount", "sh", "-c", mount, str(folder))
    possible = subprocess.run([*command, "true"], capture_output=True, check=False).returncode == 0
    return command if possible else None


def test_a_full_disk_costs_only_the_lesson_it_interrupts(
    tmp_path: Path, run_python: Callable[..., str]
) -> None:
    before = small_disk(tmp_path, "200k") or SMALL_FILES
    message, kept = run_python(FILL, tmp_path, before=before).splitlines()
    assert "keeps" in message
    assert "what it held before" in message
    assert message.endswith("try again.")
    assert kept == "all kept"


def test_a_file_that_may_not_grow_costs_only_the_lesson_it_interrupts(
    tmp_path: Path, run_python: Callable[..., str]
) -> None:
    assert run_python(FILL, tmp_path, before=SMALL_FILES).splitlines()[1] == "all kept"
    with Store.open(tmp_path / "my.brain") as store, store.lesson("teach", "with room again") as lesson:
        lesson.put_route(RouteRecord("car", 1, "learned", weights=bytes(20_000)))


# A brain that is open all the while: `shut` and `free` are what becomes of the disk.
THROUGH = """
import os, resource, sys
from pathlib import Path
import unrender
from unrender import Observation, Scene, UnrenderError

folder, way = Path(sys.argv[1]), sys.argv[2]
path, ballast = folder / "my.brain", folder / "ballast"

def shut():
    if way == "disk":
        with ballast.open("wb", buffering=0) as file:
            try:
                while file.write(bytes(4096)):
                    pass
            except OSError:
                pass
    elif way == "limit":
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, resource.RLIM_INFINITY))
    else:
        folder.chmod(0o555)

def free():
    if way == "disk":
        ballast.unlink()
    elif way == "limit":
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    else:
        folder.chmod(0o755)

def parts(*symbols):
    looks = {"red": 0.5, "green": 0.5, "blue": 0.5, "filled": 1.0, "thickness": 0.1}
    return Scene(99, 99, [Observation(symbol, (20.0 + 25 * i, 40.0), (20.0, 20.0), 0.0, dict(looks), depth=i)
                          for i, symbol in enumerate(symbols)])

ship, lamp = parts("square", "triangle"), parts("circle", "square", "square")
brain = unrender.open(path)
brain.teach(ship, "ship")
seen = brain.understand(ship)
seen.save(folder / "scene.json")
saved = (folder / "scene.json").read_bytes()

def held(brain):
    return brain.lessons, sorted(brain.symbols), brain.knows("ship"), brain.understand(ship).to_dict()

def attempts():
    asked = brain.understand(lamp)
    yield lambda: brain.answer(asked.question, "lamp")
    again = brain.understand(lamp)
    yield lambda: brain.skip(again.question)
    yield lambda: brain.teach(lamp, "lamp")
    yield lambda: brain.teach_attribute(seen, seen.axioms[0], "bent")
    yield lambda: brain.rename("ship", "boat")
    yield lambda: brain.forget("ship")
    yield brain.undo
    yield lambda: brain.learn_grammar("[hut] -> [circle]")
    yield lambda: unrender.open(folder / "new.brain")
    yield lambda: seen.save(folder / "scene.json")
    yield lambda: seen.save(folder / "scene.png")

before = held(brain)
shut()
for attempt in attempts():
    try:
        attempt()
    except UnrenderError as error:
        print(error)
    assert held(brain) == before
    with unrender.open(path) as other:
        assert held(other) == before
assert (folder / "scene.json").read_bytes() == saved
free()
assert brain.teach(lamp, "lamp") == "lamp/1"
brain.rename("ship", "boat")
seen.save(folder / "scene.json")
unrender.open(folder / "new.brain").close()
brain.close()
with unrender.open(path) as other:
    assert [lesson.kind for lesson in other.lessons] == ["teach", "teach", "rename"]
    assert sorted(other.symbols) == ["boat", "lamp"]
left = sorted(entry.name for entry in folder.iterdir())
assert left == ["my.brain", "new.brain", "scene.json"], left
print("goes on")
"""


def test_a_brain_goes_on_when_a_full_disk_has_room_again(
    tmp_path: Path, run_python: Callable[..., str]
) -> None:
    disk = small_disk(tmp_path, "400k")
    way = ("limit",) if disk is None else ("disk",)
    *errors, last = run_python(THROUGH, tmp_path, *way, before=disk or ()).splitlines()
    assert last == "goes on"
    assert len(errors) == 11
    if disk is not None:
        assert all(error.startswith("The disk is full, so the brain file") for error in errors[:9])
        assert all("No space left on device" in error for error in errors[9:])


def test_a_brain_goes_on_when_its_files_may_grow_again(
    tmp_path: Path, run_python: Callable[..., str]
) -> None:
    *errors, last = run_python(THROUGH, tmp_path, "limit").splitlines()
    assert last == "goes on"
    assert len(errors) == 11
    assert all("what it held before" in error for error in errors[:8])
    with unrender.open(tmp_path / "my.brain") as brain:
        assert sorted(brain.symbols) == ["boat", "lamp"]


def test_a_brain_goes_on_when_its_folder_may_be_written_again(
    tmp_path: Path, run_python: Callable[..., str], unprivileged: tuple[str, ...]
) -> None:
    *errors, last = run_python(THROUGH, tmp_path, "folder", before=unprivileged).splitlines()
    assert last == "goes on"
    assert len(errors) == 11


READ_ONLY = """
import sys
import unrender
from unrender import Observation, Scene, UnrenderError
brain = unrender.open(sys.argv[1])
print(*sorted(brain.symbols))
looks = {"red": 0.5, "green": 0.5, "blue": 0.5, "filled": 1.0, "thickness": 0.1}
scene = brain.understand(Scene(99, 99, [
    Observation("triangle", (20.0 + 25 * i, 40.0), (20.0, 20.0), 0.0, looks, depth=i) for i in range(2)
]))
for attempt in [lambda: brain.teach(scene, "dot"), lambda: brain.answer(scene.question, "dot"), brain.undo,
                lambda: brain.rename("ship", "boat"), lambda: brain.forget("fleet")]:
    try:
        attempt()
    except UnrenderError as error:
        print(error)
"""


@pytest.mark.parametrize("locked", ["file", "folder"])
def test_a_brain_that_cannot_be_written_is_used_and_not_taught(
    tmp_path: Path, run_python: Callable[..., str], unprivileged: tuple[str, ...], locked: str
) -> None:
    path = tmp_path / "my.brain"
    kept = sorted((Path(__file__).parent / "fixtures").glob("brain-*.brain"))[-1].read_bytes()
    path.write_bytes(kept)
    (path if locked == "file" else tmp_path).chmod(0o555)
    known, *errors = run_python(READ_ONLY, path, before=unprivileged).splitlines()
    tmp_path.chmod(0o755)
    assert known == "boulder fleet house lamp ship"
    assert len(errors) == 5
    assert all("cannot be written, so nothing can be taught" in error for error in errors)
    assert path.read_bytes() == kept
