"""Brains that earlier versions made, each in the format of its day, open and know all that they knew."""

import json
import math
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

import unrender
from unrender import Scene
from unrender.grammar.attribute import STROKE_NAMES
from unrender.memory import Store
from unrender.memory.layout import SCHEMA

FIXTURES = Path(__file__).parent / "fixtures"
KEPT = sorted(int(path.stem.removeprefix("brain-")) for path in FIXTURES.glob("brain-*.brain"))


@pytest.fixture(params=KEPT)
def kept(request: pytest.FixtureRequest) -> int:
    """The format of a brain that was kept."""
    return int(request.param)


@pytest.fixture
def path(kept: int, tmp_path: Path) -> Path:
    """A copy of it."""
    return Path(shutil.copy(FIXTURES / f"brain-{kept}.brain", tmp_path / "old.brain"))


@pytest.fixture
def known(kept: int) -> dict[str, Any]:
    """What was written down about it when it was made."""
    return dict(json.loads((FIXTURES / f"known-{kept}.json").read_text(encoding="utf-8")))


def test_a_brain_of_every_format_is_kept() -> None:
    """After a change of the format, run fixtures/make.py and keep what it makes."""
    assert list(range(1, SCHEMA + 1)) == KEPT


def test_it_knows_what_it_knew(path: Path, known: dict[str, Any]) -> None:
    with unrender.open(path) as brain:
        routes = {route.name: route for own in brain.symbols.values() for route in own}
        assert {name: [r.name for r in own] for name, own in brain.symbols.items()} == known["symbols"]
        assert {name: list(route.parts) for name, route in routes.items()} == known["parts"]
        assert {name: len(route.memory) for name, route in routes.items()} == known["examples"]
        since = ("corner", *(STROKE_NAMES if known["format"] < 3 else ()))  # what primitives had not yet then
        inherited = dict.fromkeys(brain.symbols, since)
        attributes = {name: brain.knows(name) or () for name in brain.symbols}
        assert known["attributes"] == {
            name: [own for own in attributes[name] if own not in inherited[name]] for name in brain.symbols
        }
        assert all(set(STROKE_NAMES) < set(names) for names in attributes.values())
        assert [[lesson.kind, lesson.title] for lesson in brain.lessons] == known["lessons"]
        assert {name: list(row) for name, row in brain.matrix.rows.items()} == known["matrix"]
    with Store.open(path) as store:
        records = store.read().records
    assert sorted(records["declined"]) == known["declined"]
    assert [body["answer"] for body in records["question"].values()] == known["answers"]


@pytest.fixture(scope="module")
def seen() -> Scene:
    """The shapes of the picture, which are the same for every brain."""
    return unrender.open().see(FIXTURES / "picture.png")


def test_it_sees_what_it_saw(path: Path, seen: Scene, known: dict[str, Any]) -> None:
    with unrender.open(path) as brain:
        axioms = {node.symbol: node for node in brain.see_again(seen).axioms}
    assert sorted(axioms) == sorted(node["symbol"] for node in known["seen"])
    for node in known["seen"]:
        found = axioms[node["symbol"]]
        assert (found.route, sorted(part.symbol for part in found.parts)) == (
            node["route"],
            sorted(node["parts"]),
        )
        assert found.position == pytest.approx(node["position"], abs=1.0)
        assert found.size == pytest.approx(node["size"], abs=2.0)
        assert abs((found.rotation - node["rotation"] + 180) % 360 - 180) < 3.0
        assert found.attributes.get("broken", 0.0) == pytest.approx(node["broken"], abs=0.1)


def test_it_finds_what_it_draws_and_learns_on(path: Path) -> None:
    with unrender.open(path) as brain:
        scene = brain.see(brain.draw("house", size=(50, 50), position=(42, 42), red=1.0, wooden=1.0))
        assert [node.symbol for node in scene.axioms] == ["house"]
        brain.teach(scene, "home")
        brain.rename("house", "hut")
        assert [part.symbol for part in brain.symbols["home"][0].memory[0].parts] == ["hut"]


def test_all_of_its_lessons_can_still_be_undone(path: Path, known: dict[str, Any]) -> None:
    with unrender.open(path) as brain:
        undone = [[lesson.kind, lesson.title] for lesson in (brain.undo() for _ in known["lessons"])]
        assert undone == known["lessons"][::-1]
        assert brain.lessons == ()
        assert brain.symbols == {}


def test_what_a_brain_of_the_first_version_found_it_still_finds(tmp_path: Path) -> None:
    """Ships and asteroids taught by the first version, and what it found in ten pictures of its own."""
    path = shutil.copy(FIXTURES / "asteroids-2.brain", tmp_path / "old.brain")
    told = json.loads((FIXTURES / "asteroids.json").read_text(encoding="utf-8"))
    with Image.open(FIXTURES / "asteroids.png") as strip:
        pictures = np.split(np.asarray(strip.convert("RGB")), strip.height // told["height"])
    wanted = found = 0
    with unrender.open(path) as brain:
        for picture, known in zip(pictures, told["found"], strict=True):
            seen = brain.see(picture).axioms
            wanted += len(known)
            found += sum(
                any(node.symbol == symbol and math.dist(node.position, (x, y)) < 1.5 for node in seen)
                for symbol, x, y in known
            )
    assert wanted > 15
    assert found >= 0.98 * wanted
