"""The role of an attribute decides how it is said: in descriptions, in questions, in the written grammar."""

import pytest

import unrender
from unrender import Brain, Observation, Scene
from unrender.capsules.grammar_decoder import node_of
from unrender.grammar import Grammar, Role

WALKER = """
attribute walk: {role}
[walker] has walk
[walker] -> [circle] [square] [triangle]
    [circle] y = -0.3 * height, height = 0.4 * height, width = 0.4 * height
    [square] y = 0.2 * height, height = 0.6 * height, width = 0.5 * width, rotation = 20 * walk
    [triangle] y = 0.6 * height, height = 0.2 * height, width = 0.8 * width
"""


def walker(walk: float) -> list[Observation]:
    """The shapes of one that walks as much."""
    given = {"position": (60, 60), "size": (60, 80), "walk": walk}
    made = Grammar.parse(WALKER.format(role="verb")).produce("walker", given)
    return [node_of(leaf.symbol, leaf.attributes) for leaf in made.leaves()]


def told(role: str) -> Brain:
    brain = unrender.open()
    brain.learn_grammar(WALKER.format(role=role))
    return brain


@pytest.mark.parametrize(("role", "says"), [("verb", "walking strongly"), ("adjective", "very walk")])
def test_a_verb_is_said_as_what_a_thing_does_and_an_adjective_as_how_it_is(role: str, says: str) -> None:
    scene = told(role).understand(Scene(120, 120, walker(0.9)))
    assert [axiom.symbol for axiom in scene.axioms] == ["walker"]
    assert says in scene.describe()


@pytest.mark.parametrize(
    ("role", "says"), [("verb", "walker that is walking"), ("adjective", "walk white walker")]
)
def test_a_question_says_what_the_nearest_object_does(role: str, says: str) -> None:
    brain = told(f"{role} default 0.6")
    *others, foot = walker(0.6)
    foot.attributes["red"] = 0.2
    foot.size = (1.4 * foot.size[0], foot.size[1])
    scene = brain.understand(Scene(120, 120, [*others, foot]))
    assert says in str(brain.ask_about(scene, scene.primitives))


def test_a_taught_word_that_sounds_like_a_verb_is_written_as_one() -> None:
    brain = unrender.open()
    brain.teach(Scene(120, 120, walker(0.0)), "lamp")
    for name, walk in (("leaning", 0.5), ("bent", 1.0)):
        scene = Scene(120, 120, walker(walk))
        lamp = Observation("lamp", (60.0, 60.0), (60.0, 80.0), route="lamp/1", parts=scene.axioms)
        brain.teach_attribute(scene, lamp, name)
    roles = {own.name: own.role for own in brain.grammar.symbol("lamp").attributes}
    assert (roles["leaning"], roles["bent"]) == (Role.VERB, Role.ADJECTIVE)
