"""Weights as bytes."""

import numpy as np
import pytest

from unrender.errors import UnrenderError
from unrender.memory.weights import pack, unpack


def test_weights_come_back_with_their_types_and_shapes() -> None:
    rng = np.random.default_rng(1)
    arrays = {
        "single": rng.normal(size=(3, 4)).astype(np.float32),
        "half": rng.normal(size=5).astype(np.float16),
        "turned": rng.normal(size=(3, 4)).T,
        "every other": np.arange(10)[::2],
        "scalar": np.array(7, dtype=np.int64),
        "empty": np.zeros((0, 2)),
    }
    again = unpack(pack(arrays))
    assert set(again) == set(arrays)
    for name, array in arrays.items():
        assert again[name].dtype == array.dtype
        np.testing.assert_array_equal(again[name], array)
    assert unpack(pack({})) == {}


@pytest.mark.parametrize(
    "damage", [lambda b: b"", lambda b: b[:-1], lambda b: b"\xff" * len(b), lambda b: b[8:]]
)
def test_damaged_weights_are_named(damage: object) -> None:
    blob = pack({"a": np.ones((2, 3))})
    with pytest.raises(UnrenderError, match="Weights in the brain file are damaged"):
        unpack(damage(blob))  # type: ignore[operator]


def test_unpacking_runs_no_code() -> None:
    import pickle

    with pytest.raises(UnrenderError):
        unpack(pickle.dumps({"a": np.ones(2)}))
