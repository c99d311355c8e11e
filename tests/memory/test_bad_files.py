"""Whatever is wrong with a file: one sentence, and nothing that was known is lost."""

import os
import random
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from unrender.errors import UnrenderError
from unrender.memory import Snapshot, Store, SymbolRecord


def refused(path: Path | str, sentence: str) -> None:
    """Opening and reading fails with one sentence, and leaves the file as it is."""
    file = Path(path)
    before = file.read_bytes() if os.path.lexists(path) and file.is_file() else None
    with pytest.raises(UnrenderError, match=sentence) as caught, Store.open(path) as store:
        store.read()
    message = str(caught.value)
    assert message[0].isupper() or message[0] == '"'
    assert message.endswith(".")
    assert "\n" not in message
    if before is not None:
        assert file.read_bytes() == before


def test_places_where_no_brain_can_be(tmp_path: Path) -> None:
    refused(tmp_path, "is a folder; name a brain file inside it")
    refused(tmp_path / "none" / "my.brain", "The folder of the brain file .* does not exist")
    refused("file:my.brain?mode=memory", "named by its plain path")
    refused("", "named by its plain path")
    refused("a\0b", "cannot be opened")
    refused(tmp_path / ("x" * 300), "cannot be opened: File name too long")
    refused("/dev/null", "is not a file")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    refused(tmp_path / "loop", "cannot be opened: Too many levels of symbolic links")
    (tmp_path / "file").touch()
    refused(tmp_path / "file" / "my.brain", "cannot be opened: Not a directory")


def test_files_that_are_not_brains(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("It was a dark and stormy night.\n" * 200)
    (tmp_path / "letter").write_text("x")
    (tmp_path / "word").write_text("word")
    (tmp_path / "zeros").write_bytes(bytes(8192))
    (tmp_path / "noise").write_bytes(random.Random(1).randbytes(20_000))
    Image.new("RGB", (64, 64), "red").save(tmp_path / "picture.png")
    for name, line in {
        "other": "CREATE TABLE lesson (id INTEGER)",
        "bare": "PRAGMA user_version = 1",
    }.items():
        with sqlite3.connect(tmp_path / name) as connection:
            connection.execute(line)
    for file in sorted(tmp_path.iterdir()):
        refused(file, r'^".*" is not a brain file and was left as it is; choose another file\.$')


def test_an_empty_file_becomes_a_brain(path: Path) -> None:
    path.touch()
    with Store.open(path) as store:
        assert store.read() == Snapshot()
        with store.lesson("teach", "ship"):
            pass


def test_names_and_links_of_any_kind(tmp_path: Path, taught: Snapshot, path: Path) -> None:
    odd = tmp_path / "a b?c=d#e%20 ä🚀.brain"
    shutil.copy(path, odd)
    (tmp_path / "elsewhere").mkdir()
    link = tmp_path / "elsewhere" / "link.brain"
    link.symlink_to(odd)
    with Store.open(link) as store:
        with store.lesson("teach", "x"):
            pass
        known = store.read()
    with Store.open(str(odd)) as store:
        assert store.read() == known


def test_a_truncated_brain_is_damaged(path: Path, taught: Snapshot) -> None:
    whole = path.read_bytes()
    for size in (len(whole) - 1, len(whole) - 4096, len(whole) // 2, 5000, 4096, 200):
        path.write_bytes(whole[:size])
        refused(path, r"is damaged and was left as it is; restore it from a copy\.")
    path.write_bytes(whole)
    with Store.open(path) as store:
        assert store.read() == taught


def reading(path: Path) -> Snapshot | str:
    """What the file holds, or the sentence that says why not."""
    try:
        with Store.open(path) as store:
            return store.read()
    except UnrenderError as error:
        return str(error)


def test_overwritten_bytes_never_become_knowledge(path: Path, taught: Snapshot) -> None:
    whole = path.read_bytes()
    said = ("is damaged and", "has tables or rules that unrender does not make, and")
    damaged = [f'The brain file "{path}" {what} was left as it is; restore it from a copy.' for what in said]
    rng = random.Random(5)
    results = []
    for _ in range(100):
        length = rng.choice([1, 8, 100, 1000])
        start = rng.randrange(100, len(whole) - length)
        noise = rng.choice([rng.randbytes(length), bytes(length)])
        path.write_bytes(whole[:start] + noise + whole[start + length :])
        results.append(reading(path))
    assert all(result in (taught, *damaged) for result in results)  # `taught` where they were not in use
    assert results.count(damaged[0]) > 20


def test_a_change_inside_a_text_or_a_weight_is_noticed(path: Path, taught: Snapshot) -> None:
    whole = path.read_bytes()
    for old, new in [(b"triangle", b"rectangl"), (b"ABCDEFGH", b"ABCDEFGh"), (b"from above", b"from abovf")]:
        assert old in whole
        path.write_bytes(whole.replace(old, new, 1))
        refused(path, "is damaged")


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE symbol SET died = 1 WHERE name = 'ship'",
        "DELETE FROM observation WHERE id = 1",
        "DELETE FROM lesson WHERE id = 2",
        "UPDATE observation SET id = id + 7",
        "UPDATE tally SET total = total + 1",
        "DELETE FROM tally",
    ],
)
def test_a_row_that_vanished_or_died_by_damage_is_noticed(path: Path, taught: Snapshot, damage: str) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute(damage)
    refused(path, "is damaged")
    with (
        Store.open(path) as store,
        pytest.raises(UnrenderError, match="is damaged"),
        store.lesson("teach", "x"),
    ):
        pass


def test_no_lesson_is_taught_on_a_broken_index(path: Path, taught: Snapshot) -> None:
    with sqlite3.connect(path) as connection:
        root = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'current_symbol'")
        page = int(root.fetchone()[0])
    whole = path.read_bytes()
    start = 4096 * (page - 1)
    path.write_bytes(
        whole[:start] + whole[start : start + 4096].replace(b"ship", b"boat") + whole[start + 4096 :]
    )
    with Store.open(path) as store:
        with pytest.raises(UnrenderError, match="is damaged"), store.lesson("teach", "x"):
            pass
        assert store.read() == taught


def test_a_lesson_on_a_damaged_file_says_so(path: Path, taught: Snapshot) -> None:
    with Store.open(path) as store:
        with sqlite3.connect(path) as connection:
            connection.execute("DROP TABLE observation")
        with pytest.raises(UnrenderError, match="is damaged"), store.lesson("teach", "x") as lesson:
            lesson.add_observation("ship", 1, {})
        with pytest.raises(UnrenderError, match="is damaged"):
            store.undo()


def test_a_file_that_was_deleted_or_moved_takes_no_lessons(path: Path, taught: Snapshot) -> None:
    with Store.open(path) as store:
        path.rename(path.with_name("moved.brain"))
        moved = pytest.raises(UnrenderError, match="was moved or deleted while it was open; open it again")
        with moved, store.lesson("teach", "x") as lesson:
            lesson.put_symbol(SymbolRecord("x"))
    with Store.open(path.with_name("moved.brain")) as store:
        assert store.read() == taught


READ_ONLY = """
import sys
from unrender.errors import UnrenderError
from unrender.memory import Store
def tell(act):
    try:
        return act()
    except UnrenderError as error:
        return error
def teach(store):
    with store.lesson("teach", "x"):
        pass
for path in sys.argv[1:]:
    store = tell(lambda: Store.open(path))
    if isinstance(store, UnrenderError):
        print(store)
    else:
        print(store.read_only, len(store.read().lessons), tell(lambda: teach(store)), tell(store.undo))
"""


def test_what_cannot_be_written_can_still_be_read(
    path: Path,
    tmp_path: Path,
    taught: Snapshot,
    run_python: Callable[..., str],
    unprivileged: tuple[str, ...],
) -> None:
    folder = tmp_path / "locked"
    folder.mkdir()
    for name in ("file", "old", "empty", "unreadable"):
        shutil.copy(path, tmp_path / name)
    shutil.copy(path, folder / "inside")
    with sqlite3.connect(tmp_path / "old") as connection:
        connection.execute("DROP TABLE tally")
        connection.execute("PRAGMA user_version = 1")
    (tmp_path / "empty").write_bytes(b"")
    for name in ("file", "old", "empty"):
        (tmp_path / name).chmod(0o444)
    (tmp_path / "unreadable").chmod(0)
    folder.chmod(0o555)
    files = [
        tmp_path / "file",
        folder / "inside",
        folder / "new",
        *map(tmp_path.joinpath, ("old", "empty", "unreadable")),
    ]
    try:
        lines = run_python(READ_ONLY, *files, before=unprivileged).splitlines()
    finally:
        folder.chmod(0o755)
    for line in lines[:2]:
        assert line.startswith("True 2 ")
        assert line.count("cannot be written, so nothing can be taught") == 2
    assert lines[2].endswith("cannot be made: its folder cannot be written; choose another place.")
    assert "has an older format; open it once where" in lines[3]
    assert lines[4].endswith("cannot be written; make the file and its folder writable.")
    assert lines[5].endswith("may not be read; change its permissions.")
    with Store.open(tmp_path / "file") as store:
        assert store.read() == taught
