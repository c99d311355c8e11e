"""Parameters that only one primitive has, like the cap of an edge, are edited by name."""

import pytest

from unrender import Observation, Scene, UnrenderError

BLUE = {"red": 0.0, "green": 0.0, "blue": 1.0, "filled": 1.0, "thickness": 0.0}


@pytest.fixture
def scene() -> Scene:
    """A line, an arc and a square, of whose own parameters only the sweep of the arc is told."""
    line = Observation("edge", (100, 50), (30, 4), 0.0, dict(BLUE))
    arc = Observation("arc", (140, 50), (24, 24), 0.0, BLUE | {"filled": 0.0, "thickness": 0.1, "sweep": 0.4})
    return Scene(240, 100, [line, arc, Observation("square", (220, 50), (16, 16), 0.0, dict(BLUE))])


@pytest.mark.parametrize(
    ("edit", "symbol", "name", "value"),
    [
        ("edge.1.cap=0", "edge", "cap", 0.0),
        ("edge.*.cap+=0.25", "edge", "cap", 0.25),
        ("square.1.corner=0.5", "square", "corner", 0.5),
        ("arc.1.start=0.25", "arc", "start", 0.25),
        ("arc.1.sweep*=0.5", "arc", "sweep", 0.2),
    ],
)
def test_own_parameters_of_a_primitive_are_set_even_if_none_was_told(
    scene: Scene, edit: str, symbol: str, name: str, value: float
) -> None:
    scene.edit(edit)
    node = next(own for own in scene.axioms if own.symbol == symbol)
    assert node.attributes[name] == pytest.approx(value)


def test_a_round_cap_that_is_set_is_drawn(scene: Scene) -> None:
    corner = (48, 85)  # of the box of the line
    assert scene.image[corner][2] == 255
    scene.edit("edge.1.cap=1")
    assert scene.image[corner][2] < 128
    scene.edit("edge.1.cap=0")
    assert scene.image[corner][2] == 255


@pytest.mark.parametrize(
    ("edit", "complaint"),
    [
        ("square.1.cap=1", 'square.1 has no attribute "cap"'),
        ("edge.1.cap=2", 'The attribute "cap" must lie between 0 and 1, not 2'),
    ],
)
def test_what_is_no_parameter_of_a_primitive_is_refused(scene: Scene, edit: str, complaint: str) -> None:
    with pytest.raises(UnrenderError) as error:
        scene.edit(edit)
    assert complaint in str(error.value)
