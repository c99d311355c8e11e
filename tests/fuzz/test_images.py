"""Pictures: bytes of every format that Pillow reads, damaged, and arrays of every shape and type."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest
from hypothesis import strategies as st
from PIL import Image

import unrender
from unrender.scene.picture import read_picture

from .cases import HERE, corpus, ended, fuzz, kept
from .mutators import mutated, numbers

FILES = sorted((HERE / "corpus" / "images").glob("*"))
LARGE = 256 * 256  # px
FAMILIES = sorted({path.suffix for path in FILES})


@pytest.fixture(scope="module")
def brain() -> unrender.Brain:
    return unrender.open()


def see(brain: unrender.Brain, source: object) -> None:
    """See a picture and draw it again, without a warning to the terminal.

    What decodes to a large picture is a good one, which takes its time to be seen: that is only read.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        picture = ended(lambda: read_picture(source))
        if picture is None or picture.pixels[..., 0].size > LARGE:
            return
        scene = ended(lambda: brain.see(source))
        if scene is not None:
            assert scene.image.shape == (scene.height, scene.width, 3)


def test_every_format_that_is_read_is_in_the_corpus() -> None:
    Image.init()
    opened = set()
    for path in FILES:
        with Image.open(path) as image:
            opened.add(image.format)
    needless = {"EPS"}  # it would run another program, so we do not read it
    stubs = {"BUFR", "GRIB", "HDF5", "WMF", "MPEG"}  # Pillow knows their names only
    rare = {"FTEX", "IMT", "IPTC", "MCIDAS", "PCD", "PIXAR", "XVTHUMB"}
    assert set(Image.OPEN) - needless - stubs - rare <= opened


@pytest.mark.parametrize("family", FAMILIES)
def test_a_damaged_picture_is_seen_or_refused(brain: unrender.Brain, tmp_path: Path, family: str) -> None:
    own = [path.read_bytes() for path in FILES if path.suffix == family]

    @fuzz(2, content=mutated([*own * 8, *corpus("images")]))
    def check(content: bytes) -> None:
        (tmp_path / "picture").write_bytes(content)
        see(brain, tmp_path / "picture")

    check()


@pytest.mark.parametrize("path", kept("images"), ids=lambda path: path.name)
def test_a_picture_that_once_failed_does_not_fail_again(brain: unrender.Brain, path: Path) -> None:
    see(brain, path)


sides = st.sampled_from([0, 1, 15, 16, 17, 24, 33, 40, 4097])
shapes = (
    st.tuples(sides, sides)
    | st.tuples(sides, sides, st.integers(0, 5))
    | st.lists(st.integers(0, 4), max_size=5).map(tuple)
)
TYPES = [
    "?",
    "u1",
    "i1",
    "<u2",
    ">u2",
    "<i4",
    "u8",
    "f2",
    "f4",
    ">f4",
    "f8",
    "g",
    "c8",
    "O",
    "U3",
    "S3",
    "M8[s]",
    "V4",
]


def array(shape: tuple[int, ...], kind: str, low: float, high: float, odd: float, seed: int) -> np.ndarray:
    """Noise between two values, with one odd number among it; what the type cannot hold is left out."""
    rng = np.random.default_rng(seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            made = rng.uniform(low, high, shape).astype(kind)
            if made.size:
                made.flat[seed % made.size] = odd
        except (TypeError, ValueError, OverflowError):
            made = np.zeros(shape, kind)
    return made[::-1] if seed % 5 == 0 and made.ndim else made


@fuzz(
    15,
    source=st.builds(
        array,
        shapes,
        st.sampled_from(TYPES),
        st.sampled_from([0.0, -1.0, 0.2]),
        st.sampled_from([0.21, 1.0, 255.0, 1e30]),
        numbers.filter(lambda value: abs(value) < 1e308 or value != value),
        st.integers(0, 99),
    )
    | st.sampled_from([None, 3, b"", b"\x89PNG", "", "\0", "\ud800", "a" * 300, [], object(), np.float64(1)]),
)
def test_any_array_is_seen_or_refused(brain: unrender.Brain, source: object) -> None:
    see(brain, source)
