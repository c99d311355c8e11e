"""The command as the shell runs it: what it imports, how it ends."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

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
