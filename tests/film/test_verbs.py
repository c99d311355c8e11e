"""Verbs: taught from one clip, recognised in others, kept in the brain file, drawn."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import unrender
from unrender.errors import UnrenderError
from unrender.film.film import Film
from unrender.film.track import Track
from unrender.film.verbs.cycle import cycle_of
from unrender.worlds import Characters, Picture

WORLD = Characters(120, 120, size=(1.0, 1.3))


def pictures(verbs: list[str], seed: int, frames: int = 30, start: float | None = None) -> list[Picture]:
    return WORLD.film(np.random.default_rng(seed), verbs, frames, start)


def watched(brain: unrender.Brain, shots: list[Picture]) -> tuple[Film, Track]:
    film = brain.watch([shot.image for shot in shots])
    return film, next(track for track in film.tracks if track.symbol == "robot")


@pytest.fixture(scope="module")
def taught(tmp_path_factory: pytest.TempPathFactory) -> Iterator[unrender.Brain]:
    """A brain that knows a robot, and two things that it does, from a clip each."""
    with unrender.open(tmp_path_factory.mktemp("verbs") / "my.brain") as brain:
        brain.teach(brain.see(pictures(["rest"], 1, 1)[0].image), "robot")
        for verb, seed in (("wave", 11), ("nod", 12)):
            film, robot = watched(brain, pictures([verb], seed, start=0.0))
            learned = brain.teach_verb(film, robot, verb)
            assert learned.cyclic
            assert all(verb in node.verbs for node in robot.observations.values())  # at once
        yield brain


def test_a_verb_is_recognised_at_another_size_place_turn_speed_and_phase(taught: unrender.Brain) -> None:
    shots = pictures(["wave"], 21)
    film, robot = watched(taught, shots)
    assert len(robot.observations) == 30
    for t, node in robot.observations.items():
        assert node.verbs == ("wave",)
        off = abs(node.attributes["wave"] - shots[t].scene.axioms[0].attributes["wave"])
        assert min(off, 1 - off) < 0.04
    true = np.diff([shot.scene.axioms[0].attributes["wave"] for shot in shots])
    (doing,) = film.doings[robot.number]
    assert abs(doing.rate / np.median(true[true > 0]) - 1) < 0.03


def test_what_rests_or_does_something_else_is_not_named(taught: unrender.Brain) -> None:
    for verb in ("rest", "flap"):
        _, robot = watched(taught, pictures([verb], 22))
        assert all(node.verbs == () and "wave" not in node.attributes for node in robot.observations.values())


def test_two_things_can_be_done_at_once(taught: unrender.Brain) -> None:
    _, robot = watched(taught, pictures(["wave", "nod"], 23))
    assert {frozenset(node.verbs) for node in robot.observations.values()} == {frozenset({"wave", "nod"})}


def test_a_verb_is_a_lesson_that_is_kept_and_can_be_undone(tmp_path: Path) -> None:
    path = tmp_path / "my.brain"
    with unrender.open(path) as brain:
        brain.teach(brain.see(pictures(["rest"], 1, 1)[0].image), "robot")
        film, robot = watched(brain, pictures(["nod"], 12, 24, start=0.0))
        brain.teach_verb(film, robot, "nod", start=2, end=20)
        assert brain.lessons[-1].kind == "verb"
    with unrender.open(path) as brain:
        assert [verb.name for verb in brain.verbs] == ["nod"]
        assert "nod" in str(brain.grammar)
        brain.rename("nod", "bob")
        assert [verb.key for verb in brain.verbs] == ["robot/bob"]
        brain.rename("robot", "android")
        assert [verb.key for verb in brain.verbs] == ["android/bob"]
        brain.undo()
        brain.undo()
        assert brain.undo().kind == "verb"
        assert brain.verbs == []


def test_the_object_is_drawn_at_a_phase(taught: unrender.Brain) -> None:
    still, raised = taught.draw("robot"), taught.draw("robot", wave=0.25)
    assert (still != raised).any()
    (seen,) = [node for node in taught.see(still).axioms if node.symbol == "robot"]
    assert len(seen.parts) == 6
    with pytest.raises(UnrenderError, match="phase"):
        taught.draw("robot", wave=2)


def test_a_run_that_does_not_come_back_is_told_from_a_cycle() -> None:
    t = np.arange(40.0)
    assert cycle_of(t, np.stack([np.sin(t / 3), np.cos(t / 3)], 1)) == pytest.approx(6 * np.pi, rel=0.01)
    assert cycle_of(t, t[:, None] / 40) is None
    once = np.arange(20) / 20 * 2 * np.pi
    assert cycle_of(t[:20], np.stack([np.cos(once), np.sin(once)], 1)) == pytest.approx(20, rel=0.05)


def test_what_cannot_be_a_verb_is_one_sentence(taught: unrender.Brain) -> None:
    film, robot = watched(taught, pictures(["rest"], 24, 8))
    with pytest.raises(UnrenderError, match="moves"):
        taught.teach_verb(film, robot, "sleep")
    for word in ("robot", "red", "x", ""):
        with pytest.raises(UnrenderError):
            taught.teach_verb(film, robot, word)
    with pytest.raises(UnrenderError, match="from one frame"):
        taught.teach_verb(film, robot, "sleep", start=5, end=2)
    alone = taught.watch([taught.draw("circle")] * 3)
    with pytest.raises(UnrenderError, match="teach the object first"):
        taught.teach_verb(alone, alone.tracks[0], "sleep")
