"""The sliders of the inspector: what can be moved of each kind, and nothing that would change nothing."""

import pytest

from unrender import Observation, Scene, UnrenderError
from unrender.studio.desk.editing import _set, knobs
from unrender.studio.panels.shapes import nodes

LOOKS = {"red": 1.0, "green": 0.0, "blue": 0.0, "filled": 1.0, "thickness": 0.0}
POSE = ["x", "y", "width", "height", "rotation"]
CORNER = (0.0, -1.0, -1.0, 0.0, 1.0, -1.0, 8.0, 1.0, 1.0)


def shown(symbol: str, form: tuple[float, ...] | None = None, **own: float) -> Scene:
    return Scene(60, 60, [Observation(symbol, (30, 30), (20, 10), 0.0, LOOKS | own, form=form)])


@pytest.mark.parametrize(
    ("symbol", "names"),
    [
        ("edge", ["cap"]),
        ("arc", ["start", "sweep", "thickness"]),
        ("square", ["corner", "filled", "thickness"]),
        ("circle", ["filled", "thickness"]),
    ],
)
def test_every_parameter_has_a_slider_whether_it_was_told_or_not(symbol: str, names: list[str]) -> None:
    scene = shown(symbol)
    found = knobs(scene.axioms[0], scene)
    assert [knob.name for knob in found] == [*POSE, *names]
    for knob in found:
        assert knob.low <= knob.value <= knob.high


def test_a_parameter_that_was_not_told_can_be_set() -> None:
    scene = shown("square")
    before = scene.image.copy()
    _set(scene.axioms[0], "corner", 1.0)
    assert (scene.image != before).any()
    with pytest.raises(UnrenderError, match="has no attribute"):
        _set(scene.axioms[0], "cap", 1.0)


def test_strokes_do_not_hide_from_the_pointer_what_they_lead_around() -> None:
    bent = shown("path", CORNER, thickness=0.1)
    assert [node["hollow"] for node in nodes(bent)] == [True]
    assert nodes(bent)[0]["path"] == "M 20 25 L 40 25 L 40 35"
    assert [node["hollow"] for node in nodes(shown("circle"))] == [False]
