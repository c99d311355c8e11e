"""A brain that knows a ship, pictures to look at, and the command itself."""

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PIL import Image

import unrender
from unrender import Observation, Scene
from unrender.cli import main

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"

Run = Callable[..., int]


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path) -> Iterator[None]:
    """Commands run in a folder of their own, where no brain is lying about."""
    with contextlib.chdir(tmp_path):
        yield


@pytest.fixture
def run() -> Run:
    """The exit code of `unrender` with these words."""

    def command(*words: str | Path) -> int:
        with pytest.raises(SystemExit) as ended:
            main([str(word) for word in words])
        assert isinstance(ended.value.code, int)
        return ended.value.code

    return command


@pytest.fixture(scope="session")
def taught(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The file of a brain that has been taught a ship."""
    path = tmp_path_factory.mktemp("taught") / "ship.brain"
    with unrender.open(path) as brain:
        brain.teach(brain.see(PICTURES / "ship.png"), "ship")
    return path.read_bytes()


@pytest.fixture
def brain(taught: bytes, tmp_path: Path) -> Path:
    """Such a brain, to be changed at will."""
    path = tmp_path / "ship.brain"
    path.write_bytes(taught)
    return path


@pytest.fixture(scope="session")
def ship() -> Path:
    """A picture of one ship."""
    return PICTURES / "ship.png"


def drawn(x: float = 68.0) -> Scene:
    """A yellow square on the left and a blue ring at x, far apart: nobody can miss them."""
    yellow = {"red": 1.0, "green": 0.8, "blue": 0.0, "filled": 1.0, "thickness": 0.0}
    ring = {"red": 0.2, "green": 0.4, "blue": 1.0, "filled": 0.0, "thickness": 0.15}
    axioms = [
        Observation("circle", (x, 32.0), (30.0, 30.0), 0.0, ring, depth=0),
        Observation("square", (22.0, 30.0), (26.0, 22.0), 20.0, yellow, depth=1),
    ]
    return Scene(96, 64, axioms, (10, 12, 20))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with two pictures, one of them further down."""
    folder = tmp_path / "frames"
    (folder / "more").mkdir(parents=True)
    Image.fromarray(drawn(66).image).save(folder / "one.png")
    Image.fromarray(drawn(70).image).save(folder / "more" / "two.png")
    return folder
