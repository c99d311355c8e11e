"""Nouns, articles, numbers, adjectives and verbs are correct English."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unrender.scene.language.colours import colour
from unrender.scene.language.words import (
    adjective,
    adverb,
    all_of,
    article,
    counted,
    described,
    doing,
    listed,
    looks,
    noun,
    ordinal,
    participle,
    plural,
    with_article,
)


@pytest.mark.parametrize(
    ("name", "read"),
    [("ship", "ship"), ("belt-scene", "belt scene"), ("dining_room", "dining room"), ("_", "thing")],
)
def test_a_symbol_reads_as_a_compound_noun(name: str, read: str) -> None:
    assert noun(name) == read


@pytest.mark.parametrize(
    ("one", "many"),
    [
        *(("asteroid", "asteroids"), ("box", "boxes"), ("church", "churches"), ("bus", "buses")),
        *(("berry", "berries"), ("day", "days"), ("leaf", "leaves"), ("knife", "knives"), ("roof", "roofs")),
        *(("man", "men"), ("fireman", "firemen"), ("human", "humans"), ("sheep", "sheep")),
        *(("hero", "heroes"), ("photo", "photos"), ("axis", "axes"), ("iris", "irises")),
        *(("spacecraft", "spacecraft"), ("stairs", "stairs"), ("UFO", "UFOs"), ("X", "Xs")),
        *(("belt scene", "belt scenes"), ("car box", "car boxes"), ("Child", "Children")),
    ],
)
def test_plurals_follow_the_rules_and_their_exceptions(one: str, many: str) -> None:
    assert plural(one) == many


@pytest.mark.parametrize(
    "phrase",
    [
        *("asteroid", "hour", "heir", "umbrella", "unidentified ship", "uneven edge", "8-sided die", "11"),
        *("18", "80", "X", "F", "x1", "SVG", "LED", "old unicorn", "onion"),
    ],
)
def test_an_goes_before_a_vowel_sound(phrase: str) -> None:
    assert article(phrase) == "an"
    assert with_article(phrase) == f"an {phrase}"


@pytest.mark.parametrize(
    "phrase",
    [
        *("ship", "unicorn", "unit", "user", "one-way street", "euro", "ewe", "hat", "yellow egg", "110"),
        *("7-sided die", "U", "UFO", "NASA"),
    ],
)
def test_a_goes_before_a_consonant_sound(phrase: str) -> None:
    assert article(phrase) == "a"


def test_numbers_are_words_up_to_twelve() -> None:
    assert [counted(n, "circle") for n in (0, 1, 3, 12, 13)] == [
        *("no circles", "one circle", "three circles", "twelve circles", "13 circles")
    ]
    assert (all_of(2, "ship"), all_of(3, "ship")) == ("both ships", "all three ships")
    assert [ordinal(n) for n in (1, 2, 11, 21, 112)] == ["first", "second", "11th", "21st", "112th"]


def test_lists_end_in_and() -> None:
    assert [listed(["a", "b", "c"][:n]) for n in range(4)] == ["", "a", "a and b", "a, b and c"]
    assert listed(["red and blue", "filled"]) == "red and blue, and filled"


@pytest.mark.parametrize(
    ("channels", "name"),
    [
        *(
            ((0, 0, 0), "black"),
            ((1, 1, 1), "white"),
            ((0.5, 0.5, 0.5), "grey"),
            ((0.8, 0.8, 0.8), "light grey"),
        ),
        *(((1, 0, 0), "red"), ((0, 0.8, 0), "green"), ((0, 0, 1), "blue"), ((1, 1, 0), "yellow")),
        *(((0.5, 0, 0), "dark red"), ((1, 0.5, 0), "orange"), ((0.5, 0.25, 0.1), "brown")),
        *(((0, 0, 0.4), "dark blue"), ((0.65, 0.8, 1), "light blue"), ((1, 0, 1), "magenta")),
        *(((0, 1, 1), "cyan"), ((1, 0.7, 0.75), "pink"), ((0.5, 0, 0.6), "purple")),
    ],
)
def test_colours_have_their_everyday_names(channels: tuple[float, float, float], name: str) -> None:
    assert colour(*channels) == name


@settings(deadline=None, max_examples=50, derandomize=True)
@given(st.tuples(*[st.floats(-0.1, 1.1)] * 3))
def test_every_colour_has_a_name(shade: tuple[float, float, float]) -> None:
    assert colour(*shade).replace(" ", "").isalpha()


def test_the_value_is_the_adverb() -> None:
    assert [adverb(value) for value in (0.05, 0.2, 0.5, 0.9)] == [None, "slightly", "", "very"]
    assert adjective("damaged", 0.2) == "slightly damaged"
    assert adjective("wooden", 1.0) == "very wooden"
    assert adjective("half-open", 0.5) == "half open"
    assert adjective("wooden", 0.0) == ""
    assert [adjective("filled", value) for value in (0.9, 0.1)] == ["filled", "outlined"]
    assert [adjective("thickness", value) for value in (0.02, 0.1, 0.4)] == ["thin", "", "thick"]


def test_attributes_that_change_over_time_are_verbs() -> None:
    assert doing("thrusting", 0.2) == "thrusting slightly"
    assert doing("walk", 1.0) == "walking strongly"
    assert doing("walk", 0.0) == ""
    forms = [participle(verb) for verb in ("run", "make", "die", "see", "sing", "open", "fly")]
    assert forms == ["running", "making", "dying", "seeing", "singing", "opening", "flying"]


def test_looks_are_styles_then_verbs_then_colour_and_outline() -> None:
    red = {"red": 1.0, "green": 0.0, "blue": 0.0}
    style = {"damaged": 0.2, "wooden": 0.9, "old": 0.01}
    assert looks(red | style | {"filled": 0.0, "thickness": 0.03, "thrusting": 0.5}) == [
        *("very wooden", "slightly damaged", "thrusting", "red", "thinly outlined")
    ]
    assert looks({"walk": 0.5, "wooden": 0.5}, verbs=["walk"]) == ["wooden", "walking"]
    assert described("ship", red | style | {"thrusting": 0.2}) == (
        "very wooden, slightly damaged red ship that is thrusting slightly"
    )
    assert described("ship", {}) == "ship"
