"""Pictures that were compressed: ringing is no shape, and edges are placed although chroma is smeared."""

import io
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from unrender.perception.image.chroma import halved_chroma
from unrender.perception.image.compression import estimate_ringing, has_halved_chroma
from unrender.perception.image.model import ImageModel
from unrender.perception.image.noise import estimate_noise
from unrender.perception.image.repeated import with_smooth_chroma
from unrender.perception.pipeline import see_primitives
from unrender.primitives.protocol import Primitive

sys.path.insert(0, str(Path(__file__).parent))
from drawing import picture

GREY, RED, GREEN, BLUE = (0.8, 0.8, 0.8), (0.9, 0.2, 0.1), (0.1, 0.7, 0.3), (0.2, 0.3, 0.9)
SHAPES = [
    ("circle", 33.3, 36.8, 40, 30, 25, BLUE, None, 0),
    ("square", 90.2, 40.7, 30, 36, 10, RED, None, 0),
    ("triangle", 60.6, 92.1, 44, 40, 0, GREEN, None, 0),
]
Kinds = Sequence[Primitive]


def jpeg(image: np.ndarray, quality: int, subsampling: int) -> np.ndarray:
    """The picture as a JPEG file has it; subsampling 2 halves the resolution of chroma, 0 does not."""
    file = io.BytesIO()
    pixels = np.round(image * 255).astype(np.uint8)
    Image.fromarray(pixels).save(file, "JPEG", quality=quality, subsampling=subsampling)
    with Image.open(file) as decoded:
        return np.asarray(decoded.convert("RGB"), np.float32) / 255


def test_compression_is_told_by_what_it_does_to_edges() -> None:
    image = picture((128, 128), GREY, SHAPES)
    assert estimate_ringing(image, 0.002) == 0
    assert not has_halved_chroma(image)
    strong, weak = (estimate_ringing(jpeg(image, quality, 2), 0.002) for quality in (75, 92))
    assert strong > weak > 0
    assert has_halved_chroma(jpeg(image, 75, 2))
    assert not has_halved_chroma(jpeg(image, 75, 0))


def test_noise_is_no_compression() -> None:
    image = picture((128, 128), GREY, SHAPES, 0.03)
    assert estimate_ringing(image, 0.03) == 0
    assert not has_halved_chroma(image)


def test_thin_outlines_in_noise_are_no_compression_but_those_of_a_file_are() -> None:
    rings = [("circle", *place, 15, 15, 0, None, (0.8, 0.9, 0.8), 1.3) for place in ((40, 40), (52, 49))]
    for seed in range(8):
        image = picture((80, 80), (0, 0, 0), rings, 0.01, seed)
        assert estimate_ringing(image, estimate_noise(image)) == 0
        lossy = jpeg(image, 75, 2)
        assert estimate_ringing(lossy, estimate_noise(lossy)) > 0


def test_chroma_of_a_drawing_is_lost_as_in_a_file_and_luma_stays() -> None:
    image = picture((96, 80), GREY, [("circle", 40, 40, 50, 44, 0, RED, None, 0)])
    luma = np.array([0.299, 0.587, 0.114])
    lost = halved_chroma(image, 0, 0)
    assert lost @ luma == pytest.approx(image @ luma, abs=1e-5)
    decoded = jpeg(image, 100, 2)
    assert np.abs(lost - decoded).mean() < 0.2 * np.abs(image - decoded).mean()
    # of a part of it, whose first pixel may be anywhere, the same is lost away from its borders
    part = halved_chroma(np.ascontiguousarray(image[15:61, 22:71]), 15, 22)
    assert part[3:-3, 3:-3] == pytest.approx(lost[18:58, 25:68], abs=1e-5)


@pytest.mark.parametrize("subsampling", [2, 0])
@pytest.mark.parametrize("quality", [75, 90])
def test_shapes_in_jpeg_files_are_found_and_nothing_else(
    kinds: Kinds, quality: int, subsampling: int
) -> None:
    state = see_primitives(jpeg(picture((128, 128), GREY, SHAPES), quality, subsampling), kinds)
    found = {placed.shape.primitive.name: placed.shape for placed in state.shapes}
    assert sorted(placed.shape.primitive.name for placed in state.shapes) == ["circle", "square", "triangle"]
    for kind, x, y, *_ in SHAPES:
        assert np.hypot(found[kind].pose[0] - x, found[kind].pose[1] - y) < 0.15


def repeated(image: np.ndarray) -> np.ndarray:
    """The picture as quick decoders of films give it: one chroma for every square of 2x2 pixels."""
    luma = (image @ np.array([0.299, 0.587, 0.114], np.float32))[..., None]
    tall, wide = image.shape[0] // 2, image.shape[1] // 2
    chroma = (image - luma).reshape(tall, 2, wide, 2, 3).mean((1, 3)).repeat(2, 0).repeat(2, 1)
    return np.asarray((luma + chroma).clip(0, 1), np.float32)


def test_chroma_that_a_decoder_has_repeated_is_interpolated() -> None:
    image = picture((128, 128), GREY, SHAPES)
    shown, wanted = repeated(image), halved_chroma(image, 0, 0)
    smooth = with_smooth_chroma(shown)
    assert has_halved_chroma(smooth)
    assert np.abs(smooth - wanted).mean() < 0.05 * np.abs(shown - wanted).mean()


def test_pictures_whose_chroma_is_not_repeated_stay_as_they_are() -> None:
    image = picture((128, 128), GREY, SHAPES)
    enlarged = np.ascontiguousarray(image.repeat(2, 0).repeat(2, 1))
    for same in (image, enlarged, jpeg(image, 75, 2), picture((128, 128), GREY, SHAPES, 0.03)):
        assert with_smooth_chroma(same) is same


def test_an_area_that_is_not_explained_yet_is_no_ringing() -> None:
    image = jpeg(picture((128, 128), GREY, SHAPES), 75, 2)
    model = ImageModel.of(image)
    half = picture((128, 128), GREY, SHAPES[:1])  # two shapes are still to be found
    edges = np.where(np.abs(half - half.round(1)).sum(2) > 0.01, 1, 0).astype(np.float32)
    assert model.with_ringing(half, edges).ringing < 5 * model.ringing


def test_a_fine_drawing_was_not_compressed_though_nothing_in_it_is_even() -> None:
    rng = np.random.default_rng(0)
    fine = np.full((384, 384, 3), (0.1, 0.3, 0.6))
    y, x = np.mgrid[:384, :384]
    for _ in range(900):
        (row, column), colour = rng.uniform(80, 300, 2), rng.uniform(0, 1, 3)
        fine[np.hypot(y - row, x - column) < rng.uniform(4, 14)] = colour
    image = np.round(fine.reshape(96, 4, 96, 4, 3).mean((1, 3)) * 255).astype(np.float32) / 255
    assert estimate_ringing(image, 0.5 / 255) == 0
    assert estimate_ringing(jpeg(image, 90, 0), 0.5 / 255) > 0
