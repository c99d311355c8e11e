"""Objects of the asteroid world as hand-built scenes, without pixels, and a brain that knows the ship."""

import shutil
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

import unrender
from unrender import Brain, Observation, Scene
from unrender.learning.objects.augment import transform
from unrender.worlds.blueprints import BLUEPRINTS

Build = Callable[..., list[Observation]]
Show = Callable[..., Scene]


def built(
    name: str = "ship",
    form: int = 0,
    at: tuple[float, float] = (100.0, 100.0),
    turn: float = 0.0,
    scale: float = 2.0,
    **values: float,
) -> list[Observation]:
    """The shapes of one white object with these variants: built("ship", damaged=0.5)."""
    blueprint = BLUEPRINTS[name][form]
    pieces = blueprint.altered(list(blueprint.pieces), values)
    return transform([piece.observed((1.0, 1.0, 1.0)) for piece in pieces], at, turn, scale)


def shown(*objects: Sequence[Observation], side: int = 500) -> Scene:
    """A scene of shapes, as `see` gives it to a brain that knows no objects."""
    shapes = [shape for own in objects for shape in own]
    return Scene(side, side, [replace(shape, depth=i) for i, shape in enumerate(shapes)])


@pytest.fixture
def build() -> Build:
    return built


@pytest.fixture
def show() -> Show:
    return shown


@pytest.fixture(scope="session")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Brain files to copy: one that knows the ship upright, and one that knows it damaged too."""
    folder = tmp_path_factory.mktemp("brains")
    with unrender.open(folder / "ship.brain") as brain:
        brain.teach(shown(built()), "ship")
    shutil.copy(folder / "ship.brain", folder / "damaged.brain")
    with unrender.open(folder / "damaged.brain") as brain:
        brain.answer(brain.see_again(shown(built(damaged=1.0))).question, "damaged", cause="B.2")
    return {path.stem: path for path in folder.glob("*.brain")}


@pytest.fixture
def brain(files: dict[str, Path], tmp_path: Path) -> Iterator[Brain]:
    """Knows the ship, from an example that stands upright."""
    with unrender.open(shutil.copy(files["ship"], tmp_path / "ship.brain")) as brain:
        yield brain


@pytest.fixture
def shipwright(files: dict[str, Path], tmp_path: Path) -> Iterator[Brain]:
    """Knows from a second example, by an answer, that a ship may be damaged."""
    with unrender.open(shutil.copy(files["damaged"], tmp_path / "damaged.brain")) as brain:
        yield brain
