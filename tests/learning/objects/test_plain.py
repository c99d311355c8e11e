"""g of the paper's plain regime, learned from samples of one example."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import unrender
from unrender import Observation, Scene
from unrender.capsules.experience import Entry
from unrender.capsules.gamma import mean_attributes, whole
from unrender.capsules.network import Network
from unrender.capsules.recall import PlainDecoder, record_of
from unrender.capsules.route import Route
from unrender.grammar.attribute import STYLE_NAMES
from unrender.learning.objects import lesson, plain, regimes
from unrender.learning.objects.augment import restyle, transform
from unrender.memory import Store, SymbolRecord

LOOKS = {"red": 0.9, "green": 0.3, "blue": 0.0, "filled": 1.0, "thickness": 0.0}
STEPS = 300  # of a lesson, which is a second


def shapes() -> list[Observation]:
    """A house, a little turned: a tall box, and a roof of another colour."""
    return [
        Observation("square", (60.0, 70.0), (40.0, 50.0), 10.0, dict(LOOKS)),
        Observation("triangle", (64.0, 30.0), (50.0, 34.0), 10.0, LOOKS | {"red": 0.2}),
    ]


@pytest.fixture
def untrained() -> Route:
    parts = shapes()
    network = Network({})
    return Route(
        symbol="house",
        number=1,
        parts=("square", "triangle"),
        names=STYLE_NAMES,
        turnings=tuple(network.turnings[part.symbol] for part in parts),
        memory=(Entry(tuple(parts), whole("house", parts)),),
    )


def test_samples_are_what_t_u_and_gamma_make_of_memory(untrained: Route) -> None:
    wholes, parts = plain.samples(untrained, 20, np.random.default_rng(0))
    first = untrained.memory[0]
    for told, wanted in zip(wholes, parts.reshape(20, 2, -1), strict=True):
        turn = math.degrees(math.atan2(told[5], told[4]))
        scale = told[2] / first.whole.size[0]
        style = {name: told[6 + k] for k, name in enumerate(STYLE_NAMES) if name in ("blue", "thickness")}
        about = first.whole.position
        move = (told[0] - about[0], told[1] - about[1])
        made = transform(restyle(first.parts, style), move, turn, scale, about)
        gamma = untrained.encode(made, turn)
        assert gamma.position == pytest.approx(told[:2].tolist())
        assert gamma.size == pytest.approx(told[2:4].tolist())
        assert math.remainder(gamma.rotation - turn, 360.0) == pytest.approx(0.0, abs=1e-6)
        assert [mean_attributes(made)[name] for name in STYLE_NAMES] == pytest.approx(told[6:].tolist())
        for part, row in zip(made, wanted, strict=True):
            angle = math.radians(part.rotation)
            pose = [*part.position, *part.size, math.cos(angle), math.sin(angle)]
            assert [*pose, *(part.attributes[name] for name in STYLE_NAMES)] == pytest.approx(row.tolist())


def test_samples_cover_the_canvas_all_turns_and_half_to_twice_the_size(untrained: Route) -> None:
    wholes, _ = plain.samples(untrained, 2000, np.random.default_rng(0))
    scale = wholes[:, 2] / untrained.memory[0].whole.size[0]
    assert 0.5 <= scale.min() < 0.52
    assert 1.9 < scale.max() <= 2.0
    assert (np.ptp(wholes[:, :2], axis=0) > 0.98 * plain.CANVAS).all()
    assert np.ptp(wholes[:, 4:6], axis=0) == pytest.approx([2.0, 2.0], abs=0.01)


def test_only_what_memory_never_saw_is_invented(untrained: Route) -> None:
    wholes, _ = plain.samples(untrained, 500, np.random.default_rng(0))
    spread = dict(zip(STYLE_NAMES, np.ptp(wholes[:, 6:], axis=0), strict=True))
    assert spread["blue"] > 0.9
    assert spread["thickness"] > 0.9
    assert spread["red"] == spread["green"] == spread["filled"] == 0.0


def test_one_example_teaches_roughly_what_moving_turning_and_scaling_are(untrained: Route) -> None:
    route = plain.fit_plain(untrained, steps=STEPS)
    first = untrained.memory[0]
    off = []
    for x, y, turn, scale in [(60, 60, 0, 1.0), (150, 100, 75, 0.8), (90, 180, -160, 1.5)]:
        move = (x - first.whole.position[0], y - first.whole.position[1])
        true = transform(first.parts, move, turn, scale, first.whole.position)
        size = math.hypot(*first.whole.size) * scale
        for part, guess in zip(true, route.decode(route.encode(true, turn)), strict=True):
            assert guess.symbol == part.symbol
            off.append(math.dist(guess.position, part.position) / size)
            assert guess.size == pytest.approx(part.size, rel=0.2)
            assert abs(math.remainder(guess.rotation - part.rotation, 360.0)) < 12
            assert guess.attributes == pytest.approx(part.attributes, abs=0.1)
    assert np.mean(off) < 0.08


def test_the_same_seed_gives_the_same_network(untrained: Route) -> None:
    one, other = (plain.fit_plain(untrained, seed=3, steps=5).given for _ in range(2))
    assert isinstance(one, PlainDecoder)
    assert isinstance(other, PlainDecoder)
    for a, b in zip(one.network.weights, other.network.weights, strict=True):
        assert (a == b).all()


def test_a_plain_route_is_kept_reopened_and_renamed(untrained: Route, tmp_path: Path) -> None:
    route = plain.fit_plain(untrained, steps=STEPS)
    (top,) = lesson.with_route(Network({}), route).understand(Scene(128, 128, shapes())).axioms
    with Store.open(tmp_path / "my.brain") as store, store.lesson("teach", "house") as kept:
        kept.put_symbol(SymbolRecord("house", route.names))
        kept.put_route(record_of(route))
    with unrender.open(tmp_path / "my.brain") as brain:
        (again,) = brain.understand(Scene(128, 128, shapes())).axioms
        assert (again.symbol, again.p) == ("house", top.p)
        drawn = brain.draw("house", position=(64, 64))
        brain.rename("house", "hut")
        assert (brain.draw("hut", position=(64, 64)) == drawn).all()


def test_the_plain_regime_is_one_of_those_that_a_lesson_may_ask_for() -> None:
    assert regimes.REGIMES["plain"] is plain.fit_plain


def test_another_example_trains_the_route_by_the_regime_that_is_asked_for(untrained: Route) -> None:
    network = lesson.with_route(Network({}), plain.fit_plain(untrained, steps=2))
    again = Scene(128, 128, [replace(part) for part in shapes()])
    made = lesson.learn(network, again, "house", None, route="house/1", regime="frame").route
    assert len(made.memory) == 2
    assert made.given is None
    assert made.decoder is not None


def test_an_unknown_regime_is_refused_and_nothing_is_learned() -> None:
    brain = unrender.open()
    with pytest.raises(unrender.UnrenderError, match='no regime "grand"; choose one of: frame, plain'):
        brain.teach(Scene(128, 128, shapes()), "house", regime="grand")
    assert brain.lessons == ()
