"""Who is who: through crossings, behind posts, after bounces."""

from __future__ import annotations

import numpy as np

import unrender
from tests.film.drawings import behind_post, frame, passing
from unrender.film.film import Film


def heights(film: Film, symbol: str) -> list[set[int]]:
    """The heights at which each track of a symbol was seen."""
    return [
        {round(node.position[1]) for node in track.observations.values()}
        for track in film.tracks
        if track.symbol == symbol
    ]


def test_two_discs_of_one_colour_that_cross_stay_who_they_are(brain: unrender.Brain) -> None:
    film = brain.watch(passing())
    assert sorted(map(sorted, heights(film, "circle"))) == [[26], [34]]
    assert all(len(track.observations) == 24 for track in film.tracks)


def test_what_goes_behind_a_post_comes_out_as_itself(brain: unrender.Brain) -> None:
    film = brain.watch(behind_post())
    (disc,) = [track for track in film.tracks if track.symbol == "circle"]
    assert (disc.first, disc.last) == (0, 29)
    assert len(disc.observations) < 30  # while it is hidden it is not seen
    late = disc.observations[29]
    assert np.allclose(late.position, (12 + 2.5 * 29, 32), atol=0.1)


def test_a_disc_that_bounces_is_the_same_disc(brain: unrender.Brain) -> None:
    places = [14 + 5 * t if t < 10 else 14 + 5 * (18 - t) for t in range(18)]
    film = brain.watch([frame([("circle", x, 32, 16, 16, "#e05030")]) for x in places])
    (disc,) = film.tracks
    speeds = [(node.velocity or (0, 0))[0] for node in disc.observations.values()]
    assert np.allclose(speeds[:8], 5, atol=0.05)
    assert np.allclose(speeds[-8:], -5, atol=0.05)


def test_tracks_are_told_by_their_first_frame_and_the_largest_first(brain: unrender.Brain) -> None:
    small, large = ("circle", 20, 20, 12, 12, "#e05030"), ("circle", 60, 30, 30, 30, "#40c070")
    late = ("box", 20, 50, 12, 12, "#4060e0")
    film = brain.watch([frame([small, large])] * 2 + [frame([small, large, late])] * 2)
    assert [(track.number, track.first, track.symbol) for track in film.tracks] == [
        (0, 0, "circle"), (1, 0, "circle"), (2, 2, "square"),
    ]  # fmt: skip
    assert film.tracks[0].observations[0].size[0] > 25


def test_two_discs_that_overlap_at_first_are_two_from_the_first_frame_on(brain: unrender.Brain) -> None:
    film = brain.watch(passing()[10:])  # one blob of one colour, until they part
    assert sorted(map(sorted, heights(film, "circle"))) == [[26], [34]]
    assert [(track.first, track.last) for track in film.tracks] == [(0, 13), (0, 13)]
