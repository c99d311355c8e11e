"""The snippets and commands of a page, run as they are printed, in their order, in a fresh clone."""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

ROOT = Path(__file__).parents[1]

NOT_RUN = {  # the only commands that are not run, and why
    "make demo": "it sets up an environment of its own; tests/cli/test_demo.py tells the same story",
    "make test": "it is what runs this",
    "pip install -c constraints.txt -e .": "it changes the environment that the tests run in",
}
ANSWERS = "rock\n"  # what a person types whom a command asks; then the file ends, as with Ctrl+D
UNTIL_STOPPED = "Ctrl+C"  # in the comment beside a command: it runs until somebody stops it


def blocks(page: Path) -> list[tuple[str, str]]:
    """The language and the text of every block of Python or shell on a page, in order."""
    found = re.findall(r"^ *```(python|sh)\n(.*?)^ *```", page.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    return [(language, textwrap.dedent(text)) for language, text in found]


def clone(folder: Path) -> Path:
    """What a clone of this checkout holds, as its files are now."""
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "-z"], capture_output=True, check=True).stdout
    for name in filter(None, listed.decode().split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    return folder


class Session:
    """Somebody who follows a page: a shell in a folder, and Python there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.names: dict[str, Any] = {}  # that Python has defined
        self.printed: dict[str, str] = {}  # by command
        self._environment = os.environ | {
            "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
            "PYTHONPATH": str(ROOT / "src"),  # its compiled loops are kept there
            "OMP_NUM_THREADS": "1",
            "BROWSER": "true",  # a program that opens nothing
            "UNRENDER_PORT": "0",
        }

    def python(self, code: str) -> None:
        """Run a snippet; what was defined before is still there."""
        with contextlib.chdir(self.folder):
            exec(compile(code, "a snippet", "exec"), self.names)

    def shell(self, block: str) -> None:
        """Run the commands of a block, one after the other."""
        for line in filter(None, block.splitlines()):
            command, _, comment = line.partition("#")
            if command.strip() in NOT_RUN:
                continue
            run = self._run_until_stopped if UNTIL_STOPPED in comment else self._run
            self.printed[shlex.join(shlex.split(command))] = run(line)

    def _run(self, line: str) -> str:
        done = subprocess.run(
            ["bash", "-ec", line],
            cwd=self.folder,
            env=self._environment,
            input=ANSWERS,
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"
        return done.stdout

    def _run_until_stopped(self, line: str) -> str:
        """Wait until it says where its page is, look at that, and stop it as a terminal does."""
        process = subprocess.Popen(
            ["bash", "-ec", line],
            cwd=self.folder,
            env=self._environment,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        assert process.stdout is not None
        try:
            said = process.stdout.readline()
            found = re.search(r"(http://\S+/)\?token=(\S+)", said)
            assert found, f"{line}\n{said}"
            asked = Request(found[1], headers={"Authorization": f"Bearer {found[2]}"})
            with urlopen(asked, timeout=60) as page:
                shown: str = page.read().decode()
        finally:
            os.killpg(process.pid, signal.SIGINT)
            process.wait(timeout=60)
        assert process.returncode in (130, -signal.SIGINT), line
        return shown
