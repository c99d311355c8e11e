"""The desk: states of pictures, lessons, edits, other brains."""

import asyncio
import sqlite3
from pathlib import Path

import numpy as np
import pytest

import unrender
from unrender import Answer, UnrenderError
from unrender.memory import Store
from unrender.studio.desk import lessons
from unrender.studio.desk.desk import Desk
from unrender.studio.desk.editing import edit, knobs
from unrender.studio.desk.files import brains, open_other, save_copy
from unrender.studio.desk.jobs import look_at_all
from unrender.studio.desk.picture import State, key_of
from unrender.studio.desk.work import Work
from unrender.studio.panels.view import view

from .conftest import finish


def teach(desk: Desk, ship: Path) -> None:
    picture = desk.add(ship)
    desk.look(picture)
    assert picture.asked is not None
    lessons.answer(desk, picture, list(picture.asked.parts), Answer("ship"))


def test_a_picture_is_new_then_has_a_question_then_is_understood(desk: Desk, ship: Path) -> None:
    picture = desk.add(ship)
    assert picture.state is State.NEW
    desk.look(picture)
    assert picture.state is State.QUESTION
    assert picture.asked is not None
    told = lessons.answer(desk, picture, list(picture.asked.parts), Answer("ship"))
    assert told.sentence == "I now know a new object, ship."
    assert told.difference == "In this picture one square, one circle and three triangles became one ship."
    assert told.seconds > 0
    assert picture.state is State.UNDERSTOOD


def test_a_question_can_be_answered_after_another_picture_was_looked_at(desk: Desk, ship: Path) -> None:
    one, two = desk.add(ship), desk.add(ship)
    desk.look(one)
    desk.look(two)
    assert one.asked is not None
    lessons.answer(desk, one, list(one.asked.parts), Answer("ship"))
    assert two.outdated
    desk.look(two)
    assert two.state is State.UNDERSTOOD
    assert [axiom.symbol for axiom in two.seen().axioms] == ["ship"]


def test_a_broken_file_says_why_by_its_name(desk: Desk, tmp_path: Path) -> None:
    path = tmp_path / "1a2b3c.png"
    path.write_bytes(b"\x89PNG nonsense")
    picture = desk.add(path, "mine.png")
    desk.look(picture)
    assert picture.state is State.BROKEN
    assert picture.error == '"mine.png" is not a picture in a format that Pillow reads.'
    with pytest.raises(UnrenderError, match=r"mine\.png"):
        picture.seen()


def test_an_edit_changes_the_drawn_pixels_and_reset_brings_them_back(desk: Desk, ship: Path) -> None:
    teach(desk, ship)
    (picture,) = desk.pictures.values()
    before = picture.seen().image.copy()
    node = picture.seen().axioms[0]
    names = [knob.name for knob in knobs(node, picture.seen())]
    assert names[:5] == ["x", "y", "width", "height", "rotation"]
    assert "red" not in names  # the colour has a field of its own
    edit(picture, {(key_of(node), "rotation"): node.rotation + 40, (key_of(node), "red"): 1.0})
    changed = picture.seen().image
    assert np.abs(changed.astype(int) - before).mean() > 2
    assert picture.edited
    desk.again(picture)
    assert (picture.seen().image == before).all()
    assert not picture.edited


def test_a_lesson_starts_from_what_was_seen_not_from_what_was_edited(desk: Desk, ship: Path) -> None:
    picture = desk.add(ship)
    desk.look(picture)
    node = picture.seen().axioms[0]
    was = node.position
    edit(picture, {(key_of(node), "x"): 5.0})
    assert picture.asked is not None
    lessons.answer(desk, picture, list(picture.asked.parts), Answer("ship"))
    leaf = next(o for o in picture.seen().observations if key_of(o) == key_of(node))
    assert leaf.position == was


def test_an_attribute_that_is_not_there_cannot_be_edited(desk: Desk, ship: Path) -> None:
    picture = desk.add(ship)
    desk.look(picture)
    with pytest.raises(UnrenderError, match="no attribute"):
        edit(picture, {(key_of(picture.seen().axioms[0]), "wooden"): 1.0})


def test_undo_rename_and_forget_change_what_is_seen(desk: Desk, ship: Path) -> None:
    teach(desk, ship)
    (picture,) = desk.pictures.values()
    assert desk.rename(picture, "ship", "boat") == "ship is now called boat."
    assert [axiom.symbol for axiom in picture.seen().axioms] == ["boat"]
    assert desk.undo(picture).startswith("Took back: ship is now called boat")
    desk.forget(picture, "ship")
    assert len(picture.seen().axioms) == 5


def test_what_is_new_after_a_lesson_is_marked(desk: Desk, ship: Path) -> None:
    picture = desk.add(ship)
    first = view(desk, picture)
    assert not any(node["fresh"] for node in first.nodes)
    assert picture.asked is not None
    lessons.answer(desk, picture, list(picture.asked.parts), Answer("ship"))
    second = view(desk, picture, first.keys)
    assert [node["symbol"] for node in second.nodes if node["fresh"]] == ["ship"]
    assert second.nodes[1]["parent"] == 0


def test_a_copy_of_a_brain_holds_all_lessons_and_is_never_written_over(desk: Desk, ship: Path) -> None:
    teach(desk, ship)
    assert save_copy(desk, "copy") == "copy.brain"
    assert brains(desk.folder) == ["copy.brain", "test.brain"]
    with unrender.open(desk.folder / "copy.brain") as copy:
        assert set(copy.symbols) == {"ship"}
    with pytest.raises(UnrenderError, match="already"):
        save_copy(desk, "copy.brain")


def test_another_brain_sees_the_same_pictures_its_own_way(desk: Desk, ship: Path) -> None:
    teach(desk, ship)
    (picture,) = desk.pictures.values()
    assert open_other(desk, picture, "fresh") == "This is fresh.brain now."
    assert len(picture.seen().axioms) == 5
    open_other(desk, picture, "test.brain")
    assert [axiom.symbol for axiom in picture.seen().axioms] == ["ship"]


def test_many_pictures_are_looked_at_until_somebody_cancels(desk: Desk, ship: Path) -> None:
    for _ in range(4):
        desk.add(ship)

    async def run() -> None:
        looking = asyncio.create_task(look_at_all(desk))
        await asyncio.sleep(0)
        assert desk.job is not None
        desk.job.cancelled = True  # the picture at hand is still finished
        await looking

    finish(run())
    assert [picture.state for picture in desk.pictures.values()].count(State.NEW) == 3
    assert desk.job is None


def test_errands_run_one_at_a_time_and_their_errors_arrive() -> None:
    work, running, most = Work(), [0], [0]

    def errand() -> None:
        running[0] += 1
        most[0] = max(most[0], running[0])
        running[0] -= 1

    def fail() -> None:
        raise UnrenderError("No.")

    async def run() -> None:
        await asyncio.gather(*(work.do(errand) for _ in range(50)))
        with pytest.raises(UnrenderError, match="No"):
            await work.do(fail)

    finish(run())
    work.close()
    assert most[0] == 1


def test_what_is_seen_is_remembered_once_for_every_picture(desk: Desk, ship: Path) -> None:
    teach(desk, ship)
    assert desk.brain.symbols["ship"][0].past is None  # the example itself is in memory
    for _ in range(2):
        picture = desk.add(ship)
        desk.look(picture)
        desk.look(picture)
        desk.again(picture)
    past = desk.brain.symbols["ship"][0].past
    assert past is not None
    assert set(past.counts) == {2}
    assert len(desk.brain.lessons) == 1


def test_a_picture_is_shown_though_the_brain_file_cannot_be_written_now(desk: Desk, ship: Path) -> None:
    teach(desk, ship)
    desk.brain.close()
    desk.brain._knowledge._opened = Store.open(desk.path, timeout=0.1)
    other = sqlite3.connect(desk.path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    picture = desk.add(ship)
    desk.look(picture)
    other.execute("ROLLBACK")
    other.close()
    assert picture.state is State.UNDERSTOOD
    assert desk.brain.symbols["ship"][0].past is None
