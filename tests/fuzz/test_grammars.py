"""Grammar text, damaged: it is read, written, drawn and learned, or refused."""

from __future__ import annotations

from pathlib import Path

import pytest

import unrender
from unrender import Grammar

from .cases import corpus, ended, fuzz, kept
from .mutators import mistyped

TEXTS = [text.decode() for text in corpus("grammars")]


def use(text: str) -> None:
    """Read a grammar, and use what was read in every way."""
    grammar = ended(lambda: Grammar.parse(text))
    if grammar is None:
        return
    assert Grammar.parse(str(grammar)) == grammar
    for symbol in list(grammar.symbols)[:8]:
        ended(lambda symbol=symbol: grammar.draw(symbol, {}, canvas=(32, 24)))
    brain = unrender.open()
    if ended(lambda: brain.learn_grammar(text)) is not None:
        ended(lambda: str(brain.grammar))


@fuzz(25, text=mistyped(TEXTS))
def test_a_damaged_grammar_is_used_or_refused(text: str) -> None:
    use(text)


@fuzz(
    5,
    text=mistyped(
        [*TEXTS, "[a] -> " + "[circle] " * 300, "[a] -> [circle]\n [circle] x = " + "1 + " * 90 + "1"]
    ),
)
def test_a_grammar_file_is_read_or_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "my.grammar"
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    ended(lambda: Grammar.load(path))


@pytest.mark.parametrize("path", kept("grammars"), ids=lambda path: path.name)
def test_a_grammar_that_once_failed_does_not_fail_again(path: Path) -> None:
    use(path.read_bytes().decode("utf-8", "surrogatepass"))


def doubling(levels: int) -> str:
    """A grammar of a few lines whose top has two to the power of `levels` primitives."""
    rules = [f"[a{k}] -> [a{k + 1}] [a{k + 1}]" for k in range(levels)]
    return "\n".join([*rules, f"[a{levels}] -> [circle]"])


@pytest.mark.parametrize(
    "text",
    [
        doubling(12),
        doubling(40),
        "\n".join(f"[a{k}] -> [a{k + 1}]" for k in range(3000)),
        "[a] -> [circle]\n    [circle] x = " + "(" * 5000 + "1" + ")" * 5000,
        "[a] -> [circle]\n    [circle] x = " + "-" * 5000 + "1",
        "[a] -> [circle]\n    [circle] x = " + "2 ^ " * 5000 + "1",
        "[a] -> [circle]\n    [circle] x = " + "9" * 100_000,
        "[a] -> " + "[circle] " * 20_000,
        "\0\ud800",
    ],
    ids=[
        "4096 parts",
        "trillions of parts",
        "deep",
        "brackets",
        "minus",
        "powers",
        "digits",
        "wide",
        "letters",
    ],
)
def test_a_monstrous_grammar_is_used_or_refused(text: str) -> None:
    use(text)
