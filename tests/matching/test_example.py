"""What is taught is remembered as it was drawn: its lines are kept with the lesson."""

import json
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image, ImageDraw

import unrender
from unrender import Brain, Scene, UnrenderError
from unrender.capsules.recall import record_of, route_of
from unrender.memory import Store
from unrender.scene.line import Line

SMALL = 4000  # bytes


def lines(brain: Brain, name: str) -> tuple[Line, ...]:
    return brain.symbols[name][0].memory[0].lines


def written(*strokes: list[tuple[float, float]]) -> NDArray[np.uint8]:
    """Strokes, black on white and aliased."""
    image = Image.new("L", (120, 105), 255)
    for stroke in strokes:
        ImageDraw.Draw(image).line(stroke, 0, 3, "curve")
    return np.asarray(image)


TEE = written([(20, 20), (80, 16)], [(48, 18), (52, 85)])
ELL = written([(30, 12), (32, 82), (78, 86)])


def two(brain: Brain, apart: float = 60) -> NDArray[np.uint8]:
    """A disc with a square to its right."""
    picture = brain.draw("circle", position=(30, 40), size=(30, 30), red=0.9, canvas=(140, 80))
    return brain.draw("square", position=(30 + apart, 40), size=(24, 24), blue=0.9, canvas=picture)


def parts(scene: Scene, symbol: str) -> list[unrender.Observation]:
    return [own for own in scene.axioms if own.symbol == symbol]


@pytest.fixture
def brain() -> Brain:
    return unrender.open()


def test_the_lines_follow_the_strokes(brain: Brain) -> None:
    brain.teach(brain.see(TEE), "tee")
    points = np.concatenate([line.points for line in lines(brain, "tee")])
    rows, columns = np.floor(points[:, 1]).astype(int), np.floor(points[:, 0]).astype(int)
    assert (TEE[rows, columns] == 0).all()
    assert np.ptp(points, 0) == pytest.approx([60, 69], abs=4)


def test_a_brain_file_holds_them(tmp_path: Path) -> None:
    path = tmp_path / "letters.brain"
    with unrender.open(path) as brain:
        brain.teach(brain.see(TEE), "tee")
        brain.teach(brain.see(ELL), "ell")
        before = brain.classify(written([(20, 24), (84, 14)], [(50, 20), (46, 88)]))
    with unrender.open(path) as brain:
        assert brain.classify(written([(20, 24), (84, 14)], [(50, 20), (46, 88)])) == before
        assert before[0].symbol == "tee"
    with Store.open(path) as store:
        kept = [entry["lines"] for route in store.read().routes for entry in route.observations]
    assert [len(json.dumps(own)) < SMALL for own in kept] == [True, True]


def test_they_go_with_the_lesson_and_stay_with_the_name(brain: Brain) -> None:
    brain.teach(brain.see(TEE), "tee")
    points = lines(brain, "tee")[0].points
    brain.rename("tee", "letter")
    assert (lines(brain, "letter")[0].points == points).all()
    brain.undo()
    assert (lines(brain, "tee")[0].points == points).all()
    brain.undo()
    assert brain.classify(TEE) == []


def test_other_things_in_the_picture_are_not_kept(brain: Brain) -> None:
    scene = brain.see(two(brain))
    brain.teach(scene, "sun", parts(scene, "circle"))
    points = np.concatenate([line.points for line in lines(brain, "sun")])
    assert points.min(0) == pytest.approx([15, 25], abs=1)
    assert points.max(0) == pytest.approx([45, 55], abs=1)


def test_what_lies_behind_others_is_known_as_it_would_be_drawn(brain: Brain) -> None:
    scene = brain.see(two(brain, apart=20))
    brain.teach(scene, "sun", parts(scene, "circle"))
    assert lines(brain, "sun") == ()
    assert brain.classify(brain.draw("circle", size=(40, 40)))[0].agreement > 0.5


def test_what_was_edited_is_not_what_was_drawn(brain: Brain) -> None:
    scene = brain.see(two(brain))
    scene.edit("circle.1.width=60")
    brain.teach(scene, "pair")
    assert lines(brain, "pair") == ()


def test_every_example_counts(brain: Brain) -> None:
    """Of an object that was shown in two forms the nearer one tells."""
    corner = written([(30, 12), (32, 82), (78, 86)], [(70, 20), (90, 20)])
    for picture, name in ((ELL, "ell"), (TEE, "tee"), (corner, "ell")):
        brain.teach(brain.see(picture), name)
    assert sum(bool(entry.lines) for route in brain.symbols["ell"] for entry in route.memory) == 2
    best = brain.classify(written([(26, 14), (34, 80), (80, 84)], [(72, 22), (92, 18)]))[0]
    assert best.symbol == "ell"
    assert best.agreement > 0.5


@pytest.mark.parametrize(
    "bad", [[[0, 0, 1e300, 1]], [[0, 99, 1, 1]], [[0, 0, *range(4000)]], ["line"], [[0, 0, 1]]]
)
def test_lines_that_cannot_be_are_damage(brain: Brain, bad: list[object]) -> None:
    brain.teach(brain.see(TEE), "tee")
    record = record_of(brain.symbols["tee"][0])
    assert route_of(record, {}).memory[0].lines
    record.observations[0]["lines"] = bad
    with pytest.raises(UnrenderError, match="is damaged"):
        route_of(record, {})
