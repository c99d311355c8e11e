"""One file for all pictures: what is in it, and that the same command goes on where it was stopped."""

import fcntl
import json
from collections.abc import Callable
from pathlib import Path

import pandas
import pyarrow.parquet as pq
import pytest

import unrender
from unrender import Scene
from unrender.batch.journal import Journal
from unrender.batch.resume import JOURNAL

from .test_many import film

Run = Callable[..., int]
Capture = pytest.CaptureFixture[str]


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def pictures(path: Path) -> list[str]:
    return [Path(str(line["image"])).name for line in lines(path)]


@pytest.fixture
def made(run: Run, folder: Path, tmp_path: Path, capsys: Capture) -> Path:
    """The lines of two pictures."""
    assert run("see", folder, "-o", tmp_path / "all.jsonl") == 0
    assert "Wrote" in capsys.readouterr().out
    return tmp_path / "all.jsonl"


def test_each_picture_is_a_line_with_its_scene(made: Path) -> None:
    assert pictures(made) == ["two.png", "one.png"]
    for line in lines(made):
        assert str(line["made_by"]).endswith("no brain")
        assert sorted(axiom.symbol for axiom in Scene.from_dict(line).axioms) == ["circle", "square"]


def test_the_same_command_again_does_nothing_twice(
    run: Run, made: Path, folder: Path, capsys: Capture
) -> None:
    before = made.read_bytes()
    assert run("see", folder, "-o", made, "-j", "2") == 0
    assert made.read_bytes() == before
    assert capsys.readouterr().err == "2 of 2 were done before.\n"


def test_pictures_that_have_come_since_are_added(run: Run, made: Path, folder: Path, capsys: Capture) -> None:
    (folder / "zebra.png").write_bytes((folder / "one.png").read_bytes())
    assert run("see", folder, "-o", made) == 0
    assert pictures(made) == ["two.png", "one.png", "zebra.png"]
    told = capsys.readouterr()
    assert told.err == "2 of 3 were done before.\n"
    assert "1 pictures" in told.out


@pytest.mark.parametrize("kept", [1, 30, 200, -1])
def test_a_torn_last_line_is_dropped_and_its_picture_seen_again(
    run: Run, made: Path, folder: Path, kept: int
) -> None:
    whole = made.read_bytes()
    first, second, _ = whole.split(b"\n")
    made.write_bytes(first + b"\n" + second[:kept])
    assert run("see", folder, "-o", made) == 0
    assert made.read_bytes() == whole


def test_a_file_with_nothing_but_a_torn_line_is_begun_anew(run: Run, made: Path, folder: Path) -> None:
    whole = made.read_bytes()
    made.write_bytes(whole[:25])
    assert run("see", folder, "-o", made) == 0
    assert made.read_bytes() == whole


def test_what_a_disk_has_garbled_is_seen_again(run: Run, made: Path, folder: Path) -> None:
    first, second, _ = made.read_bytes().split(b"\n")
    made.write_bytes(second + b"\n" + b"\0" * len(first) + b"\n")
    assert run("see", folder, "-o", made) == 0
    assert made.read_bytes() == second + b"\n" + first + b"\n"


def test_what_failed_is_tried_again_and_has_one_line(run: Run, folder: Path, tmp_path: Path) -> None:
    good = (folder / "one.png").read_bytes()
    (folder / "one.png").write_text("no picture")
    goal = tmp_path / "all.jsonl"
    assert run("see", folder, "-o", goal) == 1
    assert [("error" in line, Path(str(line["image"])).name) for line in lines(goal)] == [
        (False, "two.png"),
        (True, "one.png"),
    ]
    assert run("see", folder, "-o", goal) == 1
    assert len(lines(goal)) == 2
    (folder / "one.png").write_bytes(good)
    assert run("see", folder, "-o", goal) == 0
    assert [("error" in line) for line in lines(goal)] == [False, False]


def test_another_brain_is_refused_until_all_is_begun_again(
    run: Run, made: Path, folder: Path, brain: Path, capsys: Capture
) -> None:
    before = made.read_bytes()
    assert run("see", folder, "-o", made, "-b", brain) == 2
    told = capsys.readouterr()
    assert told.err.count("\n") == 1
    assert "no brain, not by" in told.err
    assert "--again" in told.err
    assert made.read_bytes() == before
    assert run("see", folder, "-o", made, "-b", brain, "--again") == 0
    assert len(lines(made)) == 2
    assert run("see", folder, "-o", made) == 2


def test_a_lesson_makes_another_brain_and_its_undoing_the_old_one(
    run: Run, folder: Path, brain: Path, tmp_path: Path
) -> None:
    goal = tmp_path / "all.jsonl"
    assert run("see", folder, "-o", goal, "-b", brain) == 0
    with unrender.open(brain) as opened:
        opened.rename("ship", "boat")
        assert run("see", folder, "-o", goal, "-b", brain) == 2
        opened.undo()
    assert run("see", folder, "-o", goal, "-b", brain) == 0


@pytest.mark.parametrize("text", ["my notes", '{"some": "json"}\n', "[1, 2]\n"])
def test_a_file_of_somebody_else_is_left_alone(
    run: Run, folder: Path, tmp_path: Path, text: str, capsys: Capture
) -> None:
    goal = tmp_path / "notes.jsonl"
    goal.write_text(text)
    assert run("see", folder, "-o", goal) == 2
    assert "holds something else" in capsys.readouterr().err
    assert goal.read_text() == text


def test_two_commands_do_not_write_one_file(run: Run, made: Path, folder: Path, capsys: Capture) -> None:
    with made.open("ab") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        assert run("see", folder, "-o", made) == 2
    assert 'Another "unrender see" is writing' in capsys.readouterr().err


def test_formats_are_for_files_in_a_folder(run: Run, folder: Path, tmp_path: Path, capsys: Capture) -> None:
    assert run("see", folder, "-o", tmp_path / "all.jsonl", "-f", "svg") == 2
    assert "one file for all" in capsys.readouterr().err


def test_a_video_that_was_not_written_to_its_end_is_seen_again(run: Run, tmp_path: Path) -> None:
    film(tmp_path / "clip.mkv", 3)
    goal = tmp_path / "all.jsonl"
    assert run("see", tmp_path / "clip.mkv", "-o", goal) == 0
    assert [(line["frame"], line["frames"]) for line in lines(goal)] == [(0, 3), (1, 3), (2, 3)]
    whole = goal.read_bytes()
    goal.write_bytes(b"".join(whole.splitlines(keepends=True)[:2]))
    assert run("see", tmp_path / "clip.mkv", "-o", goal) == 0
    assert goal.read_bytes() == whole


def test_parquet_has_a_row_for_each_object_and_says_what_holds_none(
    run: Run, folder: Path, brain: Path, ship: Path, tmp_path: Path
) -> None:
    goal = tmp_path / "all.parquet"
    assert run("see", ship, folder, "-o", goal, "-b", brain) == 0
    table = pandas.read_parquet(goal)
    assert list(table.columns[:6]) == ["picture", "frame", "id", "parent", "symbol", "p"]
    assert set(table.picture) == {str(path) for path in (ship, *folder.rglob("*.png"))}
    whole = table[table.symbol == "ship"].iloc[0]
    parts = table[(table.picture == str(ship)) & (table.parent == whole.id)]
    assert len(parts) >= 2
    assert parts.red.between(0, 1).all()
    ring = table[(table.symbol == "circle") & (table.picture == str(folder / "one.png"))].iloc[0]
    assert ring.x == pytest.approx(66, abs=0.5)
    assert not list(tmp_path.glob("*.jsonl"))
    assert b"unrender" in pq.read_schema(goal).metadata


def test_parquet_goes_on_with_what_is_there(run: Run, folder: Path, tmp_path: Path, capsys: Capture) -> None:
    goal = tmp_path / "all.parquet"
    good = (folder / "one.png").read_bytes()
    (folder / "one.png").write_text("no picture")
    assert run("see", folder, "-o", goal) == 1
    (folder / "one.png").write_bytes(good)
    assert run("see", folder, "-o", goal) == 0
    assert "1 of 2 were done before." in capsys.readouterr().err
    assert pandas.read_parquet(goal).groupby("picture").size().tolist() == [2, 2]
    assert run("see", folder, "-o", goal) == 0
    assert "2 of 2 were done before." in capsys.readouterr().err
    assert len(pandas.read_parquet(goal)) == 4


def test_a_parquet_file_of_somebody_else_is_left_alone(run: Run, folder: Path, tmp_path: Path) -> None:
    goal = tmp_path / "other.parquet"
    pandas.DataFrame({"x": [1]}).to_parquet(goal)
    before = goal.read_bytes()
    assert run("see", folder, "-o", goal) == 2
    goal.with_name("text.parquet").write_text("no table")
    assert run("see", folder, "-o", goal.with_name("text.parquet")) == 2
    assert goal.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["frames", "other.parquet", "text.parquet"]


def test_files_in_a_folder_go_on_where_they_were_stopped(run: Run, folder: Path, tmp_path: Path) -> None:
    (folder / "zebra.png").write_text("no picture")
    out = tmp_path / "out"
    command = ("see", folder, "-o", out, "-f", "svg")
    assert run(*command) == 1
    assert [Path(name).name for name in pictures(out / JOURNAL)] == ["two.png", "one.png"]
    (out / "one.svg").unlink()
    stamp = (out / "more" / "two.svg").stat().st_mtime_ns
    assert run(*command) == 1
    assert (out / "one.svg").is_file()
    assert (out / "more" / "two.svg").stat().st_mtime_ns == stamp
    assert run(*command[:-1], "json") == 2  # not the same command
    (folder / "zebra.png").unlink()
    assert run(*command) == 0
    assert sorted(path.name for path in out.rglob("*.*")) == ["one.svg", "two.svg"]


def test_a_journal_to_which_nothing_was_added_is_not_left_behind(tmp_path: Path) -> None:
    Journal(tmp_path / "none.jsonl", "us").close()
    assert list(tmp_path.iterdir()) == []
