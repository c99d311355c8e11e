"""unrender see with many pictures, folders, patterns and videos."""

import json
from collections.abc import Callable
from pathlib import Path

import av
import pytest
from PIL import Image

from unrender import Scene, UnrenderError
from unrender.batch.sources import sources

from .conftest import drawn

Run = Callable[..., int]
Capture = pytest.CaptureFixture[str]


def film(path: Path, frames: int) -> Path:
    """A short video without loss in which the ring moves to the right."""
    with av.open(str(path), "w") as container:
        stream = container.add_stream("ffv1", rate=10)
        stream.width, stream.height, stream.pix_fmt = 96, 64, "bgr0"
        for i in range(frames):
            frame = av.VideoFrame.from_ndarray(drawn(62 + i).image, format="rgb24")
            container.mux(stream.encode(frame))
        container.mux(stream.encode())
    return path


def names(words: list[str | Path]) -> list[str]:
    return [source.name for source in sources([str(word) for word in words])]


def test_a_folder_stands_for_all_pictures_in_it_and_below(folder: Path) -> None:
    (folder / "notes.txt").write_text("")
    (folder / ".hidden.png").write_text("")
    assert names([folder]) == ["more/two", "one"]


def test_patterns_are_expanded_and_nothing_is_taken_twice(folder: Path) -> None:
    assert names([folder / "*.png", folder / "**" / "*.png", folder / "one.png"]) == ["one", "two"]


def test_names_that_would_collide_are_told_apart(folder: Path) -> None:
    (folder / "one.jpg").write_text("")
    (folder / "more" / "one.png").write_text("")
    found = names([folder / "one.png", folder / "one.jpg", folder / "more" / "one.png"])
    assert found == ["one", "one.jpg", "one.png"]


def test_a_file_with_the_letters_of_a_pattern_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "frame [1].png").write_text("")
    assert names([tmp_path / "frame [1].png"]) == ["frame [1]"]


@pytest.mark.parametrize("word", ["empty", "empty/*.png"])
def test_a_word_that_stands_for_nothing_is_an_error(tmp_path: Path, word: str) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(UnrenderError, match=r"holds no pictures|No file matches"):
        sources([str(tmp_path / word)])


def test_many_pictures_are_told_in_a_table_and_written_to_a_folder(
    run: Run, folder: Path, tmp_path: Path, capsys: Capture
) -> None:
    assert run("see", folder, "-o", tmp_path / "out", "-f", "svg", "-f", ".json") == 0
    told = capsys.readouterr()
    assert "1 circle, 1 square" in told.out
    assert ["circle", "2", "2", "1.00"] in [line.split() for line in told.out.splitlines()]
    assert f"Wrote 4 files to {tmp_path / 'out'}" in told.out
    assert told.err == ""
    made = sorted(path.relative_to(tmp_path / "out").as_posix() for path in (tmp_path / "out").rglob("*.*"))
    assert made == ["more/two.json", "more/two.svg", "one.json", "one.svg"]
    scene = Scene.from_dict(json.loads((tmp_path / "out" / "more" / "two.json").read_text()))
    assert sorted(axiom.symbol for axiom in scene.axioms) == ["circle", "square"]


def test_nothing_is_written_for_many_pictures_unless_it_is_asked_for(run: Run, folder: Path) -> None:
    before = sorted(folder.rglob("*"))
    assert run("see", folder) == 0
    assert sorted(folder.rglob("*")) == before


def test_json_is_one_line_for_each_picture_and_nothing_else(run: Run, folder: Path, capsys: Capture) -> None:
    (folder / "bad.png").write_text("no picture")
    assert run("see", folder, "--json") == 1
    told = capsys.readouterr()
    bad, two, one = (json.loads(line) for line in told.out.splitlines())
    assert bad.keys() == {"image", "error"}
    assert (two["image"], one["image"]) == (str(folder / "more" / "two.png"), str(folder / "one.png"))
    assert len(Scene.from_dict(one).axioms) == 2


def test_failures_are_listed_at_the_end_and_do_not_stop_the_rest(
    run: Run, folder: Path, tmp_path: Path, capsys: Capture
) -> None:
    (folder / "bad.png").write_text("no picture")
    assert run("see", folder, "nowhere.png", "-o", tmp_path / "out") == 1
    told = capsys.readouterr()
    assert told.err.splitlines() == [
        "2 of 4 failed:",
        f'  "{folder / "bad.png"}" is not a picture in a format that Pillow reads.',
        '  There is no file "nowhere.png".',
    ]
    assert (tmp_path / "out" / "one.json").is_file()
    assert not (tmp_path / "out" / "bad.json").exists()


def test_if_all_have_failed_the_exit_code_is_2(run: Run) -> None:
    assert run("see", "nowhere.png", "neither.png") == 2


def test_a_video_gives_a_scene_for_each_frame_and_tracks_go_on(
    run: Run, tmp_path: Path, capsys: Capture
) -> None:
    clip = film(tmp_path / "clip.mkv", 3)
    assert run("see", clip, "--json") == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["frame"] for line in lines] == [0, 1, 2]
    tracks = [{axiom["symbol"]: axiom["track"] for axiom in line["axioms"]} for line in lines]
    assert tracks[0] == tracks[1] == tracks[2]
    assert None not in tracks[0].values()
    rings = [axiom for line in lines for axiom in line["axioms"] if axiom["symbol"] == "circle"]
    assert [round(ring["position"][0]) for ring in rings] == [62, 63, 64]
    assert run("see", clip, "-o", tmp_path / "out", "-f", "svg") == 0
    assert "3 frames" in capsys.readouterr().out
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        f"clip-0000{i}.svg" for i in range(3)
    ]


@pytest.mark.parametrize(("content", "words"), [(b"no video", "not a video"), (b"", "not a video")])
def test_a_broken_video_is_one_line_and_exit_code_2(
    run: Run, tmp_path: Path, content: bytes, words: str, capsys: Capture
) -> None:
    (tmp_path / "clip.mp4").write_bytes(content)
    assert run("see", tmp_path / "clip.mp4", "-o", tmp_path / "out") == 2
    told = capsys.readouterr()
    assert told.err.count("\n") == 1
    assert words in told.err
    assert list((tmp_path / "out").iterdir()) == []


def test_a_video_that_breaks_off_gives_the_frames_before_that(
    run: Run, tmp_path: Path, capsys: Capture
) -> None:
    whole = film(tmp_path / "whole.mkv", 12).read_bytes()
    (tmp_path / "cut.mkv").write_bytes(whole[: len(whole) // 2])
    run("see", tmp_path / "cut.mkv", "--json")
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert 1 <= len([line for line in lines if "axioms" in line]) < 12


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("-o", "{out}/scenes.svg"), "several scenes to write; name a folder"),
        (("-o", "{out}", "-f", "docx"), '"docx" is no format for scenes'),
        (("-o", "{out}", "-f", "sgv"), 'Did you mean ".svg"'),
        (("-f", "svg"), "Say with -o which folder"),
        (("-o", "{out}/frames/one.png/below"), "Cannot write"),
        (("--brain", "{out}/none.brain"), "There is no brain file"),
        (("--brain", "{out}/frames/one.png"), "is not a brain file"),
        (("--brain", "{out}/frames/one.png", "-j", "2"), "is not a brain file"),
    ],
)
def test_what_cannot_be_written_or_opened_is_told_before_anything_is_seen(
    run: Run, folder: Path, words: tuple[str, ...], complaint: str, capsys: Capture
) -> None:
    assert run("see", folder, *(word.format(out=folder.parent) for word in words)) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 1
    assert complaint in told.err


def test_a_single_picture_goes_into_a_folder_too(run: Run, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    assert run("see", folder / "one.png", "-o", tmp_path / "out", "-f", "png") == 0
    with Image.open(tmp_path / "out" / "one.png") as image:
        assert image.size == (96, 64)


def test_a_folder_of_outputs_never_replaces_the_pictures(run: Run, folder: Path) -> None:
    before = (folder / "one.png").read_bytes()
    assert run("see", folder / "one.png", folder / "more", "-o", folder, "-f", "png") == 1
    assert (folder / "one.png").read_bytes() == before
