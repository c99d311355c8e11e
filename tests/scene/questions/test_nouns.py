"""Shapes are asked about and changed by every noun they are called by: lines, arcs, hexagons, polygons."""

import math

import pytest

from unrender import Observation, Scene, UnrenderError

RED, BLUE, GREEN = (1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.0, 0.6, 0.0)
Colour = tuple[float, float, float]


def looks(colour: Colour, **more: float) -> dict[str, float]:
    return dict(zip(("red", "green", "blue"), colour, strict=True)) | {"filled": 1.0, "thickness": 0.0} | more


def ring(x: float, y: float, colour: Colour, radii: tuple[float, ...]) -> Observation:
    """A closed path of straight sides with a corner at each of these distances (px), in turn, around x, y."""
    turns = [2 * math.pi * i / len(radii) for i in range(len(radii))]
    corners = [(r * math.cos(turn), r * math.sin(turn)) for r, turn in zip(radii, turns, strict=True)]
    low, high = (tuple(end(own[i] for own in corners) for i in (0, 1)) for end in (min, max))
    half, middle = ([(b + sign * a) / 2 for a, b in zip(low, high, strict=True)] for sign in (-1, 1))
    form = [v for cx, cy in corners for v in (0.0, (cx - middle[0]) / half[0], (cy - middle[1]) / half[1])]
    form[-3] = 4.0
    place, size = (x + middle[0], y + middle[1]), (2 * half[0], 2 * half[1])
    return Observation("path", place, size, 0.0, looks(colour), form=tuple(form))


def hexagon(x: float, y: float, colour: Colour, radius: float) -> Observation:
    return ring(x, y, colour, (radius,) * 6)


def star(x: float, y: float) -> Observation:
    return ring(x, y, GREEN, (12.0, 5.0) * 5)


def taught_star(x: float, y: float) -> Observation:
    return Observation("star", (x, y), (24, 24), 0.0, looks(GREEN), route="star/1", parts=[star(x, y)])


@pytest.fixture
def scene() -> Scene:
    """From the left: a red hexagon, a green star, a blue line, a red arc, a larger blue hexagon, a square."""
    axioms = [
        hexagon(20, 50, RED, 10),
        star(60, 50),
        Observation("edge", (100, 50), (30, 4), 0.0, looks(BLUE)),
        Observation("arc", (140, 50), (24, 24), 0.0, looks(RED, filled=0.0, thickness=0.1, sweep=0.4)),
        hexagon(180, 50, BLUE, 15),
        Observation("square", (220, 50), (16, 16), 0.0, looks(GREEN)),
    ]
    for depth, axiom in enumerate(axioms):
        axiom.depth = depth
    return Scene(240, 100, axioms)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How many hexagons are there?", 2),
        ("How many lines are there?", 1),
        ("How many edges are there?", 1),
        ("How many strokes are there?", 2),
        ("How many polygons are there?", 4),
        ("How many rectangles and squares are there?", 1),
        ("How many polygons are not squares?", 3),
        ("How many octagons are there?", 0),
        ("How many pluses are there?", 0),
        ("Is there an arc?", True),
        ("Is there an edge?", True),
        ("Is there a curve?", False),
        ("Is there a plus?", False),
        ("Is the star a polygon?", True),
        ("Is the square a rectangle?", True),
        ("Is the star a hexagon?", False),
        ("Is the line left of the arc?", True),
        ("Is a hexagon at the left edge?", True),
        ("Are there more hexagons than stars?", True),
        ("Do the hexagons have the same kind?", True),
        ("Do the star and the line have the same kind?", False),
        ("What is the number of hexagons plus the number of lines?", 3),
        ("What kind of thing is the largest polygon?", "hexagon"),
        ("What colour is the line?", "blue"),
    ],
)
def test_shapes_are_asked_about_by_every_noun_they_have(scene: Scene, question: str, answer: object) -> None:
    assert scene.ask(question).value == answer


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("What is left of the line?", "the red hexagon and the star"),
        ("What shape is left of the line?", "the red hexagon and the star"),
        ("Which stroke is red?", "the arc"),
        ("Which polygon is the largest?", "the blue hexagon"),
        ("What is there?", "a star, a line, an arc, a square and two hexagons"),
    ],
)
def test_answers_call_shapes_as_a_description_does(scene: Scene, question: str, text: str) -> None:
    assert str(scene.ask(question)) == text


def test_what_a_shape_does_not_have_is_told_with_its_noun(scene: Scene) -> None:
    scene.axioms[-1].attributes["rusty"] = 0.5
    with pytest.raises(UnrenderError, match="The line has nothing to do with rusty"):
        scene.ask("how rusty is the line?")
    with pytest.raises(UnrenderError, match='I can answer "how far is the line from the '):
        scene.ask("how damaged is the line?")


@pytest.mark.parametrize(
    ("edit", "names", "told"),
    [
        ("make the star red", ["path.2"], "Changed the star: colour=red"),
        ("delete all lines", ["edge.1"], "Removed the line"),
        ("delete the edge", ["edge.1"], "Removed the line"),
        ("delete all hexagons", ["path.1", "path.3"], "Removed both hexagons"),
        ("move the star to the left edge", ["path.2"], "Changed the star: x=10.8541"),
        ("make the rectangle as wide as the line", ["square.1"], "Changed the square: width=30"),
    ],
)
def test_shapes_are_changed_by_their_nouns(scene: Scene, edit: str, names: list[str], told: str) -> None:
    done = scene.edit(edit)
    assert sorted(done) == names
    assert str(done) == told


def test_a_noun_that_was_taught_means_what_was_taught_and_no_shape(scene: Scene) -> None:
    assert scene.ask("how many stars are there?").value == 1
    both = Scene(240, 100, [*scene.axioms, taught_star(60, 80)])
    answer = both.ask("how many stars are there?")
    assert answer.value == 1
    assert str(answer) == "1"
    assert both.ask("where is the star?").value == (60, 80)
    assert both.ask("how many polygons are there?").value == 4
    scene.nouns = frozenset(["Star"])
    assert scene.ask("how many stars are there?").value == 0
