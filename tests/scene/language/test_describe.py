"""A scene is told in a few correct English sentences."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unrender import Observation, Scene
from unrender.scene.language.describe import describe

COLOURS = {"red": (1, 0, 0), "green": (0, 0.8, 0), "blue": (0, 0, 1), "white": (1, 1, 1), "grey": (0.5,) * 3}


def leaf(
    symbol: str,
    x: float,
    y: float,
    side: float,
    colour: str = "white",
    depth: int | None = None,
    **style: float,
) -> Observation:
    looks = dict(zip(("red", "green", "blue"), COLOURS[colour], strict=True))
    plain = {"filled": 1.0, "thickness": 0.0}
    return Observation(symbol, (x, y), (side, side), 0.0, {**looks, **plain, **style}, depth=depth)


def ship(x: float, y: float, colour: str = "red", **style: float) -> Observation:
    parts = [
        leaf("square", x, y, 16, colour),
        leaf("circle", x, y - 18, 16, colour),
        leaf("triangle", x - 14, y, 10, colour),
        leaf("triangle", x + 14, y, 10, colour),
    ]
    attributes = parts[0].attributes | style
    return Observation("ship", (x, y - 9), (40, 34), 0.0, attributes, route="ship/1", parts=parts)


def asteroid(x: float, y: float, scale: float = 1.0, colour: str = "grey") -> Observation:
    places = ((-10.0, 8.0), (10.0, 8.0), (0.0, -12.0))
    parts = [leaf("circle", x + dx * scale, y + dy * scale, 18 * scale, colour) for dx, dy in places]
    return Observation("asteroid", (x, y), (38 * scale, 38 * scale), 0.0, {}, parts=parts)


def told(*axioms: Observation) -> str:
    return Scene(200, 200, list(axioms)).describe()


def test_an_empty_scene() -> None:
    assert told() == "There is nothing here that I know."


def test_one_shape_alone() -> None:
    circle = leaf("circle", 30, 30, 20, "red", filled=0.0, thickness=0.03)
    assert told(circle) == (
        "There is a circle in the upper left corner of the picture. It is red and thinly outlined."
    )


def test_one_object_with_looks_a_deed_and_a_hidden_part() -> None:
    node = ship(150, 100, damaged=0.2, thrusting=0.9)
    node.hidden = [leaf("triangle", 0, 0, 10)]
    assert told(node) == (
        "There is a ship on the right side of the picture. It is red, slightly damaged and thrusting "
        "strongly, and consists of a square, a circle and two triangles. One of its triangles is hidden."
    )


def test_things_of_a_kind_are_counted_and_told_apart() -> None:
    text = told(ship(40, 100), asteroid(150, 100, 1.5), asteroid(100, 40), asteroid(100, 170))
    assert text == (
        "There are a ship and three asteroids. The ship is red and all three asteroids are grey. "
        "The ship is left of the topmost asteroid, the largest asteroid is below the topmost asteroid "
        "and the lowest asteroid is below the largest asteroid."
    )


def test_what_is_said_of_several_is_said_once() -> None:
    table = Observation("table", (100, 100), (120, 10))
    text = told(table, leaf("circle", 70, 85, 20, "red"), leaf("square", 130, 85, 20, "red"))
    assert text == (
        "There are a table, a circle and a square. The circle and the square are red and filled. "
        "The circle and the square are on the table."
    )


def test_what_some_of_a_kind_have_and_others_have_not() -> None:
    assert "They are filled, one of them red and the other blue." in told(
        leaf("circle", 30, 30, 20, "red"), leaf("circle", 90, 30, 20, "blue")
    )
    three = [leaf("circle", 30 * i, 30, 20, colour) for i, colour in enumerate(("red", "blue", "blue"))]
    assert "the three circles are filled, two of them blue and one red" in told(ship(100, 100), *three)


def test_a_scene_of_objects_is_told_by_its_parts() -> None:
    parts = [ship(40, 100, damaged=0.9), asteroid(150, 100), asteroid(100, 40)]
    parts[1].hidden = [leaf("circle", 0, 0, 5)]
    belt = Observation("belt-scene", (100, 100), (180, 160), parts=parts)
    assert told(belt) == (
        "There is a belt scene. It consists of a ship and two asteroids. The ship is red and very damaged, "
        "and both asteroids are grey. The ship is left of the left asteroid and the right asteroid is below "
        "the left asteroid. One of the circles of the right asteroid is hidden."
    )


def test_what_moves_and_turns() -> None:
    node, one, other = ship(40, 100), asteroid(150, 100), asteroid(100, 40)
    node.velocity, node.spin = (-3.0, 0.2), 2.0
    for rock in (one, other):
        rock.velocity, rock.spin = (2.0, 2.0), -3.0
    assert told(node, one, other).endswith(
        "The ship moves to the left and turns clockwise; "
        "both asteroids move down and to the right, and turn anticlockwise."
    )
    node.velocity, node.spin = (0.0, 0.0), 0.0
    assert "move" not in told(node)


def test_depth_and_containers_are_told() -> None:
    square, circle = leaf("square", 100, 100, 40, depth=0), leaf("circle", 120, 110, 30, "blue", depth=1)
    assert "The circle is in front of the square." in told(square, circle)
    frame = leaf("frame", 100, 100, 120, filled=0.0, thickness=0.1)
    balls = [leaf("ball", 80, 90, 20), leaf("ball", 120, 100, 20), leaf("ball", 70, 130, 12)]
    assert "All three balls are in the frame." in told(frame, *balls)


def test_between_two_of_a_kind() -> None:
    man = Observation("man", (85, 50), (10, 20))
    houses = [Observation("house", (x, 50), (20, 20)) for x in (50, 120)]
    assert told(*houses, man) == "There are a man and two houses. The man is between the two houses."


def test_the_colour_of_an_object_is_that_of_most_of_it_with_a_second_one_that_has_a_share() -> None:
    node = ship(100, 100)
    node.parts[0].attributes |= {"red": 0.0, "green": 0.8}
    assert "It is red with green and consists" in told(node)
    node.parts[1].attributes |= {"red": 0.0, "blue": 1.0}
    assert "It is green with blue and consists" in told(node)
    node.parts[1].attributes |= {"green": 0.8, "blue": 0.0}
    assert "It is green and consists" in told(node)


def test_time_dependent_attributes_may_be_named() -> None:
    scene = Scene(200, 200, [ship(100, 100, walk=0.5)])
    assert "red and walking" in describe(scene, verbs=["walk"])


def test_a_change_by_hand_is_told() -> None:
    scene = Scene(200, 200, [leaf("circle", 30, 30, 20)])
    scene.axioms[0].attributes |= {"green": 0.0, "blue": 0.0}
    assert "It is red" in scene.describe()


@pytest.mark.parametrize("count", [20, 100])
def test_many_things_stay_a_few_sentences(count: int) -> None:
    names, colours = ("circle", "square", "triangle"), tuple(COLOURS)
    many = [
        leaf(
            names[i % 3],
            37 * i % 500,
            61 * i % 490,
            8 + i * 7 % 23,
            colours[i * i % 5],
            damaged=i * 3 % 7 / 6,
        )
        for i in range(count)
    ]
    text = Scene(500, 500, many).describe()
    assert text.count(".") <= 6
    assert len(text) < 1200


NOUNS = ["circle", "asteroid", "umbrella", "unicorn", "hour-glass", "berry", "dining_room", "sheep"]
shapes = st.builds(
    leaf,
    st.sampled_from(NOUNS),
    *(st.floats(0, 200), st.floats(0, 200), st.floats(4, 60)),
    st.sampled_from(list(COLOURS)),
    depth=st.one_of(st.none(), st.integers(0, 9)),
    filled=st.sampled_from([0.0, 1.0]),
    thickness=st.floats(0, 0.3),
    damaged=st.floats(0, 1),
    thrusting=st.floats(0, 1),
)


@st.composite
def trees(draw: st.DrawFn, depth: int = 2) -> Observation:
    node = draw(shapes)
    if depth and draw(st.booleans()):
        node.parts = draw(st.lists(trees(depth - 1), max_size=3))
        node.hidden = draw(st.lists(shapes, max_size=2)) if node.parts else []
    node.velocity = draw(st.one_of(st.none(), st.tuples(st.floats(-9, 9), st.floats(-9, 9))))
    node.spin = draw(st.one_of(st.none(), st.floats(-9, 9)))
    return node


WRONG = re.compile(
    r"  | [.,;?]|\.\.|,,|\band and\b|\b(a|an|the|is|are|of|and) [.,;]|\bNone\b|_"
    r"|\ba (asteroid|umbrella|hour)|\ban (circle|unicorn|berry|dining|sheep)"
    r"|\b(a|an|one|1) (circles|asteroids|umbrellas|unicorns|berries|dining rooms)\b"
    r"|\b(two|three|both|all \w+|\d+) (circle|asteroid|umbrella|unicorn|berry|dining room)\b"
    r"|\b(both|all \w+|two|three) (circles|asteroids|umbrellas|unicorns|berries) (is|moves|turns)\b"
    r"|There is (two|three|\d)|\bit are\b"
    r"|The (circle|asteroid|umbrella|unicorn|berry|dining room) are\b|\bthey is\b"
)


@settings(deadline=None, max_examples=25, derandomize=True)
@given(st.lists(trees(), max_size=7))
def test_every_description_is_well_formed(axioms: list[Observation]) -> None:
    text = Scene(200, 200, axioms).describe()
    sentences = re.split(r"(?<=\.) ", text)
    assert 1 <= len(sentences) <= 6
    for sentence in sentences:
        assert re.fullmatch(r"[A-Z][^.]*[a-z]\.", sentence), sentence
    assert not WRONG.search(text), text
