"""The command line, run as a user runs it: files, exit codes, and one line when something is wrong."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from unrender import Scene, __version__
from unrender.cli.output import assignments, sides
from unrender.errors import UnrenderError

COMMAND = [sys.executable, "-m", "unrender.cli"]
ROOT = Path(__file__).parents[2]


def run(*words: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *words], cwd=folder, capture_output=True, text=True, timeout=120, encoding="utf-8"
    )


def one_line(done: subprocess.CompletedProcess[str]) -> str:
    """The complaint of a command that was refused."""
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("unrender: ")
    return done.stderr


def test_help_and_version_need_neither_torch_nor_numpy(tmp_path: Path) -> None:
    program = (
        "import sys, unrender, unrender.cli.app\n"
        "heavy = {'torch', 'numpy', 'matplotlib', 'PIL', 'lark', 'scipy'} & set(sys.modules)\n"
        "sys.exit(f'imported {heavy}' if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert run("--version", folder=tmp_path).stdout == f"unrender {__version__}\n"


@pytest.mark.parametrize("command", [[], ["draw"], ["demo"], ["world"], ["world", "asteroids"]])
def test_every_command_has_an_example_in_its_help_and_no_colours_when_piped(
    command: list[str], tmp_path: Path
) -> None:
    done = run(*command, "--help", folder=tmp_path)
    assert done.returncode == 0
    assert "Example:  unrender " + " ".join(command) in done.stdout
    assert "\x1b" not in done.stdout


def test_draw_writes_a_primitive(tmp_path: Path) -> None:
    done = run(
        "draw",
        "square",
        "width=20",
        "height=10",
        "red=1",
        "--canvas",
        "40x30",
        "-o",
        "a/b.png",
        folder=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    with Image.open(tmp_path / "a" / "b.png") as image:
        pixels = np.asarray(image)
    expected = np.zeros((30, 40, 3), np.uint8)
    expected[10:20, 10:30, 0] = 255
    assert np.array_equal(pixels, expected)


def test_draw_writes_a_symbol_of_a_grammar(tmp_path: Path) -> None:
    grammar = ROOT / "examples" / "house.grammar"
    done = run("draw", "house", "wooden=1", "--grammar", str(grammar), "-o", "house.png", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    with Image.open(tmp_path / "house.png") as image:
        assert image.size == (84, 84)
        assert np.asarray(image).any()


def test_world_writes_pictures_with_their_truth_and_repeats_with_the_seed(tmp_path: Path) -> None:
    for name, number in (("one", "2"), ("two", "3")):
        done = run(
            "world", "asteroids", "-n", number, "-o", name, "--seed", "7", "--size", "120x96", folder=tmp_path
        )
        assert done.returncode == 0, done.stderr
    names = sorted(path.name for path in (tmp_path / "one").iterdir())
    assert names == [f"asteroids-0000{i}.{kind}" for i in (0, 1) for kind in ("json", "png")]
    for name in names:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    scene = Scene.from_dict(json.loads((tmp_path / "one" / "asteroids-00001.json").read_text()))
    with Image.open(tmp_path / "one" / "asteroids-00001.png") as image:
        assert np.array_equal(np.asarray(image), scene.image)
        assert image.size == (120, 96)


def test_world_writes_sequences_with_tracks(tmp_path: Path) -> None:
    done = run(
        "world", "asteroids", "-n", "1", "--frames", "3", "-o", "film", "--size", "128", folder=tmp_path
    )
    assert done.returncode == 0, done.stderr
    frames = [json.loads(path.read_text()) for path in sorted((tmp_path / "film").glob("*.json"))]
    assert len(frames) == 3
    tracks = [[axiom["track"] for axiom in frame["axioms"]] for frame in frames]
    assert tracks[0] == tracks[1] == tracks[2]
    assert None not in tracks[0]


def test_demo_draws_into_its_folder_and_says_so(tmp_path: Path) -> None:
    done = run("demo", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    for name in (
        "house.png",
        "primitives.png",
        "asteroids.png",
        "frames.png",
        "asteroids.json",
        "house.grammar",
    ):
        assert (tmp_path / "out" / "demo" / name).stat().st_size > 0
        assert name in done.stdout


def test_the_house_of_the_demo_is_that_of_the_examples() -> None:
    shipped = ROOT / "src" / "unrender" / "cli" / "house.grammar"
    assert shipped.read_text() == (ROOT / "examples" / "house.grammar").read_text()


def test_what_the_user_can_mend_is_one_line_and_exit_code_2(tmp_path: Path) -> None:
    (tmp_path / "bad.grammar").write_text("[house] -> [triangle [square]\n")
    (tmp_path / "file").write_text("")
    refused = {
        "Did you mean": ("draw", "circel"),
        '"red" of [circle] must lie between 0 and 1': ("draw", "circle", "red=3"),
        "line 1, column": ("draw", "house", "-g", "bad.grammar"),
        "Cannot read the grammar": ("draw", "house", "-g", "missing.grammar"),
        "whole sides": ("draw", "circle", "--canvas", "0x10"),
        'Cannot write "file"': ("draw", "circle", "-o", "file/out.png"),
        "ends in .png": ("draw", "circle", "-o", "out.docx"),
        "sides of 48": ("world", "asteroids", "--size", "10", "-o", "w"),
    }
    for complaint, words in refused.items():
        assert complaint in one_line(run(*words, folder=tmp_path)), words


def test_unknown_commands_and_options_exit_with_2(tmp_path: Path) -> None:
    for words in (["sing"], ["draw", "circle", "--loud"], ["world", "asteroids"], ["draw"]):
        done = run(*words, folder=tmp_path)
        assert done.returncode == 2
        assert "Traceback" not in done.stderr


def test_ctrl_c_ends_with_130_and_no_traceback(tmp_path: Path) -> None:
    words = ["world", "asteroids", "-n", "100000", "-o", "many", "--size", "64"]
    process = subprocess.Popen(
        [*COMMAND, *words], cwd=tmp_path, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL
    )
    deadline = time.monotonic() + 60
    while not list(tmp_path.glob("many/*.png")) and time.monotonic() < deadline:
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"Traceback" not in errors


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
