"""Of more known forms than can be tried, those that were learned last are: also after the file was closed."""

import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

import unrender
from unrender import Observation, Scene
from unrender.capsules import merged
from unrender.capsules.experience import Entry
from unrender.capsules.network import MOST_SEEN, Network
from unrender.capsules.recall import network_of
from unrender.capsules.route import Route
from unrender.memory import Store

KEPT = Path(__file__).parents[1] / "memory" / "fixtures" / "brain-2.brain"
LOOKS = {"red": 0.9, "green": 0.1, "blue": 0.2, "filled": 1.0, "thickness": 0.0}
COUNT = MOST_SEEN + 3
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


def test_the_silhouettes_are_those_of_what_was_learned_last(path: Path) -> None:
    latest = [*NAMES[-MOST_SEEN:-1], "aaa"]
    assert [own.name for own in network(path).silhouettes] == sorted(latest)
    with Store.open(path) as store, Store.holding(store.read()) as other:  # as other machines get it
        assert [own.name for own in network_of(other.read()).silhouettes] == sorted(latest)


def grown(route: Route, factor: float) -> Route:
    """The same route, taught by a larger example."""

    def larger(node: Observation) -> Observation:
        x, y = (factor * value for value in node.position)
        return replace(node, position=(x, y), size=(factor * node.size[0], factor * node.size[1]))

    (example,) = route.memory[:1]
    return replace(route, memory=(Entry(tuple(map(larger, example.parts)), larger(example.whole)),))


def keys(routes: Sequence[Route]) -> set[bytes]:
    return {form.boxes.round(1).tobytes() for form in merged.solid_forms(routes)}


def test_the_forms_that_fill_patches_are_those_of_what_was_learned_last(path: Path) -> None:
    route = network(path).routes[0]
    many = [replace(grown(route, 1.0 + 0.1 * k), learned=k) for k in range(merged.FORMS)]
    for order in (many, many[::-1]):
        assert len(keys(order)) == merged.FORMS
        assert not keys(order) & keys(many[:1])
        assert keys(order) >= keys(many[-1:])


def test_a_brain_that_did_not_keep_the_order_knows_it_by_its_rows(tmp_path: Path) -> None:
    with Store.open(shutil.copy(KEPT, tmp_path / "old.brain")) as store:
        snapshot = store.read()
    known = network_of(snapshot)
    order = sorted(known.routes, key=lambda route: route.learned)
    assert [route.name for route in order] != [route.name for route in known.routes]
    rows = {f"{record.symbol}/{record.number}": record.row for record in snapshot.routes}
    assert [rows[route.name] for route in order] == sorted(rows.values())
    assert known.next_learned > max(rows.values())
