"""Questions and edits as people put them: about parts and wholes, counts and places, in many words."""

import numpy as np
import pytest

from unrender import Observation, Scene, UnrenderError
from unrender.scene.questions.sentences import english
from unrender.scene.questions.vocabulary import OPEN, closed_words

RED, BLUE, BLACK, GREEN = (1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.0, 0.0, 0.0), (0.0, 0.6, 0.0)
Colour = tuple[float, float, float]


def shape(symbol: str, x: float, y: float, width: float, height: float, colour: Colour) -> Observation:
    looks = dict(zip(("red", "green", "blue"), colour, strict=True)) | {"filled": 1.0, "thickness": 0.0}
    return Observation(symbol, (x, y), (width, height), 0.0, looks)


def car(x: float, length: float, colour: Colour, rusty: float) -> Observation:
    wheels = [shape("circle", x + side * length / 4, 70, 10, 10, BLACK) for side in (-1, 1)]
    parts = [shape("square", x, 60, length, 20, colour), *wheels]
    looks = dict(parts[0].attributes) | {"rusty": rusty}
    return Observation("car", (x, 62), (length, 26), 0.0, looks, parts=parts)


@pytest.fixture
def scene() -> Scene:
    """A small red car, a large blue one, a green triangle between them and a red circle above all."""
    axioms = [
        car(40, 40, RED, rusty=0.9),
        shape("triangle", 100, 62, 20, 20, GREEN),
        car(160, 60, BLUE, rusty=0.05),
        shape("circle", 100, 15, 16, 16, RED),
    ]
    for depth, leaf in enumerate(leaf for axiom in axioms for leaf in axiom.primitives):
        leaf.depth = depth
    return Scene(200, 100, axioms, (255, 255, 255))


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What's the red car's colour?", "red"),
        ("Is there a red car?", True),
        ("Is there a black car?", False),
        ("What colours does the car on the left have?", "red and black"),
        ("How many circles does each car have?", 2),
        ("How many circles are part of a car?", 4),
        ("How many circles aren't part of a car?", 1),
        ("How many circles are in the blue car?", 2),
        ("Do all objects have circles?", False),
        ("Do both cars have two circles?", True),
        ("Does the blue car have more circles than squares?", True),
        ("Do the cars have the same number of parts?", True),
        ("Are both cars the same colour?", False),
        ("Is the smaller car very rusty?", True),
        ("Is any car not rusty?", True),
        ("Is only one thing green?", True),
        ("Is nothing purple?", True),
        ("Are only triangles green?", True),
        ("How many things are neither red nor blue?", 1),
        ("How many circles altogether?", 5),
        ("Is there anything black?", True),
        ("Is the circle above both cars?", True),
        ("Is the triangle between the red and the blue car?", True),
        ("Is the red automobile rustier than the blue one?", True),
        ("The cars are blue, right?", False),
        ("Only the triangle is green, isn't it?", True),
        ("The red car and the blue car, do they touch?", False),
        ("Are there two cars with the same colour?", False),
        ("How many circles and squares does the red car have?", 3),
        ("Is the triangle round?", False),
        ("How many corners does the triangle have?", 3),
        ("Are there more cars or more triangles?", "more cars: 2 to 1"),
        ("Colour of the triangle?", "green"),
        ("How many circles are there per car?", 2),
        ("How many circles has the red car?", 2),
        ("How many objects are directly below the circle?", 1),
        ("Is the blue car longer than the red car?", True),
        ("Does the triangle point up?", True),
        ("How many more cars than triangles are there?", 1),
        ("What is the number of cars plus the number of triangles?", 3),
        ("If I took away the cars, how many objects would be left?", 2),
        ("How many different colours are there?", 4),
        ("Which colour is most common?", "red"),
        ("Is the circle higher than the blue car?", True),
        ("Is the triangle in the middle a circle?", False),
        ("Tell me how many cars there are.", 2),
        ("How many cars do you see in the picture?", 2),
        ("Is the triangle tilted?", False),
        ("Is the red car left of the triangle and the blue car?", True),
        ("Are there more circles than squares in the blue car?", True),
        ("How many things are not red or blue?", 1),
        ("Isn't the blue car larger than the red one?", True),
        ("Is neither car green?", True),
        ("How many red and blue cars are there?", 2),
        ("Hasn't the red car got a circle?", True),
        ("whats the colour of the triangle", "green"),
        ("And the triangle's colour?", "green"),
        ("Does the triangle reach lower than the circle?", True),
        ("Fewer triangles than cars?", True),
        ("Does the red car have as many squares as the blue car has circles?", False),
        ("If two more cars came, how many cars would there be?", 4),
    ],
)
def test_a_free_question_is_answered(scene: Scene, question: str, answer: object) -> None:
    value = scene.ask(question).value
    assert value == answer
    assert type(value) is type(answer)


@pytest.mark.parametrize(
    ("question", "places"),
    [
        ("Which car is bigger?", [160]),
        ("Which car is the most rusty?", [40]),
        ("Which car is on the right, the red or the blue one?", [160]),
        ("Is the triangle nearer to the red car or to the blue car?", [160]),
        ("What's between the two cars?", [100]),
        ("Which objects have exactly two circles?", [40, 160]),
        ("Which objects don't have a circle?", [100, 100]),
        ("What is the second object from the right?", [100, 100]),
        ("What is the second largest car?", [40]),
        ("Which part of the red car is red?", [40]),
        ("What is at the top?", [100]),
        ("Which car has the bigger square?", [160]),
        ("Which of the circles on the red car is the leftmost?", [30]),
        ("Which circle of the red car is the leftmost one?", [30]),
        ("On which car is the red square?", [40]),
        ("the car on the far right", [160]),
        ("What is the car in blue?", [160]),
    ],
)
def test_the_objects_that_are_meant_are_found(scene: Scene, question: str, places: list[int]) -> None:
    value = scene.ask(question).value
    assert isinstance(value, list)
    assert sorted(round(node.position[0]) for node in value) == places


def test_answers_say_what_a_number_alone_would_hide(scene: Scene) -> None:
    assert str(scene.ask("how many circles are there?")) == "1, and 4 as parts of others"
    assert str(scene.ask("is there a square?")) == "no, only as part of both cars"
    assert str(scene.ask("what is a car made of?")) == "a square and two circles"
    assert str(scene.ask("what is in the picture?")) == "two cars, a triangle and a circle"
    assert str(scene.ask("which part of the red car is red?")) == "the square of the red car"
    assert str(scene.ask("is the triangle above or below the circle?")) == "yes, below the circle"


@pytest.mark.parametrize(
    ("question", "complaint"),
    [
        ("how many wheels does the car have?", 'the word "wheels"; I can answer "how many'),
        ("how many small things are there?", "I do not know what is small here; ask for the smallest one"),
        ("is the red car made of circles?", "Only two of the three parts"),
        ("what is the car doing?", 'the word "doing"'),
        ("is it red?", 'what "it" means here'),
        ("which way does the circle point?", 'the word "way"'),
        ("does the circle point up?", "I do not know which way a circle points"),
        ("if two more cars came, how many circles would there be?", "whether more cars are more circles"),
        ("does the circle reach wider than the car?", 'reaches higher, lower or further than another, not "'),
        ("how many circles does each object have?", "They do not all have as many circles: 0 and 2."),
    ],
)
def test_what_is_not_known_is_said_so(scene: Scene, question: str, complaint: str) -> None:
    with pytest.raises(UnrenderError) as error:
        scene.ask(question)
    assert complaint in str(error.value)


def test_the_question_that_is_offered_has_an_answer(scene: Scene) -> None:
    for question in (
        "is the car wobbly?",
        "circles many how",
        "does the blue car honk more than the red car?",
    ):
        with pytest.raises(UnrenderError) as error:
            scene.ask(question)
        offered = str(error.value).partition("I can answer ")[2].strip('".')
        assert scene.ask(offered).text


@pytest.mark.parametrize(
    ("edit", "same"),
    [
        ("make the small car blue", ["car.2.colour=blue"]),
        ("move the left car up a bit", ["car.2.y-=5"]),
        ("delete all cars", ["remove car.*"]),
        ("turn the triangle by 30 degrees clockwise", ["triangle.1.rotation+=30"]),
        ("make the biggest car twice as large", ["car.1.size*=2"]),
        ("Could you shift the circle 20 pixels to the left, please?", ["circle.1.x-=20"]),
        ("put the circle in the middle", ["circle.1.position=100,50"]),
        ("make the triangle as tall as the blue car", ["triangle.1.height=26"]),
        ("make the triangle the same colour as the blue car", ["triangle.1.colour=#0000ff"]),
        ("paint all circles of the red car white", ["car.2.circle.*.colour=white"]),
        ("shrink the triangle to half its size", ["triangle.1.size*=0.5"]),
        ("make the blue car very rusty", ["car.1.rusty=0.9"]),
        ("make the red car less rusty", ["car.2.rusty-=0.25"]),
        ("move the triangle down by 5 pixels and make it red", ["triangle.1.y+=5", "triangle.1.colour=red"]),
        ("delete everything except the cars", ["remove circle.1", "remove triangle.1"]),
        ("swap the circle and the triangle", ["circle.1.position=100,62", "triangle.1.position=100,15"]),
        ("flip the red car upside down", ["car.2.rotation+=180"]),
        ("make the triangles green and the cars red", ["triangle.1.colour=green", "car.*.colour=red"]),
        ("the triangle should be black", ["triangle.1.colour=black"]),
        ("delete everything green", ["remove triangle.1"]),
        ("lift the triangle by ten pixels", ["triangle.1.y-=10"]),
        ("move the circle onto the triangle", ["circle.1.position=100,59.5"]),
        ("make the triangle point down", ["triangle.1.rotation=180"]),
        ("make the red car rustier", ["car.2.rusty+=0.25"]),
        ("make the triangle darker", ["triangle.1.colour=#006b00"]),
        ("remove the circles from the red car", ["remove car.2.circle.*"]),
        ("take the circles off the red car", ["remove car.2.circle.*"]),
        ("delete everything except the cars and the circle", ["remove triangle.1"]),
        ("stand the triangle up straight", ["triangle.1.rotation=0"]),
    ],
)
def test_an_edit_in_english_does_what_the_names_do(scene: Scene, edit: str, same: list[str]) -> None:
    other = Scene.from_dict(scene.to_dict())
    done = scene.edit(edit)
    assert sorted(done) == sorted(other.edit(*same))
    assert str(done).startswith(("Changed ", "Removed "))
    assert scene.to_dict() == other.to_dict()


@pytest.mark.parametrize(
    ("edit", "complaint"),
    [
        ("make the car green", "There are two cars here; say which one"),
        ("delete the dog", 'I do not understand the word "dog"'),
        ("make the triangle", "how the edit ends"),
        ("move the triangle behind the red car", 'cannot move something "behind" another'),
        ("delete a car", "There are 2 of car; say which"),
        ("delete all cars except the red one and the circle", "left out or meant, too"),
    ],
)
def test_an_edit_that_may_mean_several_things_changes_nothing(
    scene: Scene, edit: str, complaint: str
) -> None:
    before = scene.to_dict()
    with pytest.raises(UnrenderError) as error:
        scene.edit(edit)
    assert complaint in str(error.value)
    assert scene.to_dict() == before


def test_edits_are_taken_back_one_after_the_other(scene: Scene) -> None:
    first, picture = scene.to_dict(), scene.image.copy()
    nodes = scene.observations
    scene.edit("turn the blue car by 20 degrees", "car.2.colour=green")
    second = scene.to_dict()
    scene.edit("delete all cars")
    scene.edit("undo")
    assert scene.to_dict() == second
    scene.undo()
    assert scene.to_dict() == first
    assert scene.observations == nodes
    assert np.array_equal(scene.image, picture)
    with pytest.raises(UnrenderError, match="no edit to take back"):
        scene.edit("undo")


def test_parts_follow_their_whole_where_no_brain_says_how(scene: Scene) -> None:
    blue = scene.axioms[2]
    blue.parts[0].rotation = 90.0
    blue.parts[0].size = (20.0, 60.0)
    scene.edit("car.1.position=100,40", "car.1.rotation=90", "car.1.width*=2")
    body, *wheels = blue.parts
    assert body.position == pytest.approx((102, 40))
    assert body.size == pytest.approx((20, 120))
    assert [wheel.position for wheel in wheels] == [pytest.approx((92, 10)), pytest.approx((92, 70))]


def test_every_word_belongs_to_a_terminal_that_the_grammar_uses() -> None:
    used = {
        symbol.name
        for start in ("question", "edit")
        for rule in english(start).rules
        for symbol in rule.expansion
        if symbol.is_term
    }
    assert set(closed_words().values()) | set(OPEN) <= used | {
        "SKIP",
        "IN_PICTURE",
        "ONES",
        "TOTAL",
        "TOGETHER",
        "WHOLE",
    }


def test_what_lies_aslant_is_counted_neither_in_nor_out() -> None:
    places = [(50, 10), (50, 60), (190, 25), (190, 14)]  # the last but one is lower, and far to the right
    scene = Scene(200, 100, [shape("circle", x, y, 10, 10, RED) for x, y in places], (255, 255, 255))
    with pytest.raises(UnrenderError, match=r'aslant: the answer is "1" .* "2"'):
        scene.ask("how many circles are below the topmost circle?")
    assert scene.ask("what is below the topmost circle?").value == scene.axioms[1:2]
    assert scene.ask("is the lowest circle below the topmost circle?").value is True
    assert scene.ask("how many circles are directly below the topmost circle?").value == 1


def test_what_is_under_something_must_stand_in_its_column() -> None:
    shapes = [("square", 50, 20), ("circle", 50, 60), ("triangle", 190, 90)]
    scene = Scene(200, 100, [shape(kind, x, y, 20, 20, RED) for kind, x, y in shapes], (255, 255, 255))
    assert scene.ask("is the circle under the square?").value is True
    assert scene.ask("is the triangle below the square?").value is True
    assert scene.ask("is the square under the circle?").value is False
    near = Scene(200, 100, [shape("square", 50, 20, 20, 20, RED), shape("circle", 72, 45, 20, 20, RED)])
    with pytest.raises(UnrenderError, match="aslant"):
        near.ask("is the circle under the square?")


def test_nearer_than_has_two_meanings_and_an_answer_where_they_agree() -> None:
    shapes = [("square", 20, 20), ("circle", 60, 20), ("triangle", 75, 20)]
    scene = Scene(200, 40, [shape(kind, x, y, 8, 8, RED) for kind, x, y in shapes], (255, 255, 255))
    with pytest.raises(UnrenderError, match='"than to the triangle" or "than the triangle is"'):
        scene.ask("is the circle closer to the square than the triangle?")
    assert scene.ask("is the circle closer to the square than to the triangle?").value is False
    assert scene.ask("is the circle closer to the square than the triangle is?").value is True
    assert scene.ask("is the circle closer to the triangle than the square?").value is True


def test_on_top_of_a_whole_is_its_uppermost_part_only() -> None:
    hat, head = shape("square", 50, 20, 10, 10, RED), shape("circle", 50, 35, 20, 20, RED)
    whole = Observation("snowman", (50, 30), (20, 30), 0.0, dict(head.attributes), parts=[hat, head])
    scene = Scene(100, 60, [whole], (255, 255, 255))
    assert scene.ask("what is on top of the snowman?").value == [hat]


def test_what_is_painted_over_a_thing_is_on_it_and_the_ground_is_not_between_what_stands_on_it() -> None:
    shapes = [("square", 100, 70, 200, 60), ("circle", 40, 60, 20, 20), ("triangle", 160, 60, 20, 20)]
    scene = Scene(200, 100, [shape(kind, *place, RED) for kind, *place in shapes], (255, 255, 255))
    for depth, node in enumerate(scene.axioms):
        node.depth = depth
    assert scene.ask("what is on the square?").value == scene.axioms[1:]
    assert scene.ask("is the square on the circle?").value is False
    assert scene.ask("what is between the circle and the triangle?").value == []
