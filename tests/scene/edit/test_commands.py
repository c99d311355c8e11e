"""The language of edits, and the names of what is edited."""

import warnings

import pytest

from unrender import Observation, Scene, UnrenderError
from unrender.scene.addresses import addresses, find
from unrender.scene.edit.commands import Assignment, Removal, parse

LOOKS = {"red": 0.2, "green": 0.4, "blue": 0.6, "filled": 1.0, "thickness": 0.0}


def shape(symbol: str, x: float) -> Observation:
    return Observation(symbol, (x, 50.0), (10.0, 20.0), 0.0, dict(LOOKS))


@pytest.fixture
def scene() -> Scene:
    """From the back: a circle, a ship of two circles and a square, a circle."""
    parts = [shape("circle", 40), shape("circle", 50), shape("square", 60)]
    ship = Observation("ship", (50, 50), (30, 20), 0.0, dict(LOOKS), route="ship/1", parts=parts)
    return Scene(160, 100, [shape("circle", 10), ship, shape("circle", 90)])


def xs(scene: Scene, text: str) -> list[float]:
    return [one.node.position[0] for one in find(scene, text)]


def test_nodes_are_numbered_from_the_front_and_named_objects_before_parts(scene: Scene) -> None:
    assert [(one.number, one.name, one.level) for one in addresses(scene)] == [
        (1, "circle.1", 0),
        (2, "ship.1", 0),
        (3, "square.1", 1),
        (4, "circle.3", 1),
        (5, "circle.4", 1),
        (6, "circle.2", 0),
    ]


def test_every_name_is_there_once_and_finds_its_own_node(scene: Scene) -> None:
    inner = Observation("ship", (120, 50), (9, 9), parts=[shape("circle", 118), shape("circle", 122)])
    fleet = Observation("fleet", (130, 50), (30, 30), parts=[inner, shape("square", 140)])
    busy = Scene(160, 100, [*scene.axioms, fleet])
    known = addresses(busy)
    assert len({one.name for one in known}) == len(known) == 11
    for one in known:
        assert [found.node for found in find(busy, one.name)] == [one.node]
        assert [found.node for found in find(busy, str(one.number))] == [one.node]


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("circle.1", [90]),
        ("circle.*", [90, 10]),
        ("circle.3", [50]),
        ("square.1", [60]),
        ("square", [60]),
        ("square.*", [60]),
        ("ship", [50]),
        ("ship.circle.2", [40]),
        ("ship.1.circle.*", [50, 40]),
        ("ship.*.square", [60]),
        ("*", [90, 50, 10]),
        ("ship.1.*", [60, 50, 40]),
        (" circle . 2 ", [10]),
        ("5", [40]),
    ],
)
def test_nodes_are_found_by_name(scene: Scene, text: str, places: list[float]) -> None:
    assert xs(scene, text) == places


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("circel.1", 'Did you mean "circle"'),
        ("square.2", "There is no square.2; the last one is square.1"),
        ("circle", "There are 2 of circle; write circle.1"),
        ("circle.5", "the last one is circle.4"),
        ("ship.1.circle.3", 'There is no circle.3 for "ship.1.circle.3"'),
        ("ship.1.circle.0", "There is no circle.0"),
        ("ship.circle", "There are 2 of circle"),
        ("circle.0", "There is no circle.0"),
        ("ship.1.triangle", "There is no triangle"),
        ("ship..circle", "names no object"),
        ("", "names no object"),
        ("0", "There is no object 0; the scene has 6"),
        ("circle.1.circle", "There is nothing at all"),
    ],
)
def test_a_name_that_is_wrong_is_told(scene: Scene, text: str, complaint: str) -> None:
    with pytest.raises(UnrenderError, match=complaint.replace(".", r"\.")):
        find(scene, text)


@pytest.mark.parametrize(
    ("text", "edit"),
    [
        ("ship.1.red=1", Assignment("ship.1", "red", "=", "1")),
        ("asteroid.*.rotation += 30", Assignment("asteroid.*", "rotation", "+=", "30")),
        ("circle.2.x-=4.5", Assignment("circle.2", "x", "-=", "4.5")),
        ("circle.2.red=-1", Assignment("circle.2", "red", "=", "-1")),
        ("car door.1.colour=dark red", Assignment("car door.1", "colour", "=", "dark red")),
        ("remove triangle.2", Removal("triangle.2")),
        ("Delete  ship.1.circle.2", Removal("ship.1.circle.2")),
    ],
)
def test_edits_are_read(text: str, edit: object) -> None:
    assert parse(text) == edit


@pytest.mark.parametrize(
    "text", ["", "red", "red=1", "ship.1.red", "ship.1.red=", ".red=1", "remove", "ship.1.=1"]
)
def test_what_is_no_edit_is_refused(text: str) -> None:
    with pytest.raises(UnrenderError, match="An edit is written like"):
        parse(text)


@pytest.mark.parametrize(
    ("edit", "position", "size", "rotation", "red"),
    [
        ("circle.1.x=12", (12, 50), (10, 20), 0, 0.2),
        ("circle.1.position=1,2", (1, 2), (10, 20), 0, 0.2),
        ("circle.1.position+=1 2", (91, 52), (10, 20), 0, 0.2),
        ("circle.1.size*=2", (90, 50), (20, 40), 0, 0.2),
        ("circle.1.height/=4", (90, 50), (10, 5), 0, 0.2),
        ("circle.1.rotation-=370", (90, 50), (10, 20), -10, 0.2),
        ("circle.1.red=1", (90, 50), (10, 20), 0, 1.0),
        ("circle.1.red*=9", (90, 50), (10, 20), 0, 1.0),
        ("circle.1.red-=0.5", (90, 50), (10, 20), 0, 0.0),
        ("circle.1.colour=#ff0000", (90, 50), (10, 20), 0, 1.0),
        ("1.width+=5", (90, 50), (15, 20), 0, 0.2),
    ],
)
def test_every_attribute_can_be_changed(
    scene: Scene,
    edit: str,
    position: tuple[float, float],
    size: tuple[float, float],
    rotation: float,
    red: float,
) -> None:
    assert scene.edit(edit) == ["circle.1"]
    node = scene.axioms[-1]
    assert node.position == pytest.approx(position)
    assert node.size == pytest.approx(size)
    assert node.rotation == pytest.approx(rotation)
    assert node.attributes["red"] == pytest.approx(red)


def test_all_edits_name_objects_as_they_were_before_the_first(scene: Scene) -> None:
    assert scene.edit("remove circle.1", "circle.2.x=33") == ["circle.1", "circle.2"]
    assert [node.position[0] for node in scene.axioms] == [33, 50]


def test_a_whole_of_which_nothing_is_left_goes_too(scene: Scene) -> None:
    assert scene.edit("remove ship.1.circle.*") == ["circle.3", "circle.4"]
    assert [part.symbol for part in find(scene, "ship")[0].node.parts] == ["square"]
    scene.edit("remove ship.square")
    assert [node.symbol for node in scene.axioms] == ["circle", "circle"]


def test_the_colour_of_a_whole_is_that_of_all_its_parts(scene: Scene) -> None:
    scene.edit("ship.colour=green")
    for node in scene.axioms[1].walk():
        assert (node.attributes["red"], node.attributes["green"], node.attributes["blue"]) == (0, 1, 0)


def test_one_wrong_edit_and_nothing_is_changed(scene: Scene) -> None:
    before = scene.to_dict()
    with pytest.raises(UnrenderError, match="has no attribute"):
        scene.edit("circle.1.x=3", "remove ship.1", "circle.2.reed=1")
    assert scene.to_dict() == before


@pytest.mark.parametrize(
    ("edit", "complaint"),
    [
        ("circle.1.x=left", 'The attribute "x" takes a number, not "left"'),
        ("circle.1.x=nan", "takes a number"),
        ("circle.1.position=3", 'takes two numbers, like "20,30"'),
        ("circle.1.x/=0", "cannot be divided by 0"),
        ("circle.1.width=-1", "must be above 0"),
        ("circle.1.red=1.5", "must lie between 0 and 1"),
        ("circle.1.size=1e300", "A number in an edit lies between -1000000 and 1000000"),
        ("circle.1.rotation=1e300", "A number in an edit lies between"),
        ("circle.1.rotation/=1e-320", "A number in an edit lies between"),
        ("circle.1.x=1e400", "takes a number"),
        ("circle.1.x=" + "1" * 1000, "An edit may have 1000 characters, not 1011"),
        ("circle.1.colour+=red", 'set with "="'),
        ("circle.1.colour=gren", 'Did you mean "green"'),
    ],
)
def test_values_that_make_no_sense_are_refused(scene: Scene, edit: str, complaint: str) -> None:
    with pytest.raises(UnrenderError) as error:
        scene.edit(edit)
    assert complaint in str(error.value)


def test_nothing_is_moved_or_stretched_beyond_what_can_be_drawn(scene: Scene) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for edit in ("circle.1.size*=1e6", "circle.1.x*=1e6", "ship.1.size*=1e6", "ship.1.circle.1.y-=1e6"):
            for _ in range(3):
                scene.edit(edit)
                assert scene.image.shape == (scene.height, scene.width, 3)
        assert all(abs(v) <= 1e6 for node in scene.observations for v in (*node.position, *node.size))


@pytest.mark.parametrize("size", [(1e300, 1e300), (10.0, float("nan")), ("wide", 3.0)])
def test_a_value_set_by_hand_that_cannot_be_drawn_is_told(scene: Scene, size: tuple[float, float]) -> None:
    scene.axioms[-1].size = size
    with pytest.raises(UnrenderError, match="A circle was given a value that is not a number between"):
        scene.image  # noqa: B018
    scene.axioms[-1].size = (10.0, 10.0)
    assert scene.image.any()
