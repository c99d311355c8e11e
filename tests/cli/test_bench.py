"""unrender bench: the programs of the folder `benchmarks`."""

from collections.abc import Callable

import pytest

Run = Callable[..., int]


def test_the_benchmarks_are_listed_with_what_they_say_about_themselves(
    run: Run, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("bench") == 0
    listed = capsys.readouterr().out
    assert "draw       " in listed
    assert "How fast we draw" in listed
    assert "oneshot_table" not in listed


def test_a_benchmark_gets_the_words_after_its_name_and_its_exit_code_is_ours(run: Run) -> None:
    assert run("bench", "questions", "--help") == 0
    assert run("bench", "questions", "--nonsense") == 2


def test_an_unknown_benchmark_is_an_error(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("bench", "drw") == 2
    assert 'Did you mean "draw"' in capsys.readouterr().err
