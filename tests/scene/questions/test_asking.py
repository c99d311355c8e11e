"""Questions about a scene are answered from its graph, or refused with the word that was not understood."""

import numpy as np
import pytest

from unrender import Observation, Scene, UnrenderError
from unrender.scene.questions.parse import program
from unrender.scene.questions.vocabulary import Vocabulary

RED, BLUE, DARK_RED = (1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.55, 0.0, 0.0)


def shape(
    symbol: str, x: float, y: float, side: float, colour: tuple[float, float, float], filled: float = 1.0
) -> Observation:
    looks = dict(zip(("red", "green", "blue"), colour, strict=True)) | {"filled": filled, "thickness": 0.1}
    return Observation(symbol, (x, y), (side, side), 0.0, looks)


def ship(x: float, y: float) -> Observation:
    parts = [shape("square", x, y, 12, BLUE), shape("triangle", x, y - 12, 12, BLUE)]
    looks = {"red": 0.0, "green": 0.0, "blue": 1.0, "damaged": 0.8}
    return Observation("ship", (x, y - 4), (12, 22), 0.0, looks, route="ship/1", parts=parts)


@pytest.fixture
def scene() -> Scene:
    """A large red circle on the left, a ship in the middle, a small dark red circle and a square right."""
    axioms = [
        shape("circle", 20, 50, 30, RED),
        ship(60, 50),
        shape("circle", 90, 48, 10, DARK_RED, 0.0),
        shape("square", 130, 50, 20, BLUE),
    ]
    for depth, leaf in enumerate(leaf for axiom in axioms for leaf in axiom.primitives):
        leaf.depth = depth
    return Scene(160, 100, axioms)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How many circles are there?", 2),
        ("How many things are there in the picture?", 4),
        ("how many circles are left of the ship?", 1),
        ("How many circles left of the square are red?", 2),
        ("how many of the circles are filled", 1),
        ("How many red things are filled and left of the ship?", 1),
        ("How many parts does the ship have?", 2),
        ("How many triangles of the ship are there?", 1),
        ("count the squares", 1),
        ("How many things are not red?", 2),
        ("How many things are filled or blue?", 3),
        ("Is there a triangle?", False),
        ("Are there any outlined circles to the right of the ship?", True),
        ("Are there two circles?", True),
        ("Are there more than two circles?", False),
        ("Are there at least 2 circles?", True),
        ("Are there no squares?", False),
        ("Are there more circles than squares?", True),
        ("Are there fewer circles than squares?", False),
        ("Are there as many ships as squares?", True),
        ("Is the ship left of the square?", True),
        ("Is the circle left of the ship red?", True),
        ("Is the ship damaged?", True),
        ("Is the ship slightly damaged?", False),
        ("Is the ship very damaged?", True),
        ("Are all circles red?", True),
        ("Are all circles filled?", False),
        ("Is the largest circle larger than the ship?", True),
        ("Is the largest thing a circle?", True),
        ("Is the square the rightmost thing?", True),
        ("Is the ship the same colour as the square?", True),
        ("Do the ship and the square have the same colour?", True),
        ("Do the ship and the square have the same kind?", False),
        ("Does the ship have a triangle?", True),
        ("Does the ship have a circle?", False),
        ("Is anything between the ship and the square?", True),
        ("What colour is the largest circle?", "red"),
        ("What color is the smallest circle?", "dark red"),
        ("What is the colour of the ship?", "blue"),
        ("What colour are the circles?", "red and dark red"),
        ("What kind of thing is right of the smallest circle?", "square"),
        ("What shape is the largest thing?", "circle"),
        ("How wide is the square?", 20.0),
        ("How damaged is the ship?", 0.8),
        ("Where is the square?", (130.0, 50.0)),
        ("How large is the square?", (20.0, 20.0)),
        ("How far is the smallest circle from the square?", 25.0),
    ],
)
def test_questions_are_answered(scene: Scene, question: str, answer: object) -> None:
    value = scene.ask(question).value
    assert value == (pytest.approx(answer, abs=0.1) if isinstance(answer, float) else answer)
    assert type(value) is type(answer)


@pytest.mark.parametrize(
    ("question", "places"),
    [
        ("Which circle is the largest?", [20]),
        ("What is left of the ship?", [20]),
        ("What is the nearest thing to the square?", [90]),
        ("Which things are red?", [20, 90]),
        ("Which thing is farthest from the square?", [20]),
        ("Which is larger, the ship or the square?", [130]),
        ("Which parts does the ship have?", [60, 60]),
        ("What is the most damaged thing?", [60]),
        ("What is the circle nearest to the square?", [90]),
        ("Which circle that is left of the square and right of the ship is red?", [90]),
        ("Which squares are behind the ship?", []),
    ],
)
def test_questions_for_objects_give_the_objects(scene: Scene, question: str, places: list[int]) -> None:
    value = scene.ask(question).value
    assert isinstance(value, list)
    assert sorted(round(node.position[0]) for node in value) == places


def test_an_answer_reads_as_a_person_would_say_it_and_shows_its_steps(scene: Scene) -> None:
    answer = scene.ask("How many circles are left of the ship?")
    assert str(answer) == "1"
    assert [str(step) for step in answer.steps] == [
        "circles: 2 of 4 (both circles)",
        "ship: 1 of 4 (the ship)",
        "left of the ship: 1 of 2 (the red circle)",
    ]
    assert str(scene.ask("Which circle is right of the ship?")) == "the dark red circle"
    assert str(scene.ask("Is there a ship?")) == "yes"
    assert str(scene.ask("What is above the ship?")) == "nothing"
    assert str(scene.ask("Where is the square?")) == "at 130, 50"


def test_a_scene_within_one_whole_is_asked_about_its_members() -> None:
    whole = Observation("fleet", (80, 50), (120, 40), parts=[ship(40, 50), ship(120, 50)])
    scene = Scene(160, 100, [whole])
    assert scene.ask("how many ships are there?").value == 2
    assert scene.ask("is there a fleet?").value is True


def test_nouns_that_the_brain_knows_may_be_asked_about_although_none_is_there(scene: Scene) -> None:
    with pytest.raises(UnrenderError, match='the word "asteroids"'):
        scene.ask("how many asteroids are there?")
    assert scene.ask("how many asteroids are there?", known=["asteroid"]).value == 0
    scene.nouns = frozenset(["belt-scene"])
    assert scene.ask("is there a belt scene?").value is False


@pytest.mark.parametrize(
    ("question", "complaint"),
    [
        ("how many shps are there?", 'the word "shps". Did you mean "ships"'),
        ("what color is the largest circel?", 'the word "circel". Did you mean "circle"'),
        ("is there a xylophone?", 'the word "xylophone"'),
        ("how many are there?", '"are" at this place of the question; I can answer "how many circles'),
        ("what colour is", 'how the question ends, after "is"'),
        ("is the ship", 'how the question ends, after "ship"'),
        ("red", 'how the question ends, after "red"; I can answer "'),
        ("", "Ask something"),
        ("is there " + "a circle near " * 2000 + "a ship?", "ask in fewer words"),
        ("is there a ship" + " " * 1000 + "?", "A question may have 1000 characters, not 1016"),
        ("how many ² are there?", 'the word "²"'),
        ("what colour is the circle?", "There are two circles here; say which one"),
        ("what colour is the green square?", "There is no green square here"),
        ("is the square near the triangle of the square?", "There is no triangle here"),
        ("how damaged is the square?", "The square has nothing to do with damaged"),
    ],
)
def test_what_is_not_understood_is_told_with_what_it_could_have_been(
    scene: Scene, question: str, complaint: str
) -> None:
    with pytest.raises(UnrenderError) as error:
        scene.ask(question)
    assert complaint in str(error.value)
    assert "\n" not in str(error.value)


def test_two_ways_to_ask_the_same_are_the_same_program(scene: Scene) -> None:
    words = Vocabulary(scene)
    pairs = [
        ("how many circles are red?", "count the circles that are red"),
        ("is there a circle to the left of the ship?", "are there any circles left of the ship?"),
        ("what color is the biggest circle?", "what is the colour of the largest circle?"),
    ]
    for one, other in pairs:
        first, second = program(words, one), program(words, other)
        assert type(first) is type(second)
        assert scene.ask(one).value == scene.ask(other).value


def test_any_words_are_answered_or_refused_with_a_sentence(scene: Scene) -> None:
    rng = np.random.default_rng(4)
    words = (
        "how many is there a the circle ship red largest left of near than more what colour and that not two"
    )
    for _ in range(300):
        question = " ".join(rng.choice(words.split(), rng.integers(1, 12)))
        try:
            said = f"{scene.ask(question)}."
        except UnrenderError as error:
            said = str(error)
        assert said.endswith((".", "?"))
        assert len(said) > 1
