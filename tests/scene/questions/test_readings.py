"""An answer is given only where every way in which its question may be meant gives it, or it names both."""

import pytest

from unrender import Observation, Scene, UnrenderError

RED, GREEN, BLUE, WHITE = (1.0, 0.0, 0.0), (0.0, 0.7, 0.0), (0.0, 0.0, 1.0), (1.0, 1.0, 1.0)
Colour = tuple[float, float, float]


def shape(symbol: str, x: float, y: float, size: tuple[float, float], colour: Colour) -> Observation:
    looks = dict(zip(("red", "green", "blue"), colour, strict=True)) | {"filled": 1.0, "thickness": 0.0}
    return Observation(symbol, (x, y), size, 0.0, looks)


def house(x: float) -> Observation:
    parts = [shape("square", x, 150, (60, 60), WHITE), shape("square", x, 165, (12, 30), RED)]
    return Observation("house", (x, 150), (60, 60), 0.0, {}, parts=parts)


@pytest.fixture
def scene() -> Scene:
    """Two white houses with red doors, two balls, a bar above them and a long line below."""
    axioms = [
        house(60),
        house(200),
        shape("circle", 130, 170, (20, 20), RED),
        shape("circle", 260, 60, (40, 40), GREEN),
        shape("square", 60, 40, (100, 20), BLUE),
        shape("edge", 150, 200, (300, 4), BLUE),
    ]
    for depth, leaf in enumerate(leaf for axiom in axioms for leaf in axiom.primitives):
        leaf.depth = depth
    return Scene(320, 240, axioms)


@pytest.mark.parametrize(
    ("question", "ways"),
    [
        ("how many red things are there?", ("1", "3")),  # the ball, and with it both doors
        ("is the red circle near the left house?", ("yes", "no")),
    ],
)
def test_two_readings_with_two_answers_are_told_and_none_is_chosen(
    scene: Scene, question: str, ways: tuple[str, str]
) -> None:
    with pytest.raises(UnrenderError, match="two ways") as error:
        scene.ask(question)
    assert all(f'"{way}"' in str(error.value) for way in ways)


def test_an_answer_about_objects_says_what_it_would_be_with_their_parts(scene: Scene) -> None:
    answer = scene.ask("Are there more circles than squares?")
    assert (answer.value, answer.otherwise) == (True, (False,))
    assert str(answer) == "yes (no if parts of objects count, too)"


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What is the tallest object?", 2),  # the houses, not the line that is long but flat
        ("Do both houses have a red rectangle?", True),
        ("How much wider is the blue square than the right house?", 40.0),
        ("Is the blue square wider than it is tall?", True),
        ("Is the blue square five times as wide as it is tall?", True),
        ("Which circle is the left house nearer to?", 1),
        ("What percentage of the circles are green?", 50.0),
        ("Is most of the houses red?", False),
        ("How many objects are wider than 50 pixels?", 4),
        ("What is the diameter of the green circle?", 40.0),
        ("What colour is the background?", "black"),
        ("Which two houses are white?", 2),
    ],
)
def test_numbers_and_shares_are_compared(scene: Scene, question: str, answer: object) -> None:
    value = scene.ask(question).value
    assert (len(value) if isinstance(value, list) else value) == answer


@pytest.mark.parametrize(
    ("question", "why"),
    [
        ("Are both circles and both squares red?", "not 2"),
        ("Which three houses are white?", "not 3, but 2"),
        ("Which of the three houses is larger?", "not 3"),
        ("What shape is the left house?", "no single shape"),
        ("Is the red circle very filled?", "filled"),
    ],
)
def test_no_word_of_a_question_is_passed_over(scene: Scene, question: str, why: str) -> None:
    with pytest.raises(UnrenderError, match=why):
        scene.ask(question)


def test_one_may_stand_for_a_noun_with_its_adjective(scene: Scene) -> None:
    scene = Scene(320, 240, [*scene.axioms, shape("circle", 30, 220, (10, 10), RED)])
    with pytest.raises(UnrenderError, match="two ways"):
        scene.edit("make the smallest red circle as big as the largest one")
    scene.edit("make the smallest red circle as big as the largest red circle")
    assert scene.axioms[-1].size == (20, 20)


def dish(x: float) -> Observation:
    return Observation("plate", (x, 60), (60, 60), 0.0, {}, parts=[shape("circle", x, 60, (60, 60), WHITE)])


@pytest.fixture
def table() -> Scene:
    """Two plates on a green cloth; on the left one two small red circles of one size and a blue one."""
    axioms = [
        shape("square", 100, 60, (200, 120), GREEN),
        dish(50),
        dish(150),
        shape("circle", 40, 50, (12, 12), RED),
        shape("circle", 60, 50, (12, 12), RED),
        shape("circle", 50, 75, (16, 16), BLUE),
    ]
    for depth, leaf in enumerate(leaf for axiom in axioms for leaf in axiom.primitives):
        leaf.depth = depth
    return Scene(200, 120, axioms)


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("what is on the left plate?", [3, 4, 5]),  # not the circle that the plate is
        ("which circles have the same size?", [3, 4]),
        ("what is closest to the blue circle?", [4]),  # not the plate that it lies on
    ],
)
def test_what_all_lies_on_is_not_named(table: Scene, question: str, found: list[int]) -> None:
    table.axioms[4].position = (61, 51)
    answer = table.ask(question)
    assert isinstance(answer.value, list)
    assert {id(node) for node in answer.value} == {id(table.axioms[i]) for i in found}


@pytest.mark.parametrize(
    ("question", "so"),
    [
        ("are two of the circles the same size?", True),
        ("is anything blue?", True),
        ("does the left plate consist of three circles?", False),
        ("is the left plate red and blue?", False),
    ],
)
def test_a_number_and_every_colour_are_heeded(table: Scene, question: str, so: bool) -> None:
    assert table.ask(question).value is so


@pytest.mark.parametrize(
    ("question", "why"),
    [
        ("does the left plate have a red circle?", "lies in or on"),
        ("is the left plate empty?", "empty"),
        ("what is the red circle?", "two of red circle"),
        ("which red circle is larger?", "None of them is larger"),
        ("are all circles not red?", "not like that"),
        ("is not every circle red?", "some are not"),
        ("is the square on the left plate green?", "no square"),
        ("are the red circles together as large as the blue one?", "together"),
        ("is the blue circle on the right blue?", "no blue circle at the right"),
        ("is the whole square green?", "whole"),
    ],
)
def test_what_is_supposed_and_is_not_so_is_said(table: Scene, question: str, why: str) -> None:
    with pytest.raises(UnrenderError, match=why):
        table.ask(question)


def test_what_is_put_on_a_plate_seen_from_above_lies_on_its_middle(table: Scene) -> None:
    table.edit("put the blue circle onto the right plate")
    assert table.axioms[5].position == (150, 60)
    table.edit("put the blue circle on the left plate")
    assert table.axioms[5].position == (50, 60)
