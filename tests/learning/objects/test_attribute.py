"""Attributes that are taught: new ones, more of known ones, of another form, refused, and renamed."""

import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

import unrender
from unrender import Brain, Observation, Scene, UnrenderError
from unrender.capsules.network import Network
from unrender.capsules.recall import PlainDecoder, plain_of
from unrender.learning.objects.attribute import AttributeLesson, learn_attribute, renamed_attribute, taught_of
from unrender.learning.objects.augment import transform
from unrender.learning.objects.lesson import learn, with_route

LOOKS = {"red": 0.9, "green": 0.8, "blue": 0.7, "filled": 1.0, "thickness": 0.1}
HOUSE = (Path(__file__).parents[3] / "examples" / "house.grammar").read_text()


def shape(symbol: str, x: float, y: float, w: float, h: float, turn: float = 0.0) -> Observation:
    return Observation(symbol, (x, y), (w, h), turn, dict(LOOKS))


def lamp(bent: float = 0.0, high: float = 0.0) -> list[Observation]:
    """A foot, a pole and a shade, which the more the lamp is bent leans over; a high one is longer."""
    return [
        shape("square", 100, 150, 60, 16),
        shape("square", 100, 110 - 8 * high, 12, 60 + 16 * high),
        shape("triangle", 100 + 24 * bent, 60 + 6 * bent - 16 * high, 50, 40, 50 * bent),
    ]


def scene_of(*objects: Sequence[Observation]) -> Scene:
    shapes = [own for shapes in objects for own in shapes]
    return Scene(400, 400, [replace(own, depth=i) for i, own in enumerate(shapes)])


def nearly(scene: Scene, route: str = "lamp/1") -> Observation:
    """All shapes of a scene as an upright object that was nearly seen in them."""
    symbol = route.partition("/")[0]
    return Observation(symbol, (100.0, 100.0), (60.0, 120.0), route=route, parts=scene.axioms)


def taught(
    brain: Brain, shapes: list[Observation], name: str, value: float | None = None, route: str = "lamp/1"
) -> AttributeLesson:
    scene = scene_of(shapes)
    return brain.teach_attribute(scene, nearly(scene, route), name, value)


def shown(brain: Brain, shapes: list[Observation], name: str) -> float:
    (own,) = brain.see_again(scene_of(shapes)).axioms
    return own.attributes[name]


@pytest.fixture(scope="module")
def network() -> Network:
    """Knows the lamp, and that it may be bent."""
    old = learn(Network({}), scene_of(lamp()), "lamp", None).network
    scene = scene_of(lamp(bent=1.0))
    new = learn_attribute(old, scene, nearly(scene), "bent").network
    assert "bent" not in old.capsules["lamp"].names  # a lesson leaves the old network as it was
    return new


@pytest.fixture
def brain() -> Brain:
    """Knows the lamp."""
    brain = unrender.open()
    brain.teach(scene_of(lamp()), "lamp")
    return brain


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("brain") / "lamp.brain"
    with unrender.open(path) as brain:
        brain.teach(scene_of(lamp()), "lamp")
        taught(brain, lamp(bent=1.0), "bent")
    return path


@pytest.fixture
def path(file: Path, tmp_path: Path) -> Path:
    """The file of a brain that knows the lamp, and that it may be bent."""
    return Path(shutil.copy(file, tmp_path))


def test_an_attribute_is_found_on_lamps_that_were_not_shown(network: Network) -> None:
    for value in (0.0, 0.2, 0.35, 0.6, 0.8):
        shapes = transform(lamp(bent=value), (60.0, 20.0), 100.0 * value, 1.2, (100.0, 100.0))
        (own,) = network.understand(scene_of(shapes)).axioms
        assert own.attributes["bent"] == pytest.approx(value, abs=0.1)


def test_an_attribute_says_nothing_about_the_looks(network: Network) -> None:
    """A bent lamp of another colour is as bent as before."""
    red = [replace(own, attributes=own.attributes | {"green": 0.1, "blue": 0.1}) for own in lamp(bent=0.4)]
    (own,) = network.understand(scene_of(red)).axioms
    assert own.attributes["bent"] == pytest.approx(0.4, abs=0.1)
    assert own.attributes["green"] == pytest.approx(0.1, abs=0.01)


def test_two_attributes_are_told_apart(path: Path) -> None:
    brain = unrender.open(path)
    second = taught(brain, lamp(high=1.0), "high")
    assert second.new
    assert second.route.own == ("bent", "high")
    for bent, high in [(0.4, 0.1), (0.1, 0.4), (0.4, 0.4)]:
        assert shown(brain, lamp(bent, high), "bent") == pytest.approx(bent, abs=0.12)
        assert shown(brain, lamp(bent, high), "high") == pytest.approx(high, abs=0.12)


def test_what_was_taught_is_drawn(path: Path) -> None:
    with unrender.open(path) as brain:
        upright, bent = (brain.draw("lamp", position=(42, 42), size=(40, 70), bent=v) for v in (0.0, 0.8))
    assert (upright != bent).any()


def test_an_attribute_that_another_form_has_already_can_be_taught_of_this_one(brain: Brain) -> None:
    stool = [shape("circle", 60, 60, 60, 20), shape("square", 60, 90, 20, 40)]
    brain.teach(scene_of(stool), "lamp")
    taught(brain, lamp(bent=1.0), "bent")
    leaning = [stool[0], replace(stool[1], position=(64.0, 90.0), rotation=-8.0)]
    lesson = taught(brain, leaning, "bent", route="lamp/2")
    assert (lesson.route.name, lesson.new, lesson.value) == ("lamp/2", False, 1.0)
    assert shown(brain, leaning, "bent") == pytest.approx(1.0, abs=0.05)
    assert shown(brain, stool, "bent") == pytest.approx(0.0, abs=0.1)
    assert shown(brain, lamp(bent=0.5), "bent") == pytest.approx(0.5, abs=0.1)


def test_wholes_above_inherit_what_was_taught(brain: Brain) -> None:
    brain.teach(brain.see_again(scene_of(lamp(), [shape("circle", 250, 100, 60, 60)])), "nook")
    taught(brain, lamp(bent=1.0), "bent")
    assert "bent" in brain.knows("nook")
    (corner,) = brain.see_again(scene_of(lamp(), [shape("circle", 250, 100, 60, 60)])).axioms
    assert corner.symbol == "nook"
    assert corner.attributes["bent"] == pytest.approx(0.0, abs=0.05)


@pytest.mark.parametrize(
    ("name", "value", "match"),
    [
        ("lamp", None, "name of an object"),
        ("circle", None, "name of an object"),
        ("rotation", None, "where things stand"),
        ("b/d", None, "cannot name an attribute"),
        ("", None, "cannot name an attribute"),
        ("bent", 1.2, "between 0 and 1"),
        ("bent", float("inf"), "between 0 and 1"),
        ("bent", 0.0, "must show it"),
        ("red", 0.2, "comes from its parts"),
    ],
)
def test_what_cannot_be_an_attribute_or_its_value_is_one_clear_error(
    name: str, value: float | None, match: str, brain: Brain
) -> None:
    with pytest.raises(UnrenderError, match=match):
        taught(brain, lamp(), name, value)
    assert len(brain.lessons) == 1


def test_what_has_no_attributes_to_teach_is_one_clear_error(brain: Brain) -> None:
    scene = brain.see_again(scene_of(lamp()))
    (own,) = scene.axioms
    hidden = replace(own, parts=own.parts[:2])
    gone = replace(own, route="lamp/9")
    for node, match in [
        ("lamp", "belongs to an observation"),
        (scene.primitives[0], "is a primitive"),
        (hidden, "is hidden"),
        (gone, "not known any more"),
    ]:
        with pytest.raises(UnrenderError, match=match):
            brain.teach_attribute(scene, node, "bent")
    with pytest.raises(UnrenderError, match="another scene"):
        brain.teach_attribute(scene_of(lamp()), own, "bent")


def test_an_attribute_of_a_symbol_that_was_written_belongs_into_its_grammar() -> None:
    brain = unrender.open()
    brain.learn_grammar(HOUSE)
    route = brain.symbols["house"][0]
    parts = scene_of(route.memory[0].parts)
    house = replace(route.memory[0].whole, route=route.name, parts=parts.axioms)
    with pytest.raises(UnrenderError, match="written in a grammar"):
        brain.teach_attribute(parts, house, "bent")
    with pytest.raises(UnrenderError, match="written in a grammar"):
        brain.rename("wooden", "timber")


# other names


def test_a_taught_attribute_is_renamed_wherever_it_is(network: Network) -> None:
    both = scene_of(lamp(), [shape("circle", 250, 100, 60, 60)])
    above = learn(network, network.understand(both), "nook", None).network
    after = renamed_attribute(above, "bent", "crooked")
    for symbol in ("lamp", "nook"):
        names = above.capsules[symbol].names
        assert after.capsules[symbol].names == tuple("crooked" if n == "bent" else n for n in names)
    bent = scene_of(lamp(bent=0.1), [shape("circle", 250, 100, 60, 60)])
    was, now = above.understand(bent), after.understand(bent)
    assert [own.symbol for own in now.axioms] == ["nook"]
    for old, new in zip(was.observations, now.observations, strict=True):
        assert new.attributes.get("crooked") == old.attributes.get("bent")
        assert "bent" not in new.attributes
    assert "bent" in above.capsules["lamp"].names


def test_a_renamed_attribute_is_kept_and_can_be_taken_back(path: Path) -> None:
    with unrender.open(path) as brain:
        value = shown(brain, lamp(bent=0.3), "bent")
        brain.rename("bent", "crooked")
    with unrender.open(path) as brain:
        assert shown(brain, lamp(bent=0.3), "crooked") == value
        assert brain.lessons[-1].title == "bent is now called crooked"
        assert brain.undo().kind == "rename"
        assert shown(brain, lamp(bent=0.3), "bent") == value


def test_an_attribute_of_a_plain_route_is_renamed_too(network: Network) -> None:
    (known,) = network.capsules["lamp"].routes
    assert known.decoder is not None
    plain = replace(known, decoder=None, given=plain_of(known, known.decoder))
    after = renamed_attribute(with_route(network, plain), "bent", "crooked")
    (route,) = after.capsules["lamp"].routes
    assert isinstance(route.given, PlainDecoder)
    assert route.given.names == route.names
    assert "crooked" in route.names


@pytest.mark.parametrize(
    ("old", "new", "match"),
    [
        ("bent", "lamp", "name of an object"),
        ("bent", "square", "name of an object"),
        ("bent", "red", "an attribute already"),
        ("bent", "bent", "an attribute already"),
        ("bent", "width", "where things stand"),
        ("bent", "b/d", "cannot name an attribute"),
        ("red", "ruddy", "attribute of primitives"),
        ("cold", "warm", 'No object was taught an attribute "cold"'),
    ],
)
def test_names_that_are_taken_or_unknown_are_refused(
    old: str, new: str, match: str, network: Network
) -> None:
    with pytest.raises(UnrenderError, match=match):
        renamed_attribute(network, old, new)


def test_a_symbol_cannot_be_renamed_to_an_attribute(brain: Brain) -> None:
    for word in ("red", "thickness"):
        with pytest.raises(UnrenderError, match="is an attribute already"):
            brain.rename("lamp", word)
    with pytest.raises(UnrenderError, match=r"no symbol \[cold\]"):
        brain.rename("cold", "warm")


def test_where_two_objects_have_it_one_must_be_named(network: Network) -> None:
    table = [shape("square", 100, 60, 120, 12), shape("square", 100, 100, 16, 70)]
    two = learn(network, scene_of(table), "table", None).network
    scene = scene_of([table[0], replace(table[1], rotation=-6.0)])
    two = learn_attribute(two, scene, nearly(scene, "table/1"), "bent").network
    assert taught_of(two, "bent") == ["lamp", "table"]
    with pytest.raises(UnrenderError, match=r'\[lamp\] and \[table\] each have an attribute "bent"'):
        renamed_attribute(two, "bent", "crooked")
    with pytest.raises(UnrenderError, match='was not taught an attribute "cold"'):
        renamed_attribute(two, "cold", "warm", "table")
    after = renamed_attribute(two, "bent", "crooked", "table")
    assert taught_of(after, "bent") == ["lamp"]
    assert taught_of(after, "crooked") == ["table"]
    both = two.understand(scene_of(lamp(), transform(table, (180.0, 150.0))))
    assert [own.symbol for own in both.axioms] == ["lamp", "table"]
    above = learn(two, both, "room", None).network
    with pytest.raises(UnrenderError, match=r'\[room\] has "bent" from \[lamp\] too'):
        renamed_attribute(above, "bent", "crooked", "table")
