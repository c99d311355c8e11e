"""The command as the shell runs it: what it imports, how it ends."""

import contextlib
import os
import pty
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from unrender import __version__

COMMAND = [sys.executable, "-m", "unrender.cli"]


def run(command: list[str], **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, timeout=120, **options)  # type: ignore[call-overload,no-any-return]


def test_nothing_heavy_is_imported_before_a_command_runs() -> None:
    program = (
        "import sys, unrender, unrender.cli.app\n"
        "heavy = {'torch', 'numpy', 'matplotlib', 'PIL', 'lark', 'scipy'} & set(sys.modules)\n"
        "sys.exit(f'imported {heavy}' if heavy else 0)"
    )
    done = run([sys.executable, "-c", program])
    assert done.returncode == 0, done.stderr


def test_the_version_is_that_of_the_package() -> None:
    assert run([*COMMAND, "--version"]).stdout == f"unrender {__version__}\n"


def test_an_error_leaves_with_2_and_one_line_on_stderr() -> None:
    done = run([*COMMAND, "draw", "circle", "--canvas", "huge"])
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == 'unrender: A size is written like 84x84 or 256, not "huge".\n'


def test_ctrl_c_leaves_with_130_and_no_traceback(tmp_path: Path) -> None:
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
    assert errors == b""


@pytest.mark.parametrize("words", [["--help"], ["brain", "lessons", "-b", "{brain}"]])
def test_if_nobody_reads_what_is_printed_it_ends_without_a_word(brain: Path, words: list[str]) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    command = [*COMMAND, *(word.format(brain=brain) for word in words)]
    done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, timeout=60)
    os.close(writing)
    assert done.returncode == 1
    assert done.stderr == b""


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("unrender de", {"demo", "describe"}),
        ("unrender brain re", {"rename"}),
        ("unrender find s", {"ship", "square"}),
    ],
)
def test_the_shell_completes_commands_and_names(brain: Path, typed: str, offered: set[str]) -> None:
    asked = {
        "_UNRENDER_COMPLETE": "complete_bash",
        "COMP_WORDS": typed,
        "COMP_CWORD": str(len(typed.split()) - 1),
        "UNRENDER_BRAIN": str(brain),
    }
    assert (
        set(run([str(Path(sys.executable).with_name("unrender"))], env=os.environ | asked).stdout.split())
        == offered
    )


@pytest.mark.parametrize(("variables", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False)])
def test_colours_are_shown_on_a_terminal_unless_no_color_is_set(
    variables: dict[str, str], coloured: bool
) -> None:
    environment = os.environ | {"TERM": "xterm-256color", "COLORTERM": "truecolor"} | variables
    process, terminal = pty.fork()
    if process == 0:
        os.execvpe(COMMAND[0], [*COMMAND, "--help"], environment)
    shown = b""
    with contextlib.suppress(OSError):  # the end of a terminal is an error
        while piece := os.read(terminal, 4096):
            shown += piece
    os.close(terminal)
    assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 0
    assert b"describe" in shown
    assert bool(re.search(rb"\x1b\[[0-9;]*3[0-7]m", shown)) == coloured
