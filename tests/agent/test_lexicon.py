"""Questions are English sentences: what it resembles, what differs and how much, what is wanted."""

import re
from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unrender import Observation, UnrenderError
from unrender.agent.causes import Cause
from unrender.agent.lexicon import Difference, ask


def circles(count: int, apart: float = 20.0) -> list[Observation]:
    return [Observation("circle", (apart * i, 0.0), (15.0, 15.0)) for i in range(count)]


SHIP = [
    Observation("square", (0.0, 0.0), (15.0, 15.0)),
    Observation("circle", (0.0, -18.0), (15.0, 15.0)),
    *(Observation("triangle", (x, 0.0), (11.0, 11.0)) for x in (-15.0, 15.0)),
]


def about_style(*differences: Difference, looks: Mapping[str, float] | None = None) -> str:
    return ask("B.2", SHIP, "ship", looks or {}, differences)


def test_the_question_of_the_paper() -> None:
    assert ask("B.2", SHIP, "chair", {"modern": 0.5}, [Difference("wooden", 0.9, 0.5)]) == (
        "This object looks similar to a modern chair, but is very wooden instead. "
        "What adjective best describes this style?"
    )


def test_parts_without_a_name() -> None:
    assert ask("A.2", circles(3), None, {}, []) == (
        "I see three circles close together that I have no name for. What new noun best describes them?"
    )
    assert ask("A.2", circles(3, apart=300), None, {}, []).startswith("I see three circles that I have")
    assert ask("A.2", SHIP, None, {}, []).startswith(
        "I see a square, a circle and two triangles close together"
    )
    assert ask("A.2", circles(1), None, {}, []) == (
        "I see a circle that I have no name for. What new noun best describes it?"
    )


def test_parts_that_resemble_something_known() -> None:
    moved = [Difference("position", 0.3, 0.0, "second circle"), Difference("size", 8, 15, "second circle")]
    assert ask("A.1", circles(3), "asteroid", {}, moved) == (
        "These three circles resemble an asteroid, but its second circle sits elsewhere and is much smaller. "
        "Is this also an asteroid?"
    )
    assert ask("A.1", SHIP, "asteroid", {}, []) == (
        "This group of a square, a circle and two triangles resembles an asteroid, but does not quite "
        "match it. Is this also an asteroid?"
    )
    assert ask(Cause.MISSING_CAPSULE, circles(3), "asteroid", {"damaged": 0.2}, moved[:1]) == (
        "These three circles look a little like a slightly damaged asteroid, but its second circle sits "
        "elsewhere. What new noun best describes them?"
    )


def test_parts_that_differ_alike_are_told_together() -> None:
    moved = [Difference("position", 0.3, 0.0, f"{which} circle") for which in ("second", "third")]
    assert "but its second and third circles sit elsewhere." in ask("A.1", circles(3), "asteroid", {}, moved)


@pytest.mark.parametrize(
    ("difference", "words"),
    [
        (Difference("wooden", 0.9, 0.8), "but is slightly more wooden."),
        (Difference("wooden", 0.2, 0.7), "but is much less wooden."),
        (Difference("wooden", 0.0, 0.7), "but is not wooden."),
        (Difference("size", 11, 10), "but is slightly larger."),
        (Difference("width", 10, 20, "left wing"), "but its left wing is much narrower."),
        (Difference("rotation", 170, -170), "but is turned anticlockwise by about 20 degrees."),
        (Difference("rotation", 5, 0), "but is turned slightly clockwise."),
        (Difference("rotation", -90, 90), "but is upside down."),
        (Difference("x", -0.3, 0.0, "circle"), "but its circle sits further left."),
        (Difference("position", 0.05, 0.0, "circle"), "but its circle sits a little way off."),
        (Difference("filled", 1.0, 0.0), "but is filled instead."),
        (Difference("thickness", 0.3, 0.1), "but is more thickly outlined."),
        (Difference("thrusting", 0.9, 0.0), "but is thrusting strongly."),
        (Difference("thrusting", 0.0, 0.9), "but is not thrusting."),
        (Difference("red", 1.0, 0.0), "but is of another colour."),
        (Difference("wooden", 0.5, 0.5), "but does not quite match it."),
    ],
)
def test_how_much_one_thing_differs(difference: Difference, words: str) -> None:
    assert words in about_style(difference)


def test_red_green_and_blue_are_one_colour() -> None:
    channels = [Difference("red", 1, 1), Difference("green", 0, 1), Difference("blue", 0, 1)]
    assert "but is red instead of white." in about_style(*channels)


@pytest.mark.parametrize(
    ("cause", "attributes", "wanted"),
    [
        ("B.1", ["wooden"], "Which known adjective best describes this style?"),
        ("B.2", ["wooden"], "What adjective best describes this style?"),
        ("B.2", ["rotation", "size"], "What word best describes this pose?"),
        ("B.1", ["rotation", "wooden"], "Which known word best describes this style or pose?"),
        ("B.2", ["thrusting"], "What verb best describes what it does?"),
        ("B.2", [], "What word best describes this style or pose?"),
    ],
)
def test_what_is_wanted_depends_on_what_differs(cause: str, attributes: list[str], wanted: str) -> None:
    differences = [Difference(name, 0.8, 0.2) for name in attributes]
    assert ask(cause, SHIP, "ship", {}, differences).endswith(wanted)


def test_only_the_most_telling_differences_are_told() -> None:
    names = ("wooden", "old", "burnt", "bent", "wet")
    text = about_style(*(Difference(name, 0.1 + 0.15 * i, 0.05) for i, name in enumerate(names)))
    assert "but is wet, bent and burnt, among other things." in text


def test_only_the_strongest_looks_are_told() -> None:
    looks = {"wooden": 0.9, "old": 0.5, "burnt": 0.4, "bent": 0.3, "wet": 0.0, "thrusting": 0.6}
    assert "similar to a very wooden, old ship that is thrusting, but" in about_style(looks=looks)


def test_an_unknown_cause_is_an_error() -> None:
    with pytest.raises(UnrenderError, match=r"one of A\.1, A\.2, B\.1 and B\.2"):
        ask("C.3", SHIP, None, {}, [])


NOUNS = ["circle", "asteroid", "umbrella", "unicorn", "hour-glass", "dining_room"]
STYLES = ["wooden", "old", "thrusting", "red", "green", "blue", "filled", "thickness"]
values = st.floats(0, 1)
differences = st.builds(
    Difference,
    st.sampled_from([*STYLES, "position", "rotation", "size", "x", "y", "width", "height"]),
    *(values, values),
    st.sampled_from([None, "first circle", "second circle", "left_wing"]),
)
parts = st.lists(
    st.builds(
        Observation,
        st.sampled_from(NOUNS),
        st.tuples(st.floats(0, 99), st.floats(0, 99)),
        st.tuples(st.floats(1, 20), st.floats(1, 20)),
    ),
    max_size=6,
)
WRONG = re.compile(
    r"  | [.,;?]|\.\.|,,|\band and\b|\b(a|an|the|is|are|of|and|but) [.,;?]|\b(is|are) (is|are)\b|None|_"
    r"|\ba (asteroid|umbrella|hour|old)|\ban (circle|unicorn|dining|wooden|very|slightly|red)"
    r"|\b(this|a|an|one) (circles|asteroids|umbrellas|unicorns|hour glasses|dining rooms)\b"
    r"|\b(these \w+|two|three) (circle|asteroid|umbrella|unicorn|hour glass|dining room)\b"
)


@settings(deadline=None, max_examples=50, derandomize=True)
@given(
    st.sampled_from(["A.1", "A.2", "B.1", "B.2"]),
    parts,
    st.sampled_from([None, *NOUNS]),
    st.dictionaries(st.sampled_from(STYLES), values, max_size=6),
    st.lists(differences, max_size=6),
)
def test_every_question_is_well_formed(
    cause: str,
    seen: Sequence[Observation],
    resembles: str | None,
    looks: Mapping[str, float],
    differing: Sequence[Difference],
) -> None:
    text = ask(cause, seen, resembles, looks, differing)
    assert re.fullmatch(r"[A-Z][^.?]*[a-z]\. [A-Z][^.?]*[a-z]\?", text), text
    assert not WRONG.search(text), text
