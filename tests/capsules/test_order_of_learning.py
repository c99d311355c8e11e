"""Of more known forms than can be tried, those that were learned last are: also after the file was closed."""

import shutil
from pathlib import Path

import pytest

import unrender
from unrender import Observation, Scene
from unrender.capsules.network import Network
from unrender.capsules.recall import network_of
from unrender.memory import Store

KEPT = Path(__file__).parents[1] / "memory" / "fixtures" / "brain-2.brain"
LOOKS = {"red": 0.9, "green": 0.1, "blue": 0.2, "filled": 1.0, "thickness": 0.0}
COUNT = 6
NAMES = [f"{chr(ord('z') - i)} form" for i in range(COUNT)]  # learned against the alphabet


def cross(width: float, height: float) -> Scene:
    """Two bars of one colour."""
    bars = [(width, 12.0), (12.0, height)]
    shapes = [
        Observation("square", (60.0, 60.0), bar, 0.0, dict(LOOKS), depth=i) for i, bar in enumerate(bars)
    ]
    return Scene(120, 120, shapes)


def network(path: Path) -> Network:
    with Store.open(path) as store:
        return network_of(store.read())


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("brains") / "my.brain"
    with unrender.open(path) as brain:
        for i, name in enumerate(NAMES):
            brain.teach(cross(30.0 + 2 * i, 60.0 - i), name)
        brain.teach(cross(30.5, 60.0), NAMES[0])  # one more example is not news
        brain.rename(NAMES[-1], "aaa")
    return path


def test_what_was_learned_last_is_looked_for_first(path: Path) -> None:
    latest = ["aaa", *NAMES[-2::-1]]
    assert [own.primitive.name for own in network(path).known_shapes] == latest
    with Store.open(path) as store, Store.holding(store.read()) as other:  # as other machines get it
        assert [own.primitive.name for own in network_of(other.read()).known_shapes] == latest


def test_a_brain_that_did_not_keep_the_order_knows_it_by_its_rows(tmp_path: Path) -> None:
    with Store.open(shutil.copy(KEPT, tmp_path / "old.brain")) as store:
        snapshot = store.read()
    known = network_of(snapshot)
    order = sorted(known.routes, key=lambda route: route.learned)
    assert [route.name for route in order] != [route.name for route in known.routes]
    rows = {f"{record.symbol}/{record.number}": record.row for record in snapshot.routes}
    assert [rows[route.name] for route in order] == sorted(rows.values())
    assert known.next_learned > max(rows.values())
