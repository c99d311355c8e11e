"""What is taught is known again, to the last bit, and a lesson can be made not to have been."""

import json
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from unrender.errors import UnrenderError
from unrender.memory import RouteRecord, Snapshot, Store, SymbolRecord

HOUSE = RouteRecord("house", 1, "given", given="[house] -> [triangle] [square]\n")


def ship(known: Snapshot) -> RouteRecord:
    return next(route for route in known.routes if route.symbol == "ship")


def test_a_new_brain_knows_nothing(path: Path) -> None:
    with Store.open(path) as store:
        assert store.read() == Snapshot()
        assert not store.read_only
    assert [file.name for file in path.parent.iterdir()] == ["my.brain"]


def test_everything_taught_is_known_after_opening_again(path: Path, taught: Snapshot) -> None:
    with Store.open(path) as store:
        again = store.read()
    assert again == taught
    assert again.symbols == {
        "ship": SymbolRecord("ship", ("wooden", "broken")),
        "house": SymbolRecord("house"),
    }
    assert again.routes[0] == HOUSE
    assert ship(again).weights == bytes(range(256)) * 40
    assert ship(again).observations == ({"p": 0.9, "red": 1}, {"p": 0.1 + 0.2, "red": 0})
    assert ship(again).body == {"frame": [1.5, -0.1], "nested": {"ä": None}}
    assert [(lesson.id, lesson.kind, lesson.title) for lesson in again.lessons] == [
        (1, "teach", "ship"),
        (2, "grammar", "house"),
    ]
    assert again.lessons[0].details == {"scene": "frame.png"}
    assert datetime.fromisoformat(again.lessons[0].at).tzinfo is not None
    assert again.records == {"question": {"1": {"cause": "A.2", "answer": "house"}}}


def test_a_route_gains_observations_and_new_weights(path: Path, taught: Snapshot) -> None:
    with Store.open(path) as store:
        with store.lesson("see", "ship") as lesson:
            lesson.add_observation("ship", 1, {"p": 1})
            lesson.put_weights("ship", 1, b"new")
            lesson.put_weights("house", 1, b"first")
        known = store.read()
    assert ship(known) == replace(
        ship(taught), weights=b"new", observations=(*ship(taught).observations, {"p": 1})
    )
    assert known.routes[0].weights == b"first"


def test_a_route_that_is_put_again_replaces_all_of_the_old_one(path: Path, taught: Snapshot) -> None:
    other = RouteRecord("ship", 1, "learned", parts=("circle",), observations=({"p": 0.5},))
    second = replace(other, number=2)
    with Store.open(path) as store:
        with store.lesson("teach", "ship") as lesson:
            lesson.put_route(other)
            lesson.put_route(second)
        assert store.read().routes == (HOUSE, other, second)


def forget(store: Store) -> None:
    with store.lesson("forget", "ship") as lesson:
        lesson.retire_route("ship", 1)
        lesson.retire_symbol("ship")


def rename(store: Store) -> None:
    old = ship(store.read())
    with store.lesson("rename", "ship -> boat") as lesson:
        lesson.retire_route("ship", 1)
        lesson.retire_symbol("ship")
        lesson.put_symbol(SymbolRecord("boat", ("red", "green", "blue")))
        lesson.put_route(replace(old, symbol="boat"))


def retrain(store: Store) -> None:
    with store.lesson("attribute", "metallic") as lesson:
        lesson.put_symbol(SymbolRecord("ship", ("red", "green", "blue", "metallic")))
        lesson.put_route(replace(ship(store.read()), weights=b"retrained", observations=({"metallic": 0},)))
        lesson.add_observation("ship", 1, {"metallic": 1})
        lesson.put_weights("ship", 1, b"retrained once more")


def answer(store: Store) -> None:
    with store.lesson("answer", "boat") as lesson:
        lesson.put_record("question", "1", {"answer": "boat"})
        lesson.put_record("question", "2", {"answer": "car"})
        lesson.retire_record("question", "1")


@pytest.mark.parametrize("teach", [forget, rename, retrain, answer])
def test_undo_restores_exactly_what_was_known(
    path: Path, taught: Snapshot, teach: Callable[[Store], None]
) -> None:
    with Store.open(path) as store:
        teach(store)
        changed = store.read()
        assert changed.symbols != taught.symbols or changed.records != taught.records
        assert store.undo() == changed.lessons[-1]
        assert store.read() == taught
        teach(store)
        again = store.read()
        assert again == replace(changed, lessons=again.lessons)


def test_all_lessons_can_be_undone_one_after_the_other(path: Path, taught: Snapshot) -> None:
    with Store.open(path) as store:
        steps = [taught]
        for teach in (retrain, rename, answer):
            teach(store)
            steps.append(store.read())
        while len(steps) > 1:
            assert store.read() == steps.pop()
            store.undo()
        assert store.read() == taught
        assert [store.undo().title, store.undo().title] == ["house", "ship"]
        assert store.read() == Snapshot()
        with pytest.raises(UnrenderError, match=r"^There is no lesson to undo\.$"):
            store.undo()


def test_a_lesson_that_fails_leaves_nothing(path: Path, taught: Snapshot) -> None:
    def teach_and_fail(store: Store) -> None:
        with store.lesson("teach", "car") as lesson:
            lesson.put_symbol(SymbolRecord("car"))
            lesson.retire_route("ship", 1)
            raise ZeroDivisionError

    with Store.open(path) as store:
        with pytest.raises(ZeroDivisionError):
            teach_and_fail(store)
        assert store.read() == taught


def test_inside_a_lesson_one_reads_what_it_has_written(path: Path, taught: Snapshot) -> None:
    with Store.open(path) as store, store.lesson("teach", "car") as lesson:
        lesson.put_symbol(SymbolRecord("car"))
        known = store.read()
        assert set(known.symbols) == {"ship", "house", "car"}
        assert known.lessons[-1].id == lesson.id == 3


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (lambda lesson: lesson.retire_symbol("shop"), r"There is no symbol \[shop\] to retire\."),
        (lambda lesson: lesson.retire_route("ship", 2), r'There is no route "ship/2"\.'),
        (lambda lesson: lesson.add_observation("shop", 1, {}), r'There is no route "shop/1"\.'),
        (lambda lesson: lesson.put_weights("ship", 3, b""), r'There is no route "ship/3"\.'),
        (lambda lesson: lesson.retire_record("question", "7"), r'There is no question "7" to retire\.'),
        (lambda lesson: lesson.put_symbol(SymbolRecord("\udcff")), r"characters that cannot be kept\."),
    ],
)
def test_what_is_not_there_cannot_be_retired_or_extended(
    path: Path, taught: Snapshot, act: Callable[[object], None], message: str
) -> None:
    with Store.open(path) as store:
        with pytest.raises(UnrenderError, match=message), store.lesson("teach", "x") as lesson:
            act(lesson)
        assert store.read() == taught


def test_values_that_json_cannot_hold_are_refused(path: Path, taught: Snapshot) -> None:
    with Store.open(path) as store:
        with pytest.raises(ValueError, match="JSON"), store.lesson("teach", "x") as lesson:
            lesson.put_record("matrix", "row", {"value": float("nan")})
        assert store.read() == taught


def test_lessons_do_not_nest_and_end_with_their_block(path: Path) -> None:
    with Store.open(path) as store:
        with store.lesson("teach", "outer") as lesson:
            with pytest.raises(UnrenderError, match="finish it first"), store.lesson("teach", "inner"):
                pass
            for act in (store.undo, store.close):
                with pytest.raises(UnrenderError, match="finish it first"):
                    act()
        with pytest.raises(UnrenderError, match="This lesson is over"):
            lesson.put_symbol(SymbolRecord("late"))
        assert [record.title for record in store.read().lessons] == ["outer"]
        assert store.read().symbols == {}


def test_a_store_notices_what_others_commit_and_not_its_own_lessons(path: Path) -> None:
    with Store.open(path) as ours, Store.open(path) as theirs:
        assert ours.changed()  # never read
        ours.read()
        with ours.lesson("teach", "ours"):
            pass
        assert not ours.changed()
        with theirs.lesson("teach", "theirs"):
            pass
        assert ours.changed()
        with ours.lesson("teach", "after theirs"):
            assert ours.changed()  # still unread
        assert ours.changed()
        assert [lesson.title for lesson in ours.read().lessons] == ["ours", "theirs", "after theirs"]
        assert not ours.changed()
        theirs.undo()
        assert ours.changed()


def test_a_throw_away_brain_lives_in_memory() -> None:
    with Store.open(":memory:") as store, Store.open(":memory:") as other:
        with store.lesson("teach", "ship") as lesson:
            lesson.put_symbol(SymbolRecord("ship"))
        assert set(store.read().symbols) == {"ship"}
        assert other.read() == Snapshot()
        store.undo()
        assert store.read() == Snapshot()
        assert not store.changed()
        assert not store.read_only


def test_a_closed_store_says_so(path: Path) -> None:
    store = Store.open(path)
    store.close()
    store.close()
    with pytest.raises(UnrenderError, match="is closed; open it again"):
        store.read()


def test_threads_share_a_store(path: Path) -> None:
    halves: list[Snapshot] = []

    def teach(store: Store, name: str) -> None:
        for number in range(3):
            with store.lesson("teach", name) as lesson:
                lesson.put_symbol(SymbolRecord(f"{name} {number}"))
                lesson.put_record("pair", f"{name} {number}", {})

    def look(store: Store) -> None:
        for _ in range(10):
            known = store.read()
            if set(known.symbols) != set(known.records.get("pair", {})):
                halves.append(known)

    with Store.open(path) as store:
        threads = [threading.Thread(target=teach, args=(store, name)) for name in "abc"]
        threads += [threading.Thread(target=look, args=(store,)) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(store.read().symbols) == len(store.read().lessons) == 9
    assert halves == []


def test_opening_a_small_brain_is_quick(path: Path, taught: Snapshot) -> None:
    seconds = []
    for _ in range(5):
        start = time.perf_counter()
        store = Store.open(path)
        seconds.append(time.perf_counter() - start)
        store.close()
    assert min(seconds) < 0.05


def test_reading_needs_neither_sqlalchemy_nor_migrations_and_a_lesson_no_migrations(
    path: Path, taught: Snapshot, run_python: Callable[..., str]
) -> None:
    program = """
import json, sys
from unrender.memory import Store
store = Store.open(sys.argv[1])
store.read()
read = ["sqlalchemy" in sys.modules, "alembic" in sys.modules]
with store.lesson("teach", "ship"):
    pass
print(json.dumps([*read, "sqlalchemy" in sys.modules, "alembic" in sys.modules]))
"""
    assert json.loads(run_python(program, path)) == [False, False, True, False]
