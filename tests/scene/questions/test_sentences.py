"""The parser of English is prepared once and kept."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from unrender import Scene
from unrender.scene.questions import sentences
from unrender.scene.questions.vocabulary import Vocabulary

ASKED = "how many large red circles are left of the square?"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder in which the parser is kept."""
    monkeypatch.setattr(sentences, "folder", lambda: tmp_path)
    return tmp_path


def tree() -> str:
    """How a question is read by a parser that is fetched anew."""
    tokens = Vocabulary(Scene(9, 9, [], (0, 0, 0))).tokens(ASKED)
    return str(sentences.english.__wrapped__("question").parse(tokens))


def test_a_kept_parser_reads_a_sentence_as_a_new_one_does(place: Path) -> None:
    first = tree()
    (kept,) = place.iterdir()
    written = kept.stat().st_ino
    assert tree() == first
    assert kept.stat().st_ino == written, "it was read, not written again"


def test_one_that_another_process_has_kept_does_too(place: Path) -> None:
    first = tree()
    code = f"from pathlib import Path; from {__name__} import sentences, tree; "
    code += f"sentences.folder = lambda: Path({str(place)!r}); print(tree())"
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(Path(__file__).parents[3]), *sys.path])}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    assert done.stdout.strip() == first, done.stderr


@pytest.mark.parametrize("damage", [b"", b"\x80\x04", b"no parser"])
def test_one_that_is_damaged_is_made_anew(place: Path, damage: bytes) -> None:
    first = tree()
    (kept,) = place.iterdir()
    kept.write_bytes(damage)
    assert tree() == first
    assert kept.stat().st_size > 1000


def test_where_nothing_can_be_written_it_works_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sentences, "folder", lambda: None)
    assert "circle" in tree()
