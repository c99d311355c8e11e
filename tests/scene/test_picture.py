"""A picture is read as a user expects, whatever it is kept in: float32 HxWx3 in 0..1."""

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from unrender.errors import UnrenderError
from unrender.scene.picture import read_picture as read

WIDTH, HEIGHT = 24, 18
STEP = 1 / 255
COLOURS = np.array([[200, 40, 90], [20, 160, 220]], np.uint8)  # left and right half


def read_picture(source: Any) -> np.ndarray:
    """The pixels of a picture that is not scaled down."""
    picture = read(source)
    assert picture.scale == 1
    return picture.pixels


def halves() -> np.ndarray:
    """uint8 HxWx3: two colours side by side, so that a turned or mirrored picture is noticed."""
    picture = np.empty((HEIGHT, WIDTH, 3), np.uint8)
    picture[:, : WIDTH // 2], picture[:, WIDTH // 2 :] = COLOURS
    return picture


def ramp(top: int, dtype: type) -> np.ndarray:
    """HxW from 0 at the left to `top` at the right."""
    return np.broadcast_to(np.linspace(0, top, WIDTH).astype(dtype), (HEIGHT, WIDTH)).copy()


def close(read: np.ndarray, expected: np.ndarray, tolerance: float = 1e-6) -> None:
    assert read.dtype == np.float32
    assert read.shape == (*expected.shape[:2], 3)
    assert np.abs(read - expected).max() <= tolerance


def close_to_halves(read: np.ndarray, tolerance: float) -> None:
    """As the two halves, a lossy format's blur at the seam left aside."""
    expected = halves().astype(np.float32) / 255
    seam = slice(WIDTH // 2 - 5, WIDTH // 2 + 5)
    close(np.delete(read, np.r_[seam], 1), np.delete(expected, np.r_[seam], 1), tolerance)


@pytest.mark.parametrize(
    "array",
    [
        halves(),
        halves().astype(np.float32) / 255,
        halves().astype(np.float64) / 255,
        np.asfortranarray(halves()),
        halves().astype(np.uint16) * 257,
        (halves().astype(np.uint16) * 257).astype(">u2"),
        np.dstack([halves(), np.full((HEIGHT, WIDTH), 255, np.uint8)]),
        np.ma.array(halves(), mask=False),
    ],
    ids=["uint8", "float32", "float64", "columns first", "uint16", "big endian", "opaque alpha", "masked"],
)
def test_arrays_of_every_type_that_has_a_range_give_the_same_picture(array: np.ndarray) -> None:
    close(read_picture(array), halves() / 255)


@pytest.mark.parametrize(
    "array", [ramp(255, np.uint8), ramp(255, np.uint8)[:, :, None]], ids=["HxW", "HxWx1"]
)
def test_a_grey_array_has_three_equal_channels(array: np.ndarray) -> None:
    close(read_picture(array), np.repeat(ramp(255, np.uint8)[:, :, None], 3, 2) / 255)


def test_a_bool_array_is_black_and_white() -> None:
    board = np.indices((HEIGHT, WIDTH)).sum(0) % 2 == 0
    close(read_picture(board), np.repeat(board[:, :, None], 3, 2).astype(float))


def test_a_float_that_oversteps_its_range_by_rounding_is_clipped() -> None:
    array = np.full((16, 16, 3), 1.0 + 1e-6)
    array[0] = -1e-6
    read = read_picture(array)
    assert read.max() == 1
    assert read.min() == 0


def test_reading_leaves_the_array_alone_and_shares_nothing_with_it() -> None:
    array = halves().astype(np.float32) / 255
    read = read_picture(array)
    assert read.flags.c_contiguous
    read[:] = 0.5
    assert np.array_equal(array, halves().astype(np.float32) / 255)


@pytest.mark.parametrize("suffix", ["png", "bmp", "tiff", "webp", "gif", "jpg", "ppm", "ico", "tga", "jp2"])
@pytest.mark.parametrize("kind", [str, Path])
def test_every_format_of_pillow_is_read_from_a_path(suffix: str, kind: type, tmp_path: Path) -> None:
    path = tmp_path / f"picture.{suffix}"
    options: dict[str, dict[str, Any]] = {
        "webp": {"lossless": True},
        "jpg": {"quality": 95},
        "ico": {"sizes": [(WIDTH, HEIGHT)]},
    }
    Image.fromarray(halves()).save(path, **options.get(suffix, {}))
    close_to_halves(read_picture(kind(path)), 0.03 if suffix == "jpg" else 0.005)


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "P", "CMYK", "YCbCr", "HSV"])
def test_pillow_images_in_every_colour_mode_give_the_same_picture(mode: str) -> None:
    image = Image.fromarray(halves())
    image = image.quantize() if mode == "P" else image.convert(mode)
    assert image.mode == mode
    close(read_picture(image), halves() / 255, 0.02)


def test_a_cmyk_jpeg_keeps_its_colours(tmp_path: Path) -> None:
    path = tmp_path / "print.jpg"
    Image.fromarray(halves()).convert("CMYK").save(path, quality=95)
    close_to_halves(read_picture(path), 0.05)


@pytest.mark.parametrize("mode", ["L", "LA", "La", "I;16", "I;16B", "I", "F", "1"])
def test_grey_pillow_images_of_every_depth_run_from_black_to_white(mode: str) -> None:
    grey = Image.fromarray(ramp(255, np.uint8))
    images = {
        "LA": grey.convert("LA"),
        "La": grey.convert("LA").convert("La"),
        "I;16": Image.fromarray(ramp(65535, np.uint16)),
        "I;16B": Image.frombytes("I;16B", (WIDTH, HEIGHT), ramp(65535, np.uint16).astype(">u2").tobytes()),
        "I": Image.fromarray(ramp(65535, np.int32)),
        "F": Image.fromarray(ramp(1, np.float32)),
        "1": grey.convert("1"),
    }
    image = images.get(mode, grey)
    assert image.mode == mode
    read = read_picture(image)
    expected = np.asarray(image).astype(float) if mode == "1" else ramp(255, np.float64) / 255
    close(read, np.repeat(expected[:, :, None], 3, 2), 0.005)


def test_a_float_image_with_another_range_is_stretched_to_black_and_white() -> None:
    read = read_picture(Image.fromarray(ramp(1, np.float32) * 900 - 300))
    close(read, np.repeat(ramp(1, np.float64)[:, :, None], 3, 2), 1e-5)


def test_a_16_bit_png_keeps_more_than_8_bits(tmp_path: Path) -> None:
    values = np.full((16, 16), 1000, np.uint16)
    values[:, 8:] = 1001
    Image.fromarray(values).save(tmp_path / "deep.png")
    read = read_picture(tmp_path / "deep.png")
    assert read[0, 0, 0] == pytest.approx(1000 / 65535, rel=1e-5)
    assert read[0, 8, 0] == pytest.approx(1001 / 65535, rel=1e-5)


def see_through(colour: tuple[int, int, int], rest: tuple[int, int, int] | None = None) -> Image.Image:
    """A transparent picture with a square of `colour`, and perhaps one of another, painted on it."""
    picture = np.zeros((32, 32, 4), np.uint8)
    picture[4:14, 4:14] = (*colour, 255)
    if rest is not None:
        picture[18:28, 18:28] = (*rest, 255)
    return Image.fromarray(picture)


@pytest.mark.parametrize(
    ("image", "paper"),
    [
        (see_through((250, 30, 30)), 1.0),
        (see_through((0, 0, 0)), 1.0),
        (see_through((255, 255, 255)), 0.0),
        (see_through((255, 255, 255), (0, 0, 0)), 0.5),
    ],
    ids=["red on white", "black on white", "white on black", "both on grey"],
)
def test_what_is_painted_on_a_transparent_ground_can_be_seen(image: Image.Image, paper: float) -> None:
    read = read_picture(image)
    assert np.allclose(read[0, 0], paper)
    assert np.allclose(read[8, 8] * 255, np.asarray(image)[8, 8, :3])
    assert np.abs(read[8, 8] - read[0, 0]).max() > 0.4
    assert np.array_equal(read, read_picture(np.asarray(image)))


def test_half_transparent_is_half_of_each() -> None:
    array = np.full((16, 16, 4), (0.0, 0.0, 0.0, 0.5))
    assert np.allclose(read_picture(array), 0.5)


def test_nothing_but_transparent_pixels_is_blank_paper() -> None:
    read = read_picture(np.zeros((16, 16, 4), np.uint8))
    assert (read == 1).all()


@pytest.mark.parametrize("transparent", [False, True])
def test_a_palette_picture_shows_its_colours_and_paper_where_it_is_transparent(
    transparent: bool, tmp_path: Path
) -> None:
    image = Image.fromarray(np.indices((20, 20)).sum(0).astype(np.uint8) // 20, "P")
    image.putpalette([200, 40, 90, 20, 160, 220])
    options: dict[str, Any] = {"transparency": 0} if transparent else {}
    image.save(tmp_path / "palette.png", **options)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        read = read_picture(tmp_path / "palette.png") * 255
    assert np.allclose(read[0, 0], (255, 255, 255) if transparent else (200, 40, 90), atol=0.01)
    assert np.allclose(read[19, 19], (20, 160, 220), atol=0.01)


def test_of_an_animation_the_first_frame_is_read(tmp_path: Path) -> None:
    frames = [Image.new("RGB", (20, 20), colour) for colour in ("red", "lime", "blue")]
    for name in ("film.gif", "film.webp", "film.tiff"):
        frames[0].save(tmp_path / name, save_all=True, append_images=frames[1:], lossless=True)
        with Image.open(tmp_path / name) as film:
            assert getattr(film, "n_frames", 1) == 3
        assert np.allclose(read_picture(tmp_path / name), (1, 0, 0)), name


@pytest.mark.parametrize("orientation", range(1, 9))
def test_a_photograph_is_turned_as_its_exif_says(orientation: int, tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = orientation
    upright = np.zeros((18, 24, 3), np.uint8)
    upright[:9, :12] = (255, 0, 0)  # the top left quarter
    undo = {2: 0, 3: 3, 4: 1, 5: 5, 6: 2, 7: 6, 8: 4}  # Image.Transpose that takes upright to stored
    image = Image.fromarray(upright)
    stored = image.transpose(Image.Transpose(undo[orientation])) if orientation > 1 else image
    stored.save(tmp_path / "photo.png", exif=exif)
    close(read_picture(tmp_path / "photo.png"), upright / 255)


def test_exif_that_cannot_be_read_does_not_spoil_a_picture(tmp_path: Path) -> None:
    path = tmp_path / "photo.jpg"
    Image.fromarray(halves()).save(path, quality=95, exif=b"Exif\0\0II*\0\x08\0\0\0\xff\xff\x12\x01\x03")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        close_to_halves(read_picture(path), 0.03)


@pytest.mark.parametrize("side", [16, 4096])
def test_the_smallest_and_the_largest_side_are_seen_as_they_are(side: int) -> None:
    assert read_picture(np.zeros((16, side), np.uint8)).shape == (16, side, 3)


@pytest.mark.parametrize("shape", [(8, 8), (15, 40), (40, 15, 3), (0, 0), (0, 20)])
def test_a_side_that_is_too_short_is_refused_with_the_limit(shape: tuple[int, ...]) -> None:
    for source in (np.zeros(shape, np.uint8), np.zeros(shape, np.float16)):
        with pytest.raises(UnrenderError, match=rf"has {shape[1]}x{shape[0]} pixels.* at least 16\.$"):
            read(source)


def test_what_would_be_too_thin_once_it_is_scaled_down_is_refused() -> None:
    with pytest.raises(UnrenderError, match=r"has 9000x40 pixels; .* less than 16: cut it up\.$"):
        read(np.zeros((40, 9000), np.uint8))


def test_a_huge_array_is_refused_before_it_is_copied() -> None:
    huge = np.broadcast_to(np.uint8(7), (10**6, 10**6, 3))  # three terabytes, were it real
    with pytest.raises(UnrenderError, match=r"1000000x1000000 pixels; more than 134 million are not read"):
        read(huge)


def test_the_largest_picture_is_read() -> None:
    assert read_picture(np.zeros((4096, 4096), np.uint8)).shape == (4096, 4096, 3)


def large(width: int, height: int) -> np.ndarray:
    """uint8 HxWx3 whose columns get lighter to the right and whose rows get redder to the bottom."""
    picture = np.empty((height, width, 3), np.uint8)
    picture[:] = (np.arange(width) * 255 // width)[None, :, None]
    picture[:, :, 0] = (np.arange(height) * 255 // height)[:, None]
    return picture


def averaged(array: np.ndarray, factor: int) -> np.ndarray:
    """The mean of each block, in the plainest way."""
    height, width = array.shape[:2]
    return np.array(
        [
            [array[y : y + factor, x : x + factor].mean((0, 1)) / 255 for x in range(0, width, factor)]
            for y in range(0, height, factor)
        ]
    )


@pytest.mark.parametrize(("width", "height", "factor"), [(4097, 64, 2), (70, 8200, 3), (12288, 49, 3)])
def test_a_larger_picture_is_scaled_down_by_the_least_whole_number_that_will_do(
    width: int, height: int, factor: int
) -> None:
    array = large(width, height)
    for source in (array, Image.fromarray(array)):
        picture = read(source)
        assert picture.scale == pytest.approx(1 / factor)
        close(picture.pixels, averaged(array, factor), STEP)


@pytest.mark.parametrize("suffix", ["png", "jpg"])
@pytest.mark.parametrize(("width", "height", "factor"), [(5001, 100, 2), (300, 9001, 3), (13001, 99, 4)])
def test_a_large_file_is_scaled_down_while_it_is_read(
    suffix: str, width: int, height: int, factor: int, tmp_path: Path
) -> None:
    array = large(width, height)
    Image.fromarray(array).save(tmp_path / f"photo.{suffix}", quality=95)
    picture = read(tmp_path / f"photo.{suffix}")
    assert picture.scale == pytest.approx(1 / factor)
    close(picture.pixels, averaged(array, factor), STEP if suffix == "png" else 0.03)


def test_what_is_transparent_is_scaled_down_on_its_paper() -> None:
    array = np.zeros((40, 5000, 4), np.uint8)
    array[:, 1::2] = (200, 40, 90, 255)  # every second column
    picture = read(array)
    assert np.allclose(picture.pixels, (np.array([200, 40, 90]) / 255 + 1) / 2, atol=1e-5)


def test_a_large_photograph_is_turned_as_its_exif_says(tmp_path: Path) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # a quarter turn clockwise
    array = large(4100, 64)
    Image.fromarray(array).save(tmp_path / "photo.jpg", exif=exif, quality=95)
    picture = read(tmp_path / "photo.jpg")
    assert picture.scale == 0.5
    close(picture.pixels, averaged(np.rot90(array, -1), 2), 0.03)


def test_the_limit_of_pixels_that_others_have_set_stays_as_it_is(tmp_path: Path) -> None:
    Image.fromarray(halves()).save(tmp_path / "small.png")
    before = Image.MAX_IMAGE_PIXELS
    read_picture(tmp_path / "small.png")
    assert before == Image.MAX_IMAGE_PIXELS
