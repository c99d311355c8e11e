"""Whatever is handed to `brain.see` is either seen or refused with one clear sentence."""

import io
import os
import struct
import zlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import unrender
from unrender import UnrenderError
from unrender.cli import main


def refused(source: object, complaint: str) -> None:
    """`see` says in one sentence what is wrong."""
    with pytest.raises(UnrenderError, match=complaint) as error:
        unrender.open().see(source)
    assert str(error.value).endswith(".")
    assert "\n" not in str(error.value)
    assert error.value.__suppress_context__ or error.value.__context__ is None


def ball(width: int = 40, height: int = 32) -> np.ndarray:
    """uint8 HxWx3 with a light disc on dark ground."""
    y, x = np.mgrid[:height, :width] + 0.5
    disc = np.hypot(x - width / 2, y - height / 2) < 0.3 * min(width, height)
    return np.where(disc[:, :, None], (230, 200, 40), (20, 30, 60)).astype(np.uint8)


def encoded(suffix: str) -> bytes:
    """A noisy picture, which no format makes small, as a file's bytes."""
    buffer = io.BytesIO()
    noise = np.random.default_rng(1).integers(0, 256, (64, 64, 3), np.uint8)
    Image.fromarray(noise).save(buffer, suffix)
    return buffer.getvalue()


def png_that_claims(width: int, height: int) -> bytes:
    """A file of about 70 bytes whose header declares width x height pixels."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"\0" * 10)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


FILES: dict[str, tuple[bytes, str]] = {
    "text.png": (b"this is not a picture\n" * 20, "is not a picture in a format that Pillow reads"),
    "empty.png": (b"", "is not a picture"),
    "zeros.jpg": (bytes(4096), "is not a picture"),
    "header-only.png": (encoded("PNG")[:20], r"is not a picture|is damaged or cut off"),
    "half.png": (encoded("PNG")[:5000], "is damaged or cut off"),
    "half.jpg": (encoded("JPEG")[:2000], "is damaged or cut off"),
    "half.gif": (encoded("GIF")[:2500], "is damaged or cut off"),
    "half.bmp": (encoded("BMP")[:6000], "is damaged or cut off"),
    "half.webp": (encoded("WEBP")[:800], r"is not a picture|is damaged or cut off"),
    "half.tiff": (encoded("TIFF")[:6000], r"is not a picture|is damaged or cut off"),
    "scrambled.png": (
        encoded("PNG")[:3000] + bytes(500) + encoded("PNG")[3500:],
        "is damaged or cut off",
    ),
    "bomb.png": (png_that_claims(60_000, 60_000), "60000x60000 pixels; more than 134 million are not read"),
    "largest-bomb.png": (png_that_claims(2**31 - 1, 2**31 - 1), "more than 134 million are not read"),
    "near-bomb.png": (png_that_claims(12_000, 12_000), "more than 134 million are not read"),
    "long.png": (png_that_claims(5000, 20), "has 5000x20 pixels; scaled down to 4096 at most, a side would"),
    "hollow.png": (png_that_claims(4096, 4096), "is damaged or cut off"),
    "large-and-hollow.png": (png_that_claims(10_000, 9_500), "is damaged or cut off"),
    "small.png": (png_that_claims(8, 8), "has 8x8 pixels; each side must have at least 16"),
    "no-width.png": (png_that_claims(0, 40), r"has 0x40 pixels|is not a picture"),
}


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_cannot_be_seen_is_refused_in_one_sentence_with_its_name(
    name: str, tmp_path: Path
) -> None:
    content, complaint = FILES[name]
    path = tmp_path / name
    path.write_bytes(content)
    refused(path, complaint)
    refused(str(path), name)


@pytest.mark.parametrize("name", ["text.png", "half.jpg", "bomb.png", "small.png"])
def test_the_command_says_the_same_in_one_line_and_leaves_with_2(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    content, complaint = FILES[name]
    (tmp_path / name).write_bytes(content)
    with pytest.raises(SystemExit) as ended:
        main(["see", str(tmp_path / name)])
    told = capsys.readouterr()
    assert ended.value.code == 2
    assert told.out == ""
    assert told.err.count("\n") == 1
    assert complaint.split(";")[0] in told.err
    assert [path.name for path in tmp_path.iterdir()] == [name], "nothing is written"


@pytest.mark.parametrize(
    ("make", "complaint"),
    [
        (lambda folder: folder / "missing.png", 'There is no file ".*missing.png"'),
        (lambda folder: "https://example.org/a.png", "There is no file"),
        (lambda folder: folder, "is a folder, not a picture"),
        (lambda folder: folder / "missing" / ".." / "x.png", "There is no file"),
        (lambda folder: "a\0b.png", "There is no file"),
        (lambda folder: "a" * 5000, 'Cannot read "a+ ... a+": File name too long'),
        (lambda folder: "/dev/null", "is not a file"),
    ],
    ids=["missing", "address", "folder", "missing folder", "null byte", "long name", "device"],
)
def test_a_path_without_a_picture_is_refused(
    make: Callable[[Path], object], complaint: str, tmp_path: Path
) -> None:
    refused(make(tmp_path), complaint)


def test_a_file_that_may_not_be_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "secret.png"
    Image.fromarray(ball()).save(path)
    path.chmod(0)
    Image.init()  # root must load Pillow's formats before it stops being root
    user = os.geteuid()
    os.seteuid(user or 65534)  # root may read everything, nobody may not
    try:
        refused(path, 'secret.png" may not be read')
    finally:
        os.seteuid(user)


@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        (None, "not NoneType"),
        (17, "not int"),
        (ball().tolist(), "not list"),
        (encoded("PNG"), "not bytes"),
        (io.BytesIO(encoded("PNG")), "not BytesIO"),
        ({"image": 1}, "not dict"),
    ],
    ids=["None", "number", "list", "bytes", "stream", "dict"],
)
def test_what_is_no_picture_at_all_is_refused_by_its_type(source: object, complaint: str) -> None:
    refused(source, f"A picture must be a path, a PIL image or a numpy array, {complaint}")


def with_value(value: float) -> np.ndarray:
    array = ball() / 255
    array[3, 4, 1] = value
    return array


@pytest.mark.parametrize(
    ("array", "complaint"),
    [
        (np.zeros((0, 0, 3), np.uint8), "has 0x0 pixels"),
        (np.zeros((20, 0)), "has 0x20 pixels"),
        (np.zeros((8, 8, 3), np.uint8), "has 8x8 pixels; each side must have at least 16"),
        (np.zeros((15, 64), np.uint8), "has 64x15 pixels"),
        (np.zeros((17, 4097), np.uint8), "has 4097x17 pixels; scaled down"),
        (np.zeros(()), "HxW, HxWx3 or HxWx4, not a single number"),
        (np.zeros(64), "HxW, HxWx3 or HxWx4, not 64"),
        (np.zeros((3, 64, 64)), "HxW, HxWx3 or HxWx4, not 3x64x64"),
        (np.zeros((64, 64, 2)), "HxW, HxWx3 or HxWx4, not 64x64x2"),
        (np.zeros((1, 64, 64, 3)), "HxW, HxWx3 or HxWx4, not 1x64x64x3"),
        (with_value(np.nan), r"not finite \(NaN or infinity\)"),
        (with_value(np.inf), "not finite"),
        (with_value(-np.inf), "not finite"),
        (with_value(1e300), r"in 0\.\.1; this one runs from [\d.]+ to 1e\+300"),
        (with_value(-0.5), r"in 0\.\.1; this one runs from -0.5"),
        (ball().astype(np.float32), r"in 0\.\.1; this one runs from 20 to 230: scale it, or pass uint8"),
        (ball().astype(np.int64), "uint8 or float in 0..1, not int64"),
        (ball().astype(np.int8), "not int8"),
        (ball().astype(np.uint32), "not uint32"),
        (ball().astype(complex), "not complex128"),
        (ball().astype(object), "not object"),
        (ball().astype(str), "not <U"),
        (np.zeros((20, 20), "datetime64[s]"), "not datetime64"),
        (np.zeros((20, 20), [("r", "u1"), ("g", "u1")]), r"not \[\('r'"),
    ],
)
def test_an_array_of_the_wrong_shape_or_type_is_refused(array: np.ndarray, complaint: str) -> None:
    refused(array, complaint)


@pytest.mark.parametrize(
    ("image", "complaint"),
    [
        (Image.new("RGB", (0, 0)), "This image has 0x0 pixels"),
        (Image.new("L", (8, 8)), "This image has 8x8 pixels"),
        (Image.new("1", (5000, 20)), "This image has 5000x20 pixels"),
    ],
    ids=["no pixels", "small", "long"],
)
def test_a_pillow_image_that_cannot_be_seen_is_refused(image: Image.Image, complaint: str) -> None:
    refused(image, complaint)


def test_a_pillow_image_that_was_closed_is_refused(tmp_path: Path) -> None:
    Image.fromarray(ball()).save(tmp_path / "ball.png")
    with Image.open(tmp_path / "ball.png") as image:
        pass
    refused(image, "This image is damaged or cut off: it cannot be loaded")


def test_a_truncated_pillow_image_is_refused() -> None:
    with Image.open(io.BytesIO(encoded("PNG")[:5000])) as image:
        refused(image, "This image is damaged or cut off")


def deep() -> np.ndarray:
    return ball()[:, :, 0].astype(np.uint16) * 257


GOOD: dict[str, Callable[[], object]] = {
    "16x16, the smallest": lambda: ball(16, 16),
    "16 bit": lambda: Image.fromarray(deep()),
    "palette": lambda: Image.fromarray(ball()).quantize(),
    "grey with alpha": lambda: Image.fromarray(ball()).convert("LA"),
    "CMYK": lambda: Image.fromarray(ball()).convert("CMYK"),
    "one bit": lambda: Image.fromarray(ball()).convert("1"),
    "float": lambda: ball() / 255,
}


@pytest.mark.parametrize("name", GOOD)
def test_every_other_kind_of_picture_is_seen_at_its_own_size(name: str) -> None:
    source = GOOD[name]()
    scene = unrender.open().see(source)
    width, height = (16, 16) if "16x16" in name else (40, 32)
    assert (scene.width, scene.height) == (width, height)
    assert scene.image.shape == (height, width, 3)
    assert scene.image.dtype == np.uint8


def test_seeing_changes_neither_the_array_nor_the_image() -> None:
    array = ball()
    image = Image.fromarray(array)
    unrender.open().see(array)
    unrender.open().see(image)
    assert np.array_equal(array, ball())
    assert np.array_equal(np.asarray(image), ball())
