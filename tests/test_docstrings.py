"""The examples in docstrings run as they stand, and everything that is public has a docstring."""

import doctest
import inspect
from importlib import import_module

import pytest

import unrender

WITH_EXAMPLES = (
    *("unrender", "unrender.brain", "unrender.grammar.grammar", "unrender.scene.graph"),
    *("unrender.scene.observation", "unrender.scene.edit.commands", "unrender.scene.questions.answer"),
)


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_the_examples_in_docstrings_run(name: str) -> None:
    result = doctest.testmod(import_module(name), extraglobs={"unrender": unrender})
    assert result.attempted > 0
    assert result.failed == 0


@pytest.mark.parametrize("name", unrender.__all__)
def test_everything_public_has_a_docstring(name: str) -> None:
    thing = getattr(unrender, name)
    assert inspect.getdoc(thing)
    if inspect.isclass(thing):
        own = [getattr(thing, each) for each in vars(thing) if not each.startswith("_")]
        bare = [each for each in own if (callable(each) or isinstance(each, property)) and not each.__doc__]
        assert bare == []


def test_the_package_says_that_it_is_typed() -> None:
    marker = import_module("importlib.resources").files("unrender") / "py.typed"
    assert marker.is_file()
