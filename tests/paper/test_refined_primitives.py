"""The paper's refinement of a primitive: [square] -> [edge] [edge] [edge] [edge]."""

from pathlib import Path

import numpy as np
import pytest

import unrender
from unrender import Grammar, UnrenderError

WIDE = 0.1  # of the height
TEXT = f"""
[square] -> [edge] [edge] [edge] [edge]
    [edge] y = -height / 2, height = {WIDE} * height
    [edge] x = width / 2, width = height, height = {WIDE} * height, rotation = 90
    [edge] y = height / 2, height = {WIDE} * height
    [edge] x = -width / 2, width = height, height = {WIDE} * height, rotation = 90
"""


def outlined(width: float, height: float) -> np.ndarray:
    """bool 84x84: the pixels whose centres lie on the sides of a box in the middle."""
    y, x = np.abs(np.mgrid[:84, :84] + 0.5 - 42)
    half = WIDE * height / 2
    across = (np.abs(y - height / 2) < half) & (x < width / 2)
    down = (np.abs(x - width / 2) < half) & (y < height / 2)
    return across | down


def test_a_grammar_may_say_what_a_primitive_is_made_of() -> None:
    grammar = Grammar.parse(TEXT)
    assert grammar.axiom == "square"
    assert Grammar.parse(str(grammar)) == grammar
    assert [leaf.symbol for leaf in grammar.produce("square", {}).leaves()] == ["edge"] * 4
    picture = grammar.draw("square", {"size": (60, 40)}, (84, 84))
    assert np.array_equal(picture[..., 0] > 128, outlined(60, 40))


def test_a_brain_learns_it_draws_it_keeps_it_and_forgets_it(tmp_path: Path) -> None:
    with unrender.open(tmp_path / "my.brain") as brain:
        filled = brain.draw("square", size=(60, 40))
        assert brain.learn_grammar(TEXT) == ["square/1"]
    with unrender.open(tmp_path / "my.brain") as brain:
        assert np.array_equal(brain.draw("square", size=(60, 40))[..., 0] > 128, outlined(60, 40))
        assert brain.draw("circle").any()
        assert brain.grammar.rules_of("square") == Grammar.parse(TEXT).rules_of("square")
        brain.undo()
        assert np.array_equal(brain.draw("square", size=(60, 40)), filled)


def test_a_whole_of_squares_is_drawn_with_their_edges() -> None:
    text = TEXT + "\n[window] -> [square] [circle]\n    [circle] width = width / 4, height = height / 4\n"
    grammar = Grammar.parse(text)
    assert [leaf.symbol for leaf in grammar.produce("window", {}).leaves()] == [*["edge"] * 4, "circle"]
    with unrender.open() as brain:
        brain.learn_grammar(text)
        picture = brain.draw("window", size=(60, 40))
    assert np.array_equal(picture, grammar.draw("window", {"size": (60, 40)}, (84, 84)))


def test_a_person_still_gives_an_object_another_name() -> None:
    with unrender.open() as brain:
        scene = brain.see(brain.draw("circle"))
        with pytest.raises(UnrenderError, match="is a primitive"):
            brain.teach(scene, "square")
