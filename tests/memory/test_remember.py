"""p̄, the past mean of p: what is remembered of pictures, in the brain file, beside all lessons."""

import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

import unrender
from unrender import Observation, Scene
from unrender.brain import Brain
from unrender.capsules.agreement import CONFIDENCE
from unrender.capsules.past import observed
from unrender.capsules.route import Route
from unrender.errors import UnrenderError
from unrender.knowledge import Change
from unrender.memory import PastRecord, Store
from unrender.memory.past import KIND, past_of

FIXTURES = Path(__file__).parent / "fixtures"


def picture(seed: int = 0) -> np.ndarray:
    """A lamp, 84x84 px, somewhere and under some noise, so that p differs from picture to picture."""
    rng, brain = np.random.default_rng(seed), unrender.open()
    x = 26 + 2.0 * seed
    image = brain.draw("circle", position=(x, 42), size=(24, 24), red=1.0)
    image = brain.draw("square", position=(x + 28, 42), size=(20, 20), blue=1.0, canvas=image)
    return (image + rng.normal(0, 4.0 * seed, image.shape)).clip(0, 255).astype(np.uint8)


@pytest.fixture
def lamp(path: Path) -> Iterator[Brain]:
    """A brain that knows a lamp from one example."""
    with unrender.open(path) as brain:
        brain.teach(brain.see(picture()), "lamp")
        yield brain


def route(brain: Brain, name: str = "lamp") -> Route:
    return brain.symbols[name][0]


def p_of(scene: Scene) -> list[float]:
    """p of the parts of the only whole in a scene."""
    (whole,) = [axiom for axiom in scene.axioms if axiom.parts]
    return [part.p for part in whole.parts]


def test_the_past_mean_is_that_of_all_pictures_that_were_remembered(lamp: Brain, path: Path) -> None:
    seen = [[part.p for part in route(lamp).memory[0].parts]]
    for seed in (1, 2, 3):
        seen.append(p_of(lamp.see(picture(seed), remember=True)))
    assert np.ptp(seen, axis=0).min() > 1e-5  # else it would be no test of a mean
    assert route(lamp).past_p == pytest.approx(np.mean(seen, axis=0), abs=1e-12)
    assert route(lamp).past == PastRecord((3, 3), pytest.approx(np.mean(seen[1:], axis=0)))
    with unrender.open(path) as again:
        assert route(again).past_p == pytest.approx(np.mean(seen, axis=0), abs=1e-12)


def test_the_past_mean_decides_what_p_is_expected(lamp: Brain) -> None:
    """Parts that were seen once with p 1 and 99 times with 0.8 are less sure to be a lamp when p is 1."""
    assert lamp.see(picture()).axioms[0].p == pytest.approx(1, abs=0.01)
    lamp._knowledge.remember({"lamp/1": PastRecord((99, 99), (0.8, 0.8))})
    w = np.exp(-(((1 / 0.802 - 1) / CONFIDENCE) ** 2))
    assert lamp.see(picture()).axioms[0].p == pytest.approx(w, abs=0.01)


def test_seeing_alone_writes_nothing(lamp: Brain, path: Path) -> None:
    held = path.read_bytes()
    scene = lamp.see(picture(1))
    lamp.see_again(scene)
    assert path.read_bytes() == held
    assert route(lamp).past is None


def test_nothing_is_written_where_nothing_known_is_seen(lamp: Brain, path: Path) -> None:
    held = path.read_bytes()
    lamp.see(lamp.draw("triangle"), remember=True)
    assert path.read_bytes() == held


def test_a_scene_is_remembered_once_however_often_it_is_understood_again(lamp: Brain) -> None:
    scene = lamp.see(picture(1), remember=True)
    lamp.remember(scene)
    lamp.remember(lamp.see_again(scene))
    assert route(lamp).past.counts == (1, 1)


def test_remembering_is_no_lesson_and_widens_no_window(lamp: Brain) -> None:
    lessons, widths, grammar = lamp.lessons, route(lamp).widths, str(lamp.grammar)
    for seed in (1, 2, 3):
        lamp.see(picture(seed), remember=True)
    assert lamp.lessons == lessons
    assert len(route(lamp).memory) == 1
    assert (route(lamp).widths == widths).all()
    assert str(lamp.grammar) == grammar


def test_undo_leaves_what_is_remembered(lamp: Brain, path: Path) -> None:
    lamp.see(picture(1), remember=True)
    lamp.learn_grammar("[hut] -> [triangle]")
    lamp.see(picture(2), remember=True)
    held = route(lamp).past
    assert held.counts == (2, 2)
    lamp.undo()
    assert route(lamp).past == held
    with unrender.open(path) as again:
        assert route(again).past == held


def test_undo_of_one_more_example_leaves_what_is_remembered_and_takes_the_example(lamp: Brain) -> None:
    lamp.see(picture(1), remember=True)
    p_bar = route(lamp).past_p
    scene = lamp.see(picture(3))
    lamp.teach(scene, "lamp", route="lamp/1")
    assert len(route(lamp).memory) == 2
    assert route(lamp).past.counts == (1, 1)
    lamp.undo()
    assert route(lamp).past_p == pytest.approx(p_bar)


def test_a_new_name_keeps_what_is_remembered_and_so_does_the_old_one_after_undo(
    lamp: Brain, path: Path
) -> None:
    lamp.see(picture(1), remember=True)
    lamp.rename("lamp", "lantern")
    lamp.see(picture(2), remember=True)
    assert route(lamp, "lantern").past.counts == (2, 2)
    with unrender.open(path) as again:
        assert route(again, "lantern").past.counts == (2, 2)
    lamp.undo()
    assert route(lamp).past.counts == (2, 2)


def test_what_is_forgotten_is_not_remembered_until_that_is_undone(lamp: Brain, path: Path) -> None:
    scene = lamp.see(picture(1), remember=True)
    lamp.forget("lamp")
    with Store.open(path) as store:
        assert past_of(store.read()) == {}
    lamp.teach(lamp.see_again(scene), "torch")  # gets the rank that the lamp had
    assert route(lamp, "torch").past is None
    with unrender.open(path) as again:
        assert route(again, "torch").past is None
    lamp.undo()
    lamp.undo()
    assert route(lamp).past.counts == (1, 1)


def test_what_was_undone_leaves_nothing_to_what_is_taught_next(lamp: Brain, path: Path) -> None:
    lamp.learn_grammar("[hut] -> [triangle]\n    [triangle] width = width")
    lamp.see(lamp.draw("hut", canvas=(84, 84)), remember=True)
    assert route(lamp, "hut").past is not None
    lamp.undo()
    lamp.learn_grammar("[tent] -> [triangle]\n    [triangle] width = width")
    assert route(lamp, "tent").past is None
    with unrender.open(path) as again:
        assert route(again, "tent").past is None


def test_another_brain_that_is_open_learns_what_is_remembered(lamp: Brain, path: Path) -> None:
    with unrender.open(path) as other:
        assert route(other).past is None
        lamp.see(picture(1), remember=True)
        assert route(other).past == route(lamp).past
        other.see(picture(2), remember=True)
    assert route(lamp).past.counts == (2, 2)


def test_a_lesson_is_thought_of_once_though_others_remember_meanwhile(lamp: Brain, path: Path) -> None:
    from unrender import lessons
    from unrender.grammar import Grammar

    thought = 0
    with unrender.open(path) as other:

        def lesson(network: object, mind: object) -> Change:
            nonlocal thought
            thought += 1
            other.see(picture(1), remember=True)
            return lessons.grammar_taught(Grammar.parse("[hut] -> [triangle]"))(network, mind)

        lamp._knowledge.change(lesson)
    assert thought == 1
    assert set(lamp.symbols) == {"lamp", "hut"}
    assert route(lamp).past.counts == (1, 1)


REMEMBER = """
import sys, time
from pathlib import Path
import numpy as np
import unrender

path, name, other = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
brain = unrender.open(path)
images = np.load(path.with_name("pictures.npy"))
path.with_name(name).touch()
while not path.with_name(other).exists():
    time.sleep(0.001)
for image in images:
    (lamp,) = brain.see(image, remember=True).axioms
    print(*(part.p for part in lamp.parts))
"""


def test_what_two_processes_remember_at_once_is_all_counted(lamp: Brain, path: Path) -> None:
    np.save(path.with_name("pictures.npy"), np.stack([picture(seed) for seed in (1, 2, 3, 2, 1)]))
    running = [
        subprocess.Popen(
            [sys.executable, "-c", REMEMBER, path, *names],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for names in ("ab", "ba")
    ]
    said = [one.communicate(timeout=180) for one in running]
    assert [one.returncode for one in running] == [0, 0], said
    p = np.array([line.split() for out, _ in said for line in out.splitlines()], float)
    assert p.shape == (10, 2)
    assert route(lamp).past == PastRecord((10, 10), pytest.approx(p.mean(0)))


def test_a_part_that_is_hidden_is_not_counted() -> None:
    """Two wheels and a body; the first wheel, which g expects on the left, is hidden."""
    wheels = [Observation("circle", (x, 50.0), (9.0, 9.0), p=0.9) for x in (20.0, 60.0)]
    body = Observation("square", (40.0, 40.0), (60.0, 20.0), p=0.7)
    cart = Observation("cart", (40.0, 45.0), (60.0, 30.0), route="cart/1")
    cart.parts, cart.hidden = [wheels[1], body], [wheels[0]]
    scene = Scene(80, 80, [cart])
    scene.produce = lambda node: [*wheels, body]
    assert observed(scene) == {"cart/1": PastRecord((0, 1, 1), (0.0, 0.9, 0.7))}


def test_a_brain_that_is_read_only_says_that_nothing_can_be_remembered(
    lamp: Brain, path: Path, run_python: Callable[..., str], unprivileged: tuple[str, ...]
) -> None:
    lamp.close()
    np.save(path.with_name("picture.npy"), picture(1))
    program = """
import sys, numpy, unrender
brain = unrender.open(sys.argv[1])
image = numpy.load(sys.argv[2])
print(brain.see(image).axioms[0].symbol)
try:
    brain.see(image, remember=True)
except unrender.UnrenderError as error:
    print(error)
"""
    path.chmod(0o444)
    said = run_python(program, path, path.with_name("picture.npy"), before=unprivileged).splitlines()
    assert said == [
        "lamp",
        f'The brain file "{path}" cannot be written, so nothing can be remembered; make the file and its '
        "folder writable, or copy it.",
    ]


def test_a_brain_that_is_locked_says_so_and_keeps_what_it_held(lamp: Brain, path: Path) -> None:
    held = path.read_bytes()
    other = sqlite3.connect(path, isolation_level=None)
    with Store.open(path, timeout=0.1) as store:
        lamp._knowledge._opened = store
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(UnrenderError, match=r"is in use by another program; try again"):
            lamp.see(picture(1), remember=True)
        other.execute("ROLLBACK")
        assert path.read_bytes() == held
        lamp.see(picture(1), remember=True)
        assert route(lamp).past.counts == (1, 1)
    other.close()


@pytest.mark.parametrize("format", [1, 2, 3])
def test_a_brain_of_any_format_starts_from_the_examples_it_has(path: Path, format: int) -> None:
    path.write_bytes((FIXTURES / f"brain-{format}.brain").read_bytes())
    with unrender.open(path) as brain:
        known = [own for routes in brain.symbols.values() for own in routes]
        assert known
        for own in known:
            p = np.array([[part.p for part in entry.parts] for entry in own.memory])
            assert own.past_p == pytest.approx(p.mean(0))
        first = known[0]
        count = len(first.parts)
        brain._knowledge.remember({first.name: PastRecord((2,) * count, (0.5,) * count)})
        p = np.array([[part.p for part in entry.parts] for entry in first.memory])
        by_hand = (p.sum(0) + 2 * 0.5) / (len(p) + 2)
        assert brain.symbols[first.symbol][0].past_p == pytest.approx(by_hand)
        assert brain.undo()
    with unrender.open(path) as brain:
        kept = [own for routes in brain.symbols.values() for own in routes if own.name == first.name]
        assert [own.past.counts for own in kept] == [(2,) * count]


def test_a_copy_of_what_a_brain_knows_remembers_the_same(lamp: Brain, path: Path) -> None:
    lamp.see(picture(1), remember=True)
    with Store.open(path) as store:
        copy = Brain.recall(store.read())
    assert route(copy).past == route(lamp).past


@pytest.mark.parametrize("body", [{"counts": [-1, 1], "means": [0.5, 0.5]}, {"counts": [1]}, {"counts": 7}])
def test_what_cannot_be_remembered_is_told_as_damage(lamp: Brain, path: Path, body: dict) -> None:
    rank = route(lamp).learned
    lamp.close()
    with Store.open(path) as store, store.lesson("teach", "nonsense") as lesson:
        lesson.put_record(KIND, str(rank), body)
    with unrender.open(path) as brain, pytest.raises(UnrenderError, match="damaged"):
        brain.see(picture(1))
