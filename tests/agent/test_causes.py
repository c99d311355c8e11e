"""The four causes, by name."""

import pytest

from unrender import Cause, UnrenderError


@pytest.mark.parametrize("name", ["A.1", "a.1", "A1", " a1 ", Cause.LACKING_ROUTE])
def test_a_cause_is_found_by_its_name_however_it_is_written(name: str) -> None:
    assert Cause.of(name) is Cause.LACKING_ROUTE


@pytest.mark.parametrize("name", ["", "A", "A.3", "C.1", "A.1.1"])
def test_an_unknown_cause_is_one_error_that_lists_the_known_ones(name: str) -> None:
    with pytest.raises(UnrenderError, match=r"A\.1, A\.2, B\.1 and B\.2"):
        Cause.of(name)


def test_a_is_about_parts_and_1_has_a_known_word() -> None:
    assert [cause for cause in Cause if cause.about_parts] == ["A.1", "A.2"]
    assert [cause for cause in Cause if cause.known_word] == ["A.1", "B.1"]
