"""Wholes of one colour: told in pieces where they are not known, and seen as one where they are."""

import math

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

import unrender
from unrender.brain import Brain
from unrender.capsules.geometry import ANGLE, LOG_H, LOG_W, Shapes, distances, distances_and_slopes
from unrender.capsules.silhouettes import Silhouette, silhouette_of
from unrender.scene import Observation

Image = NDArray[np.uint8]
RED = (0.9, 0.1, 0.2)


def keyhole(
    brain: Brain, colour: tuple[float, float, float], place: tuple[float, float] = (42, 42), turn: float = 0.0
) -> Image:
    """A circle that a triangle below it runs into, without antialiasing: two shapes of one colour."""
    red, green, blue = colour
    angle = math.radians(turn)
    canvas: Image = np.full((84, 84, 3), 60, np.uint8)
    for symbol, off, size in (("circle", -9.0, (24.0, 24.0)), ("triangle", 9.0, (30.0, 36.0))):
        centre = (place[0] - off * math.sin(angle), place[1] + off * math.cos(angle))
        canvas = brain.draw(
            symbol, position=centre, size=size, rotation=turn, red=red, green=green, blue=blue, canvas=canvas
        )
    return canvas


@pytest.fixture(scope="module")
def taught() -> Brain:
    brain = unrender.open()
    brain.teach(brain.see(keyhole(brain, RED)), "keyhole")
    return brain


def the_silhouette(brain: Brain) -> Silhouette:
    (route,) = brain.symbols["keyhole"]
    silhouette = silhouette_of(route, 1)
    assert silhouette is not None
    return silhouette


def test_what_no_shape_explains_is_told_as_several_that_make_it_up() -> None:
    brain = unrender.open()
    picture = keyhole(brain, RED)
    scene = brain.see(picture)
    assert 2 <= len(scene.axioms) <= 4
    wrong = np.abs(scene.image.astype(int) - picture).max(axis=2) > 60
    assert wrong.sum() < 0.03 * (picture[..., 0] > 120).sum()


def test_a_patch_with_holes_and_spikes_is_not_guessed_at() -> None:
    picture = np.full((64, 64, 3), 200, np.uint8)
    picture[8:56:6, 8:56] = picture[8:56, 8:56:6] = (20, 40, 90)  # a lattice
    assert not [o for o in unrender.open().see(picture).axioms if o.attributes["filled"] > 0.5]


@pytest.mark.parametrize("turn", [0.0, 100.0])
def test_a_whole_of_one_colour_is_found_in_another_colour_and_turn(taught: Brain, turn: float) -> None:
    (found,) = taught.see(keyhole(taught, (0.2, 0.8, 0.9), (38, 44), turn)).axioms
    assert found.symbol == "keyhole"
    assert abs(math.remainder(found.rotation - turn, 360)) < 3


def test_it_is_found_where_another_shape_hides_a_corner_of_it(taught: Brain) -> None:
    picture = keyhole(taught, (0.2, 0.8, 0.9))
    picture = taught.draw("square", position=(64, 60), size=(30, 20), red=0.9, green=0.8, canvas=picture)
    assert sorted(found.symbol for found in taught.see(picture).axioms) == ["keyhole", "square"]


def test_the_distance_to_a_form_is_that_to_its_nearest_part(taught: Brain) -> None:
    silhouette = the_silhouette(taught)
    parts = silhouette.parts((0.0, 0.0), 40.0, 0.0)
    assert [part.symbol for part in parts] == list(taught.symbols["keyhole"][0].parts)
    x = torch.tensor([part.position[0] for part in parts])
    y = torch.tensor([part.position[1] for part in parts])
    half = torch.tensor(20.0)
    assert (silhouette.distance(x, y, half, half) < -2).all()
    assert float(silhouette.distance(torch.tensor(60.0), torch.tensor(0.0), half, half)) > 30


def test_its_slopes_are_the_finite_differences_of_its_distance(taught: Brain) -> None:
    silhouette = the_silhouette(taught)
    assert silhouette.compiled_normal is not None
    random = torch.Generator().manual_seed(4)
    x, y = 84 * torch.rand(2, 1, 400, generator=random)
    pose = torch.tensor([[40.0, 44.0, math.log(50.0), math.log(30.0), 0.7, 0.0]])
    shapes = Shapes((silhouette,), torch.zeros(1).long(), pose, torch.ones(1).bool())
    signed, slopes = distances_and_slopes(shapes, x, y)
    away = torch.stack([x - 40, y - 44])
    own = torch.tensor([[math.cos(0.7), math.sin(0.7)], [-math.sin(0.7), math.cos(0.7)]])
    a, b = (pose[:, column].exp() / 2 for column in (LOG_W, LOG_H))
    expected = silhouette.distance(*torch.einsum("ij,jnm->inm", own, away), a, b)
    assert torch.allclose(signed, expected, atol=1e-4)
    for column in range(ANGLE + 1):
        step = torch.zeros_like(pose)
        step[:, column] = 0.002
        ahead, back = (distances(shapes.with_pose(pose + sign * step), x, y) for sign in (1, -1))
        off = ((ahead - back) / 0.004 - slopes[:, column]).abs()
        assert off.median() < 0.02
        assert (off < 0.5).float().mean() > 0.97  # but where two parts are equally near


def test_parts_of_several_colours_make_no_form() -> None:
    brain = unrender.open()
    picture = brain.draw("circle", position=(30, 42), size=(24, 24), red=1.0)
    picture = brain.draw("square", position=(54, 42), size=(24, 24), blue=1.0, canvas=picture)
    brain.teach(brain.see(picture), "lamp")
    (route,) = brain.symbols["lamp"]
    assert silhouette_of(route, 1) is None


def test_a_form_that_bends_around_its_middle_is_none() -> None:
    brain = unrender.open()
    bars = [((20.0, 40.0), (8.0, 60.0)), ((60.0, 40.0), (8.0, 60.0)), ((40.0, 66.0), (48.0, 8.0))]
    looks = {"red": 1.0, "green": 0.0, "blue": 0.0, "filled": 1.0, "thickness": 0.0}
    parts = [Observation("square", place, size, 0.0, dict(looks)) for place, size in bars]
    scene = unrender.Scene(84, 84, parts)
    brain.teach(scene, "cup")
    (route,) = brain.symbols["cup"]
    assert silhouette_of(route, 1) is None
