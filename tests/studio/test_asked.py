"""Which known words are offered while somebody types."""

from dataclasses import replace

from unrender.studio.desk.asked import Asked

ASKED = Asked("What?", (), "A.1", ("A.1", "A.2"), (), (), ("ship", "shop", "worship"), ("wooden",), "ship")


def test_a_known_object_is_offered_as_soon_as_it_is_wanted() -> None:
    assert ASKED.offered("A.1", "") == ["ship", "shop", "worship"]


def test_words_that_begin_alike_come_first() -> None:
    assert ASKED.offered("A.1", "SHI") == ["ship", "worship"]


def test_for_a_new_word_known_ones_are_offered_only_while_typing() -> None:
    assert ASKED.offered("A.2", "") == []
    assert ASKED.offered("A.2", "wo") == ["worship", "wooden"]


def test_looks_are_offered_for_looks() -> None:
    assert ASKED.offered("B.1", "") == ["wooden"]


def test_a_word_shows_what_is_meant() -> None:
    assert [ASKED.meant(word) for word in ("", "ship", "wooden", "boat")] == ["A.1", "A.1", "B.1", "A.2"]


def test_of_reasons_that_differ_in_degree_the_strongest_is_told() -> None:
    reasons = ("it fits with less than 0.9", "only the pose differs", "it fits with less than 0.8")
    asked = replace(ASKED, features=("fit 0.9", "pose", "fit 0.8"), reasons=reasons)
    assert asked.grounds == {"fit 0.8": "it fits with less than 0.8", "pose": "only the pose differs"}
