"""A brain: teach, see, draw, undo, and the file that remembers it all."""

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageDraw

import unrender
from unrender import Brain, Observation, Scene, UnrenderError
from unrender.learning.objects.augment import transform

LOOKS = {"red": 0.9, "green": 0.8, "blue": 0.7, "filled": 1.0, "thickness": 0.1}
SHIP = Path(__file__).parents[1] / "docs" / "pictures" / "ship.png"
HOUSE = Path(__file__).parents[1] / "examples" / "house.grammar"
TEACH_ROCKET = """
import sys, unrender
from unrender import Observation, Scene
looks = {"red": 0.5, "green": 0.5, "blue": 0.5, "filled": 1.0, "thickness": 0.1}
parts = [Observation("circle", (40.0, 40.0), (30.0, 30.0), 0.0, dict(looks), depth=0),
         Observation("triangle", (70.0, 40.0), (20.0, 20.0), 0.0, dict(looks), depth=1)]
with unrender.open(sys.argv[1]) as brain:
    brain.teach(Scene(100, 100, parts), "rocket")
"""


def shape(
    symbol: str, x: float, y: float, w: float, h: float, turn: float = 0.0, **looks: float
) -> Observation:
    return Observation(symbol, (x, y), (w, h), turn, LOOKS | looks)


def scene_of(shapes: Sequence[Observation], side: int = 200) -> Scene:
    return Scene(side, side, [replace(own, depth=i) for i, own in enumerate(shapes)])


def ship() -> list[Observation]:
    return [
        shape("square", 100, 100, 20, 50),
        shape("triangle", 100, 66, 20, 24, red=0.2),
        shape("circle", 108, 95, 10, 10, blue=0.3),
        shape("triangle", 84, 120, 14, 18, -20),
    ]


def rocket() -> list[Observation]:
    return [shape("circle", 40, 40, 30, 30), shape("triangle", 70, 40, 20, 20)]


def turned(parts: Sequence[Observation]) -> list[Observation]:
    return transform(parts, (9.0, -4.0), 63.0, 1.2, (100.0, 100.0))


def answers(brain: Brain) -> list[dict[str, Any]]:
    """All that a brain says about a few scenes, to the last digit."""
    asked = [ship(), turned(ship()), [*rocket(), *turned(ship())]]
    return [brain.understand(scene_of(shapes)).to_dict() for shapes in asked]


def symbols(brain: Brain, shapes: Sequence[Observation]) -> list[str]:
    return sorted(axiom.symbol for axiom in brain.understand(scene_of(shapes)).axioms)


@pytest.fixture
def brain() -> Brain:
    brain = unrender.open(":memory:")
    assert brain.teach(scene_of(ship()), "ship") == "ship/1"
    return brain


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "my.brain"


# through pixels


def picture(turn: float = 0.0, scale: float = 1.0, shift: tuple[float, float] = (0.0, 0.0)) -> np.ndarray:
    """A rocket drawn by Pillow: a body, a nose and a round window, around (60, 60)."""
    fine = 8
    image = Image.new("RGB", (120 * fine, 120 * fine), (15, 20, 45))
    pen = ImageDraw.Draw(image)
    a = np.radians(turn)
    R = scale * np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])

    def put(points: Sequence[tuple[float, float]], colour: tuple[int, int, int]) -> None:
        placed = np.array(points) @ R.T + np.array([60.0, 60.0]) + shift
        pen.polygon([tuple(p) for p in (placed * fine - 0.5).tolist()], fill=colour)

    put([(-12, -10), (12, -10), (12, 30), (-12, 30)], (200, 200, 210))
    put([(0, -40), (14, -13), (-14, -13)], (220, 60, 40))
    ring = np.linspace(0, 2 * np.pi, 120, endpoint=False)
    put([(20 + 6 * np.cos(t), 20 + 6 * np.sin(t)) for t in ring], (240, 200, 40))
    return np.asarray(image.resize((120, 120), Image.Resampling.BOX))


def test_an_object_taught_on_one_picture_is_seen_turned_and_larger_on_another() -> None:
    brain = unrender.open(":memory:")
    scene = brain.see(picture())
    assert len(scene.axioms) == 3
    brain.teach(scene, "rocket")
    (first,) = brain.see(picture()).axioms
    assert first.symbol == "rocket"
    assert abs(first.rotation) < 1e-6
    (own,) = brain.see(picture(50.0, 1.25, (5.0, -3.0))).axioms
    assert own.symbol == "rocket"
    assert own.rotation == pytest.approx(50, abs=1)
    assert [part.symbol for part in own.parts] == [part.symbol for part in first.parts]
    assert own.mask.sum() == pytest.approx(1.25**2 * first.mask.sum(), rel=0.03)


def test_a_taught_object_is_drawn_as_it_was_seen() -> None:
    brain = unrender.open(":memory:")
    scene = brain.see(picture())
    brain.teach(scene, "rocket")
    (own,) = brain.understand(scene).axioms
    drawn = brain.draw(
        "rocket",
        position=own.position,
        size=own.size,
        canvas=np.broadcast_to(scene.background, (120, 120, 3)).copy(),
    )
    assert np.abs(drawn.astype(float) - picture()).mean() < 2


def test_the_lesson_of_the_readme_may_be_repeated(path: Path) -> None:
    with unrender.open(path) as brain:
        assert brain.teach(brain.see(SHIP), "ship") == "ship/1"
        assert brain.teach(brain.see(SHIP), "ship") == "ship/1"
        assert [lesson.kind for lesson in brain.lessons] == ["teach"]
        (route,) = brain.symbols["ship"]
        assert len(route.memory) == 1


# drawing and masks


def test_drawing_follows_position_size_and_rotation(brain: Brain) -> None:
    (own,) = brain.understand(scene_of(turned(ship()))).axioms
    drawn = brain.draw(
        "ship",
        position=own.position,
        size=own.size,
        rotation=own.rotation,
        canvas=(200, 200),
        **own.attributes,
    )
    assert np.abs(drawn.astype(float) - scene_of(turned(ship())).image).mean() < 0.5


def test_a_restyled_object_is_drawn_in_that_style(brain: Brain) -> None:
    plain, green = brain.draw("ship"), brain.draw("ship", red=0.0, green=1.0, blue=0.0)
    shown = green.any(-1)
    assert plain[..., 0][shown].mean() > 120
    assert green[..., 0][shown].mean() < 60
    assert green[..., 1][shown].mean() > 180


def test_the_mask_of_an_object_is_that_of_its_parts_together(brain: Brain) -> None:
    (own,) = brain.understand(scene_of(turned(ship()))).axioms
    together = np.logical_or.reduce([part.mask for part in own.parts])
    assert together.sum() > 500
    assert (own.mask >= together).all()
    assert (own.mask & ~together).sum() < 0.03 * together.sum()  # seams, where two parts share a pixel


def test_understanding_a_scene_changes_no_pixel_of_it(brain: Brain) -> None:
    scene = scene_of([*turned(ship()), shape("square", 100, 90, 30, 30, red=0.1)])
    before = scene.image.copy()
    understood = brain.understand(scene)
    assert "ship" in [axiom.symbol for axiom in understood.axioms]
    assert np.array_equal(understood.image, before)
    assert np.array_equal(scene.image, before)


def test_a_scene_may_be_understood_again_when_more_is_known(brain: Brain) -> None:
    scene = brain.understand(scene_of([*ship(), *transform(rocket(), (10.0, 100.0))]))
    brain.teach(scene, "pair", [axiom for axiom in scene.axioms if not axiom.parts])
    assert sorted(axiom.symbol for axiom in brain.understand(scene).axioms) == ["pair", "ship"]


# the file


def test_what_was_taught_is_known_after_the_file_is_opened_again(path: Path) -> None:
    with unrender.open(path) as brain:
        brain.teach(scene_of(rocket()), "rocket")
        brain.teach(scene_of(ship()), "ship")
        before = answers(brain)
        drawn, grammar = brain.draw("ship", rotation=20.0), str(brain.grammar)
    with unrender.open(path) as brain:
        assert answers(brain) == before
        assert np.array_equal(brain.draw("ship", rotation=20.0), drawn)
        assert str(brain.grammar) == grammar
        assert [lesson.kind for lesson in brain.lessons] == ["teach", "teach"]


def test_lessons_say_what_was_taught(brain: Brain) -> None:
    brain.teach(scene_of(rocket()), "rocket")
    brain.rename("rocket", "missile")
    brain.forget("missile")
    titles = [lesson.title for lesson in brain.lessons]
    assert [lesson.kind for lesson in brain.lessons] == ["teach", "teach", "rename", "forget"]
    assert "rocket" in titles[1]
    assert "circle" in titles[1]
    assert "missile" in titles[2]


@pytest.mark.parametrize("lesson", ["teach", "again", "grammar", "rename", "forget"])
def test_undo_takes_back_any_lesson_exactly(path: Path, lesson: str) -> None:
    with unrender.open(path) as brain:
        brain.teach(scene_of(ship()), "ship")
        before, grammar, count = answers(brain), str(brain.grammar), len(brain.lessons)
        if lesson == "teach":
            brain.teach(scene_of(rocket()), "rocket")
            assert answers(brain) != before
        elif lesson == "again":
            assert brain.teach(scene_of(turned(ship())), "ship") == "ship/1"
        elif lesson == "grammar":
            brain.learn_grammar(HOUSE.read_text())
            assert str(brain.grammar) != grammar
        elif lesson == "rename":
            brain.rename("ship", "boat")
            assert answers(brain) != before
        else:
            brain.forget("ship")
            assert answers(brain) != before
        assert len(brain.lessons) == count + 1
        assert brain.undo().kind == ("teach" if lesson == "again" else lesson)
        assert answers(brain) == before
        assert str(brain.grammar) == grammar
        assert len(brain.lessons) == count
    with unrender.open(path) as brain:
        assert answers(brain) == before


def test_all_lessons_can_be_undone_one_after_the_other(brain: Brain) -> None:
    brain.teach(scene_of(rocket()), "rocket")
    brain.rename("ship", "boat")
    for kind in ("rename", "teach", "teach"):
        assert brain.undo().kind == kind
    assert brain.lessons == ()
    assert symbols(brain, ship()) == sorted(part.symbol for part in ship())
    with pytest.raises(UnrenderError, match="no lesson to undo"):
        brain.undo()


def two_levels(brain: Brain) -> list[Observation]:
    """[station] is made of a ship and a circle."""
    shapes = [*ship(), shape("circle", 150, 60, 30, 30)]
    brain.teach(brain.understand(scene_of(shapes)), "station")
    return shapes


def test_what_others_are_made_of_cannot_be_forgotten_before_them(brain: Brain) -> None:
    shapes = two_levels(brain)
    with pytest.raises(UnrenderError, match=r"\[ship\] is a part of \[station\]"):
        brain.forget("ship")
    assert symbols(brain, shapes) == ["station"]
    brain.forget("station")
    brain.forget("ship")
    assert "ship" not in symbols(brain, shapes)


def test_a_new_name_is_used_everywhere(path: Path) -> None:
    with unrender.open(path) as brain:
        brain.teach(scene_of(ship()), "ship")
        shapes = two_levels(brain)
        brain.rename("ship", "boat")
        (top,) = brain.understand(scene_of(shapes)).axioms
        assert [part.symbol for part in top.parts] == ["boat", "circle"]
        assert top.parts[0].route == "boat/1"
        assert brain.draw("boat").any()
        assert "[boat]" in str(brain.grammar)
        assert "ship" not in str(brain.grammar)
        with pytest.raises(UnrenderError, match=r"\[ship\]"):
            brain.draw("ship")
    with unrender.open(path) as brain:
        (top,) = brain.understand(scene_of(shapes)).axioms
        assert [part.symbol for part in top.parts] == ["boat", "circle"]


def test_another_process_teaches_and_this_one_knows_it_without_reopening(path: Path) -> None:
    with unrender.open(path) as brain:
        brain.teach(scene_of(ship()), "ship")
        assert "rocket" not in symbols(brain, rocket())
        done = subprocess.run(
            [sys.executable, "-c", TEACH_ROCKET, str(path)],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert symbols(brain, rocket()) == ["rocket"]
        assert symbols(brain, ship()) == ["ship"]
        assert len(brain.lessons) == 2


# bad input


def bad_lessons() -> list[tuple[str, str]]:
    return [
        ("", "name"),
        ("circle", "primitive"),
        ("a]b", "name"),
        ("red", "is an attribute already"),
        ("width", "is an attribute already"),
        ("damaged", "is an attribute already"),
    ]


@pytest.fixture(scope="module")
def two_lessons(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The file of a brain that knows a ship, and how a damaged one looks."""
    path = tmp_path_factory.mktemp("lessons") / "my.brain"
    with unrender.open(path) as brain:
        brain.teach(scene_of(ship()), "ship")
        seen = brain.understand(scene_of(ship()))
        brain.teach_attribute(seen, seen.axioms[0], "damaged")
    return path.read_bytes()


@pytest.mark.parametrize(("name", "says"), bad_lessons())
def test_a_lesson_with_a_bad_name_is_refused_and_nothing_changes(
    path: Path, two_lessons: bytes, name: str, says: str
) -> None:
    path.write_bytes(two_lessons)
    with unrender.open(path) as brain:
        before = answers(brain)
        with pytest.raises(UnrenderError, match=says):
            brain.teach(scene_of(rocket()), name)
        assert answers(brain) == before
        assert len(brain.lessons) == 2
    with unrender.open(path) as brain:
        assert answers(brain) == before


def test_bad_parts_are_refused_and_nothing_changes(brain: Brain) -> None:
    before = answers(brain)
    scene, other = scene_of(rocket()), scene_of(rocket())
    seen = brain.understand(scene_of([*ship(), *transform(rocket(), (10.0, 100.0))]))
    own = next(axiom for axiom in seen.axioms if axiom.symbol == "ship")
    loose = next(axiom for axiom in seen.axioms if not axiom.parts)
    with pytest.raises(UnrenderError, match="another scene"):
        brain.teach(scene, "rocket", other.axioms)
    with pytest.raises(UnrenderError, match="at least one part"):
        brain.teach(scene, "rocket", [])
    with pytest.raises(UnrenderError, match="at least one part"):
        brain.teach(Scene(10, 10, []), "rocket")
    with pytest.raises(UnrenderError, match="twice"):
        brain.teach(scene, "rocket", [scene.axioms[0], scene.axioms[0]])
    with pytest.raises(UnrenderError, match="inside another"):
        brain.teach(seen, "rocket", [own, own.parts[0]])
    with pytest.raises(UnrenderError, match="part of itself"):
        brain.teach(seen, "ship", [own, loose])
    with pytest.raises(UnrenderError, match="observation"):
        brain.teach(scene, "rocket", ["circle"])  # type: ignore[list-item]
    with pytest.raises(UnrenderError, match='no route "ship/7"'):
        brain.teach(scene_of(ship()), "ship", route="ship/7")
    with pytest.raises(UnrenderError, match="has the parts"):
        brain.teach(scene, "ship", route="ship/1")
    assert answers(brain) == before
    assert len(brain.lessons) == 1


def test_a_cycle_over_two_levels_is_refused(brain: Brain) -> None:
    shapes = two_levels(brain)
    scene = brain.understand(scene_of([*shapes, shape("square", 30, 30, 20, 20)]))
    with pytest.raises(UnrenderError, match=r"\[ship\] would be a part of itself"):
        brain.teach(scene, "ship")


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"wooden": 1.0}, 'no attribute "wooden"'),
        ({"size": (0, 20)}, "above 0"),
        ({"size": (20, -1)}, "above 0"),
        ({"size": (1e-300, 1e-300)}, "above 0"),
        ({"size": (1e300, 1e300)}, "between -1000000 and 1000000"),
        ({"position": (1e300, 0)}, "between -1000000 and 1000000"),
        ({"rotation": 10**400}, "number"),
        ({"size": 20}, "pair"),
        ({"position": "left"}, "pair"),
        ({"rotation": float("nan")}, "number"),
        ({"red": 1.5}, "between 0 and 1"),
    ],
)
def test_an_object_cannot_be_drawn_with_bad_attributes(
    brain: Brain, given: dict[str, Any], says: str
) -> None:
    with pytest.raises(UnrenderError, match=says):
        brain.draw("ship", **given)


def test_unknown_names_are_refused(brain: Brain) -> None:
    for ask in (brain.draw, brain.forget, lambda name: brain.rename(name, "boat")):
        with pytest.raises(UnrenderError, match=r"\[shpi\].*ship"):
            ask("shpi")
    brain.teach(scene_of(rocket()), "rocket")
    for taken in ("ship", "circle", "", "a]b"):
        with pytest.raises(UnrenderError):
            brain.rename("rocket", taken)
    assert symbols(brain, rocket()) == ["rocket"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[red] -> [circle]", '"red" is an attribute already'),
        ("attribute ship: adjective\n[lamp] has ship\n[lamp] -> [circle]", '"ship" is the name of an object'),
        ("attribute lamp: adjective\n[lamp] has lamp\n[lamp] -> [circle]", '"lamp" is an attribute already'),
    ],
)
def test_a_grammar_may_not_use_one_word_for_two_things(brain: Brain, text: str, says: str) -> None:
    with pytest.raises(UnrenderError, match=says):
        brain.learn_grammar(text)
    assert set(brain.symbols) == {"ship"}


def test_a_grammar_with_an_error_teaches_nothing(brain: Brain) -> None:
    before = str(brain.grammar)
    for text in (
        "",
        "[house] -> [nothing]",
        "[circle] -> [circle] [square]",
        "[a] -> [b]\n[b] -> [a]",
        "hello",
    ):
        with pytest.raises(UnrenderError):
            brain.learn_grammar(text)
    assert str(brain.grammar) == before
    assert len(brain.lessons) == 1
