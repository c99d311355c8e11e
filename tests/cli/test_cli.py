"""The commands: the files they write, and one line when something is wrong."""

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import typer
from PIL import Image

from unrender import Scene
from unrender.batch.output import assignments, sides
from unrender.cli import main
from unrender.cli.app import app
from unrender.errors import UnrenderError

ROOT = Path(__file__).parents[2]
HOUSE = ROOT / "examples" / "house.grammar"


def run(*words: str | Path) -> int:
    """The exit code of `unrender` with these words."""
    with pytest.raises(SystemExit) as ended:
        main([str(word) for word in words])
    code = ended.value.code
    assert isinstance(code, int)
    return code


def pixels(path: Path) -> np.ndarray:
    with Image.open(path) as image:
        return np.asarray(image)


def commands() -> list[list[str]]:
    """Every command that there is, as its words."""

    def below(app: typer.Typer, words: list[str]) -> Iterator[list[str]]:
        yield words
        for command in app.registered_commands:
            assert command.callback is not None
            yield [*words, command.name or command.callback.__name__]
        for group in app.registered_groups:
            assert group.name is not None
            assert group.typer_instance is not None
            yield from below(group.typer_instance, [*words, group.name])

    return list(below(app, []))


def test_all_commands_of_the_manual_are_there() -> None:
    words = {" ".join(command) for command in commands()}
    plain = {"see", "describe", "ask", "teach", "draw", "edit", "find", "train", "world", "demo", "bench"}
    inside = {"show", "lessons", "undo", "rename", "allow", "forget", "grammar", "graph", "matrix"}
    assert plain | {f"brain {own}" for own in inside} <= words


@pytest.mark.parametrize("command", commands(), ids=" ".join)
def test_every_command_has_an_example_in_its_help_and_no_colours_when_piped(
    command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(*command, "--help") == 0
    text = capsys.readouterr().out
    assert "Example:  unrender " + " ".join(command) in text
    assert "\x1b" not in text


def test_draw_writes_a_primitive_and_makes_the_folder_for_it(tmp_path: Path) -> None:
    picture = tmp_path / "a" / "b.png"
    assert run("draw", "square", "width=20", "height=10", "red=1", "--canvas", "40x30", "-o", picture) == 0
    expected = np.zeros((30, 40, 3), np.uint8)
    expected[10:20, 10:30, 0] = 255
    assert np.array_equal(pixels(picture), expected)


def test_draw_writes_a_line_of_a_length_and_a_width(tmp_path: Path) -> None:
    picture = tmp_path / "line.png"
    assert run("draw", "edge", "length=30", "width=4", "--canvas", "40x20", "-o", picture) == 0
    drawn = np.asarray(Image.open(picture).convert("L")) > 128
    assert (drawn.any(0).sum(), drawn.any(1).sum()) == (30, 4)


def test_draw_writes_a_symbol_of_a_grammar(tmp_path: Path) -> None:
    picture = tmp_path / "house.png"
    assert run("draw", "house", "wooden=1", "--grammar", HOUSE, "-o", picture) == 0
    assert pixels(picture).shape == (84, 84, 3)
    assert pixels(picture).any()


def test_world_writes_pictures_with_their_truth_and_repeats_with_the_seed(tmp_path: Path) -> None:
    for name, number in (("one", "2"), ("two", "3")):
        words = ("world", "asteroids", "-n", number, "--seed", "7", "--size", "120x96")
        assert run(*words, "-o", tmp_path / name) == 0
    names = sorted(path.name for path in (tmp_path / "one").iterdir())
    assert names == [f"asteroids-0000{i}.{kind}" for i in (0, 1) for kind in ("json", "png")]
    for name in names:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    scene = Scene.from_dict(json.loads((tmp_path / "one" / "asteroids-00001.json").read_text()))
    assert scene.image.shape == (96, 120, 3)
    assert np.array_equal(pixels(tmp_path / "one" / "asteroids-00001.png"), scene.image)


def test_world_writes_sequences_with_tracks(tmp_path: Path) -> None:
    assert (
        run("world", "asteroids", "-n", "1", "--frames", "3", "-o", tmp_path / "film", "--size", "128") == 0
    )
    frames = [json.loads(path.read_text()) for path in sorted((tmp_path / "film").glob("*.json"))]
    assert len(frames) == 3
    tracks = [[axiom["track"] for axiom in frame["axioms"]] for frame in frames]
    assert tracks[0] == tracks[1] == tracks[2]
    assert None not in tracks[0]


def test_the_house_of_the_demo_is_that_of_the_examples() -> None:
    shipped = ROOT / "src" / "unrender" / "cli" / "house.grammar"
    assert shipped.read_text() == HOUSE.read_text()


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("draw", "circel"), 'Did you mean "circle"'),
        (("draw", "circle", "red=3"), '"red" of [circle] must lie between 0 and 1'),
        (("draw", "circle", "reed=1"), 'Did you mean "red"'),
        (("draw", "edge", "length=9", "height=2"), "has a length and a width"),
        (("draw", "circle", "length=9"), 'no attribute "length"'),
        (("draw", "circle", "red"), "An attribute is written like"),
        (("draw", "circle", "--canvas", "0x10"), "whole sides"),
        (("draw", "circle", "--canvas", "big"), "A size is written like"),
        (("draw", "house", "-g", "{folder}/bad.grammar"), "line 1, column"),
        (("draw", "house", "-g", "{folder}/missing.grammar"), "Cannot read the grammar"),
        (("draw", "circle", "-o", "{folder}/file/out.png"), "Cannot write"),
        (("draw", "circle", "-o", "{folder}"), "Cannot write"),
        (("draw", "circle", "-o", "{folder}/out.docx"), "ends in .png"),
        (("demo", "-o", "{folder}/file"), "Cannot write"),
        (("world", "asteroids", "-o", "{folder}/file/w"), "Cannot write"),
        (("world", "asteroids", "--size", "10", "-o", "{folder}/w"), "sides of 48"),
    ],
)
def test_what_the_user_can_mend_is_one_line_and_exit_code_2(
    words: tuple[str, ...], complaint: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bad.grammar").write_text("[house] -> [triangle [square]\n")
    (tmp_path / "file").write_text("")
    assert run(*(word.format(folder=tmp_path) for word in words)) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith("unrender: ")
    assert told.err.count("\n") == 1
    assert complaint in told.err


@pytest.mark.parametrize(
    "words", [["sing"], ["draw", "circle", "--loud"], ["world", "asteroids"], ["draw"], ["world", "mars"]]
)
def test_unknown_commands_and_options_exit_with_2(words: list[str]) -> None:
    assert run(*words) == 2


@pytest.mark.parametrize(("text", "size"), [("84x48", (84, 48)), ("256", (256, 256)), (" 3X4 ", (3, 4))])
def test_sizes_are_read(text: str, size: tuple[int, int]) -> None:
    assert sides(text) == size


@pytest.mark.parametrize("text", ["", "x", "12x", "-4", "1.5x2", "4x4x4"])
def test_other_sizes_are_refused(text: str) -> None:
    with pytest.raises(UnrenderError, match="A size is written like 84x84"):
        sides(text)


@pytest.mark.parametrize("words", [["red"], ["=1"], ["red=high"], ["red=1", "red=0"]])
def test_malformed_attributes_are_refused(words: list[str]) -> None:
    with pytest.raises(UnrenderError, match="attribute"):
        assignments(words)
