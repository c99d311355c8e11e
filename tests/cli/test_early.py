"""What is wrong with paths and options is said as soon as help would be: before all heavy imports."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import atexit, json, sys
atexit.register(lambda: print(json.dumps(sorted({name.partition(".")[0] for name in sys.modules}))))
from unrender.cli import main
main(sys.argv[1:])
"""
HEAVY = {
    "numpy",
    "torch",
    "scipy",
    "numba",
    "PIL",
    "sqlalchemy",
    "lark",
    "matplotlib",
    "nicegui",
    "av",
    "dask",
}

WRONG = [
    (("see", "nope.png"), 'There is no file "nope.png".'),
    (("see", "nope.png", "--json"), 'There is no file "nope.png".'),
    (("see", "nope.png", "neither.png", "-j", "2"), "2 of 2 failed:"),
    (("see", "empty"), 'The folder "empty" holds no pictures or videos.'),
    (("see", "empty/*.png"), 'No file matches "empty/*.png".'),
    (("see", "one.png", "-o", "scene.docx"), "use a name that ends in"),
    (("see", "one.png", "-o", "one.png"), "is the picture itself"),
    (("see", "one.png", "-o", "one.png/scene.svg"), "Cannot write"),
    (("see", "one.png", "-o", "out", "-f", "docx"), '"docx" is no format for scenes'),
    (("see", "one.png", "-b", "no.brain"), 'There is no brain file "no.brain"'),
    (("see", "one.png", "--max-seconds", "-1"), "must be more than 0"),
    (("see", "one.png", "--jobs", "2", "--cluster", "tcp://a:1"), "choose one"),
    (("describe", "nope.png"), 'There is no file "nope.png".'),
    (("describe", "empty"), '"empty" is a folder, not a picture.'),
    (("ask", "nope.png", "what?"), 'There is no file "nope.png".'),
    (("edit", "nope.png", "remove circle", "-o", "out.svg"), 'There is no file "nope.png".'),
    (("edit", "one.png", "remove circle", "-o", "out.docx"), "use a name that ends in"),
    (("find", "ship", "nope.png"), 'There is no file "nope.png".'),
    (("find", "shp", "one.png"), "Nothing called shp is known."),
    (("teach", "nope.png", "ship"), 'There is no file "nope.png".'),
    (("teach", "one.png", "a/b"), "cannot name a symbol"),
    (("teach", "one.png", "ship", "--value", "0.5"), "say with --of"),
    (("learn", "nope.png"), 'There is no file "nope.png".'),
    (("studio", "nope.png"), 'There is no file "nope.png".'),
    (("brain", "show"), 'There is no brain file "my.brain"'),
    (("draw", "circle", "red"), "An attribute is written like"),
    (("draw", "circle", "--canvas", "big"), "A size is written like"),
    (("bench", "nope"), 'There is no benchmark "nope"'),
]


def run(words: tuple[str, ...]) -> tuple[int, str, set[str]]:
    """The exit code, what is said on stderr, and the packages that were imported."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *words], capture_output=True, text=True, timeout=120
    )
    return done.returncode, done.stderr, set(json.loads(done.stdout.splitlines()[-1]))


@pytest.fixture(scope="module")
def of_help() -> set[str]:
    """The packages that are imported to print the help."""
    code, _, packages = run(("see", "--help"))
    assert code == 0
    return packages


@pytest.mark.parametrize(("words", "complaint"), WRONG, ids=[" ".join(words) for words, _ in WRONG])
def test_what_is_wrong_is_said_before_anything_heavy_is_imported(
    words: tuple[str, ...], complaint: str, of_help: set[str]
) -> None:
    Path("empty").mkdir()
    Path("one.png").write_bytes(b"it is not even looked at")
    code, errors, packages = run(words)
    assert code == 2
    assert complaint in errors
    assert not HEAVY & of_help
    assert not HEAVY & packages
    third = {name for name in packages - of_help if name not in sys.stdlib_module_names}
    assert third <= {"unrender"}, "no other package either"
    assert not Path("my.brain").exists()
