"""The documentation builds without a warning, and what it names exists."""

import os
import re
import subprocess
import sys
from functools import reduce
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"


def test_the_pages_build_without_a_warning(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-d", tmp_path / "trees"]
    environment = os.environ | {"OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [*command, DOCS, tmp_path / "html"], capture_output=True, text=True, timeout=300, env=environment
    )
    assert done.returncode == 0, done.stderr
    tutorial = (tmp_path / "html" / "tutorial.html").read_text()
    assert "There are two ships" in tutorial
    for name in re.findall(r'src="_images/([^"]+)"', tutorial):
        assert (tmp_path / "html" / "_images" / name).stat().st_size > 1000
    assert "unrender see" in (tmp_path / "html" / "commands.html").read_text()
    assert "teach_attribute" in (tmp_path / "html" / "api.html").read_text()


def names(page: str) -> list[str]:
    text = (DOCS / page).read_text(encoding="utf-8")
    return re.findall(r"`(unrender(?:\.\w+)+)(?:\(\))?`", text)


@pytest.mark.parametrize("name", [*names("equations.md"), *names("formats.md")])
def test_names_on_the_pages_exist(name: str) -> None:
    module, parts = "unrender", name.split(".")[1:]
    while parts:
        try:
            import_module(f"{module}.{parts[0]}")
        except ModuleNotFoundError:
            break
        module, parts = f"{module}.{parts[0]}", parts[1:]
    assert parts
    assert reduce(getattr, parts, import_module(module))


def test_every_labelled_equation_of_the_map_is_written_out() -> None:
    labels = set(re.findall(r"^\| (eq:\w+) \|", (DOCS / "paper-map.md").read_text(encoding="utf-8"), re.M))
    written = set(re.findall(r"`(eq:\w+)`", (DOCS / "equations.md").read_text(encoding="utf-8")))
    assert labels == written
