"""The parser of English is prepared once and kept."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from lark import Token, Tree
from lark.exceptions import UnexpectedInput

from unrender import Scene
from unrender.scene.questions import sentences
from unrender.scene.questions.vocabulary import Vocabulary

SENTENCES = (
    "how many circles are there?",
    "are there more red circles than squares that are left of the largest circle?",
    "is the largest red square that is near a circle left of the blue circle or above it?",
    "which of the circles is the smallest?",
    "what colour is the square to the left of the circle and how large is it?",
    "how many parts does the square have?",
    "the circle is",
    "square of the are red",
)
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


def told(parse: Callable[[], Tree[Token]]) -> tuple[Tree[Token] | None, int | None]:
    """The tree, or the place of the word at which there is none any more."""
    try:
        return parse(), None
    except UnexpectedInput as error:
        return None, getattr(getattr(error, "token", None), "start_pos", None)


def test_the_rules_that_a_sentence_needs_read_it_as_all_rules_do() -> None:
    vocabulary, parser = Vocabulary(Scene(9, 9, [], (0, 0, 0))), sentences.english("question")
    trees = []
    for sentence in SENTENCES:
        tokens = vocabulary.tokens(sentence)
        by_all = told(lambda said=tokens: parser.parser.parse(sentences._Tokens(said), "question"))
        assert told(lambda said=tokens: parser.parse(said)) == by_all
        trees.append(by_all[0])
    assert 3 < sum(tree is not None for tree in trees) < len(trees)


BY_ANOTHER = """
import sys
from pathlib import Path
from unrender.scene.questions import sentences
sentences.folder = lambda: Path(sys.argv[1])
sentences.english("question")
"""


def test_one_that_another_process_has_kept_does_too(place: Path) -> None:
    subprocess.run([sys.executable, "-c", BY_ANOTHER, place], check=True)
    (kept,) = place.iterdir()
    written = kept.stat().st_ino
    by_another = tree()
    assert kept.stat().st_ino == written, "it was read, not written again"
    kept.unlink()
    assert tree() == by_another


@pytest.mark.parametrize("damage", [b"\x80\x04", b"no parser"])
def test_one_that_is_damaged_is_made_anew(place: Path, damage: bytes) -> None:
    first = tree()
    (kept,) = place.iterdir()
    kept.write_bytes(damage)
    assert tree() == first
    assert kept.stat().st_size > 1000


def test_where_nothing_can_be_written_it_works_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sentences, "folder", lambda: None)
    assert "circle" in tree()
