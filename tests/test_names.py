"""Names may be words of any language, of at most 64 characters, wherever they are given."""

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

import unrender
from unrender import Answer, Brain, Grammar, Observation, Scene, UnrenderError
from unrender.memory import Store, SymbolRecord
from unrender.names import LONGEST, check_name

LOOKS = {"red": 0.9, "green": 0.8, "blue": 0.7, "filled": 1.0, "thickness": 0.1}
WORDS = ["船", "kék hajó", "корабль", "हिन्दी", "سفينة", "belt-scene", "Ärger_2", "한글 배", "a" * LONGEST]
Give = Callable[[Brain, str], object]
TOO_LONG = "a" * (LONGEST + 1)


def shape(symbol: str, x: float, y: float, w: float, h: float) -> Observation:
    return Observation(symbol, (x, y), (w, h), 0.0, dict(LOOKS))


def scene_of(shapes: Sequence[Observation]) -> Scene:
    return Scene(200, 200, [replace(own, depth=i) for i, own in enumerate(shapes)])


LAMP = [shape("square", 60, 100, 30, 10), shape("triangle", 66, 60, 30, 30), shape("circle", 90, 60, 9, 9)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "my.brain"


@pytest.mark.parametrize("word", WORDS)
def test_an_object_may_be_called_anything_that_has_letters(word: str, path: Path) -> None:
    with unrender.open(path) as brain:
        assert brain.teach(scene_of(LAMP), word) == f"{word}/1"
        text = str(brain.grammar)
        assert str(Grammar.parse(text)) == text
    with unrender.open(path) as brain:
        scene = brain.see_again(scene_of(LAMP))
        assert [axiom.symbol for axiom in scene.axioms] == [word]
        assert scene.ask(f"how many {word.replace('_', ' ').replace('-', ' ')} are there?").value == 1
        assert scene.edit(f"{word}.1.x+=10") == [f"{word}.1"]
        assert word.replace("-", " ").replace("_", " ") in scene.describe()
        assert brain.draw(word).any()
        brain.rename(word, "lámpa")
        brain.forget("lámpa")
        assert brain.symbols == {}


def bent(scene: Scene, symbol: str = "lamp") -> Observation:
    """All shapes of a scene as an upright lamp that was nearly seen in them."""
    return Observation(symbol, (70.0, 75.0), (50.0, 65.0), route=f"{symbol}/1", parts=scene.axioms)


BENT = [*LAMP[:2], shape("circle", 96, 74, 9, 9)]


@pytest.mark.parametrize("word", ["törött", "very old", "सुन्दर", "has"])
def test_an_attribute_may_be_called_so_too(word: str, path: Path) -> None:
    with unrender.open(path) as brain:
        brain.teach(scene_of(LAMP), "lamp")
        scene = scene_of(BENT)
        brain.teach_attribute(scene, bent(scene), word)
        text = str(brain.grammar)
        assert str(Grammar.parse(text)) == text
        drawn = Grammar.parse(text).draw("lamp", {word: 1.0}, canvas=(90, 90))
        assert (drawn != Grammar.parse(text).draw("lamp", {word: 0.0}, canvas=(90, 90))).any()
    with unrender.open(path) as brain:
        (lamp,) = brain.see_again(scene_of(BENT)).axioms
        assert lamp.attributes[word] > 0.8
        brain.rename(word, "módosított", of="lamp")
        assert "módosított" in (brain.knows("lamp") or ())


def test_what_looks_the_same_is_the_same_name(path: Path) -> None:
    one, other = (unicodedata.normalize(form, "kék hajó") for form in ("NFC", "NFD"))
    assert one != other
    with unrender.open(path) as brain:
        assert brain.teach(scene_of(LAMP), other) == f"{one}/1"
        assert brain.teach(scene_of(LAMP), one) == f"{one}/1"
        assert list(brain.symbols) == [one]
        assert brain.knows(other) is not None
        assert brain.draw(other).any()
        assert brain.see_again(scene_of(LAMP)).ask(f"is there a {other}?").value is True
        brain.learn_grammar(unicodedata.normalize("NFD", "[ház] -> [circle] [square]"))
        brain.rename(unicodedata.normalize("NFD", "ház"), "home")
        brain.forget("home")
        brain.forget(other)
        assert brain.symbols == {}


@pytest.mark.parametrize(
    "word",
    [
        *("", " ship", "ship ", "a  b", "a\nb", "a\tb", "a\0b", "a\x1bb", "\u202eabc", "a\u200bb"),
        *("7", "ship!", "\ud800", "🚀", "a/b", "a.b", "a+b"),
    ],
)
def test_what_is_no_word_is_no_name(word: str) -> None:
    with pytest.raises(UnrenderError, match="cannot name a symbol: use letters"):
        check_name(word, "symbol")


def answered(brain: Brain, name: str) -> None:
    scene = brain.see_again(scene_of([*LAMP, shape("circle", 150, 150, 20, 20)]))
    brain.answer(brain.ask_about(scene, scene.axioms), Answer(name))


def attribute_taught(brain: Brain, name: str) -> None:
    scene = scene_of(BENT)
    brain.teach_attribute(scene, bent(scene), name)


@pytest.fixture(scope="module")
def lamps() -> Brain:
    """Knows the lamp, and that it may be bent."""
    brain = unrender.open()
    brain.teach(scene_of(LAMP), "lamp")
    attribute_taught(brain, "bent")
    return brain


@pytest.mark.parametrize("name", [TOO_LONG, "a" * 100_000, "船" * (LONGEST + 1)])
@pytest.mark.parametrize(
    "give",
    [
        lambda brain, name: brain.teach(scene_of(LAMP), name),
        lambda brain, name: brain.rename("lamp", name),
        lambda brain, name: brain.rename("bent", name),
        lambda brain, name: brain.learn_grammar(f"[{name}] -> [circle]"),
        lambda brain, name: brain.learn_grammar(f"attribute {name}: verb\n[c] has {name}\n[c] -> [circle]"),
        lambda brain, name: brain.learn_grammar(f'[c] -> [circle] as style "{name}"'),
        attribute_taught,
        answered,
    ],
)
def test_a_name_has_at_most_64_characters(lamps: Brain, give: Give, name: str) -> None:
    says = rf"at most {LONGEST} characters, and .* has {len(name)}; choose a shorter one"
    with pytest.raises(UnrenderError, match=says) as told:
        give(lamps, name)
    assert len(str(told.value)) < 200
    assert list(lamps.symbols) == ["lamp"]
    assert len(lamps.lessons) == 2


def test_a_brain_that_holds_a_longer_name_still_opens(path: Path) -> None:
    with unrender.open(path) as brain:
        brain.teach(scene_of(LAMP), "lamp")
        brain.learn_grammar("[pole] -> [square]")
    with Store.open(path) as store:
        lamp, pole = store.read().routes
        with store.lesson("teach", "as earlier versions did") as lesson:
            for old, name in ((lamp, TOO_LONG), (pole, f"{TOO_LONG}b")):
                lesson.put_symbol(SymbolRecord(name, tuple(LOOKS)))
                given = None if old.given is None else old.given.replace("pole", name)
                lesson.put_route(replace(old, symbol=name, given=given))
    with unrender.open(path) as brain:
        assert sorted(brain.symbols) == [TOO_LONG, f"{TOO_LONG}b", "lamp", "pole"]
        brain.rename(TOO_LONG, "light")
        brain.rename(f"{TOO_LONG}b", "stick")
        assert sorted(brain.symbols) == ["lamp", "light", "pole", "stick"]
