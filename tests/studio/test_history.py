"""Taking back: edits and lessons in the order in which they were made, and everything as it was before."""

from pathlib import Path

import pytest

from unrender import Answer, UnrenderError
from unrender.studio.desk import lessons
from unrender.studio.desk.desk import Desk
from unrender.studio.desk.editing import change, reset
from unrender.studio.desk.picture import Picture, State, key_of


@pytest.fixture
def picture(desk: Desk, ship: Path) -> Picture:
    made = desk.add(ship)
    desk.look(made)
    return made


def turn(desk: Desk, picture: Picture, *degrees: float) -> None:
    """Move the slider of the first thing's rotation to these values, one after the other, and let it go."""
    key = key_of(picture.seen().axioms[0])
    for value in degrees:
        change(desk, picture, {(key, "rotation"): value})
    desk.history.settle()


def rotation(picture: Picture) -> float:
    return picture.seen().axioms[0].rotation


def teach(desk: Desk, picture: Picture) -> None:
    assert picture.asked is not None
    lessons.answer(desk, picture, list(picture.asked.parts), Answer("ship"))


def test_edits_are_taken_back_one_after_the_other(desk: Desk, picture: Picture) -> None:
    seen, first = picture.seen().image.copy(), rotation(picture)
    turn(desk, picture, 5.0, 10.0, 20.0)  # one step: the slider was not let go in between
    turn(desk, picture, 40.0)
    assert desk.take_back(picture) == ("Took back: rotation of square in ship.png.", picture)
    assert rotation(picture) == 20.0
    desk.take_back(picture)
    assert rotation(picture) == first
    assert (picture.seen().image == seen).all()
    assert not picture.edited


def test_an_edit_at_the_top_of_a_tree_is_taken_back_in_its_parts_too(desk: Desk, picture: Picture) -> None:
    teach(desk, picture)
    seen = picture.seen().image.copy()
    turn(desk, picture, rotation(picture) + 50)
    assert (picture.seen().image != seen).any()
    desk.take_back(picture)
    assert (picture.seen().image == seen).all()


def test_a_reset_is_taken_back(desk: Desk, picture: Picture) -> None:
    turn(desk, picture, 20.0)
    reset(desk, picture)
    assert not picture.edited
    assert desk.take_back(picture)[0] == "Took back: reset of ship.png."
    assert rotation(picture) == 20.0
    assert picture.edited


def test_after_a_lesson_is_taken_back_the_same_is_asked_as_before(desk: Desk, picture: Picture) -> None:
    asked = picture.asked
    teach(desk, picture)
    assert picture.state is State.UNDERSTOOD
    sentence, _ = desk.take_back(picture)
    assert sentence == "Took back: new object ship from square, circle, triangle, triangle and triangle."
    assert picture.asked == asked
    assert picture.state is State.QUESTION


def test_a_skipped_question_is_asked_again(desk: Desk, picture: Picture) -> None:
    asked = picture.asked
    assert asked is not None
    lessons.skip(desk, picture, list(asked.parts))
    assert picture.asked != asked
    assert desk.take_back(picture)[0] == "Took back: a question skipped."
    assert picture.asked == asked


def test_edits_and_lessons_are_taken_back_in_the_order_they_were_made(desk: Desk, picture: Picture) -> None:
    first = rotation(picture)
    turn(desk, picture, 20.0)
    teach(desk, picture)
    turn(desk, picture, 70.0)
    told = [desk.take_back(picture)[0] for _ in range(2)]
    assert told[0] == "Took back: rotation of ship in ship.png."
    assert told[1].startswith("Took back: new object ship")
    assert rotation(picture) == 20.0  # the edit before the lesson, which the lesson had lost
    assert desk.take_back(picture)[0] == "Took back: rotation of square in ship.png."
    assert rotation(picture) == first
    with pytest.raises(UnrenderError):
        desk.take_back(picture)


def test_an_edit_of_another_picture_is_taken_back_there(desk: Desk, picture: Picture, ship: Path) -> None:
    other = desk.add(ship, "other.png")
    desk.look(other)
    turn(desk, other, 20.0)
    assert desk.take_back(picture) == ("Took back: rotation of square in other.png.", other)


def test_a_removed_picture_leaves_nothing_to_take_back(desk: Desk, picture: Picture, ship: Path) -> None:
    other = desk.add(ship)
    desk.look(other)
    teach(desk, picture)
    turn(desk, other, 20.0)
    desk.remove(other)
    assert desk.take_back(picture)[0].startswith("Took back: new object ship")
