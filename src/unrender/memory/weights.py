"""Network weights as the bytes of a safetensors file: numbers and names, nothing that could run."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from unrender.errors import UnrenderError

if TYPE_CHECKING:
    from numpy.typing import NDArray


def pack(arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """Named arrays of any shape as one blob."""
    import numpy as np
    from safetensors.numpy import save

    # The format writes memory as it lies, so that a view (transposed, sliced) would come back scrambled.
    return save({name: np.array(array, order="C") for name, array in arrays.items()})


def unpack(blob: bytes) -> dict[str, NDArray[Any]]:
    """The arrays of `pack`, with their types and shapes."""
    from safetensors import SafetensorError
    from safetensors.numpy import load

    try:
        return load(blob)
    except (SafetensorError, ValueError, KeyError, TypeError):
        raise UnrenderError("Weights in the brain file are damaged; restore the file from a copy.") from None
