"""What no shape explains is kept in the scene, and said."""

import numpy as np
import pytest

from unrender import Observation, Scene, UnrenderError
from unrender.scene.residual import Residual


def scene(share: float) -> Scene:
    made = Scene(12, 8, [Observation("circle", (6.0, 4.0), (4.0, 4.0))])
    mask = np.zeros((8, 12), bool)
    mask[2:5, 1:3] = share > 0
    made.residual = Residual(mask, share)
    return made


def test_a_scene_that_nobody_says_otherwise_of_is_explained() -> None:
    plain = Scene(12, 8, [])
    assert plain.residual.share == 0.0
    assert plain.residual.mask.shape == (8, 12)
    assert not plain.residual.mask.any()


def test_it_is_kept_in_the_file() -> None:
    again = Scene.from_dict(scene(0.3).to_dict())
    assert again.residual.share == 0.3
    assert np.array_equal(again.residual.mask, scene(0.3).residual.mask)
    assert scene(0.0).to_dict()["residual"] == {"share": 0.0, "mask": None}


@pytest.mark.parametrize(
    ("share", "said"), [(0.34, "A third"), (0.5, "Half"), (0.72, "Three quarters"), (1.0, "All")]
)
def test_a_large_one_is_said(share: float, said: str) -> None:
    assert scene(share).describe().endswith(f"{said} of the picture is not understood.")


def test_a_small_one_is_not_said() -> None:
    assert "understood" not in scene(0.1).describe()


@pytest.mark.parametrize("residual", [{"share": 2}, {"share": 0.5, "mask": "???"}, {}, []])
def test_a_bad_one_is_an_error_of_one_sentence(residual: object) -> None:
    data = scene(0.3).to_dict() | {"residual": residual}
    with pytest.raises(UnrenderError, match=r"^This is not a scene graph.*\.$"):
        Scene.from_dict(data)
