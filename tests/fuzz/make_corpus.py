"""Makes the corpus: small good files of every kind, all our own. `python tests/fuzz/make_corpus.py`"""

from __future__ import annotations

import io
import json
import shutil
import sqlite3
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

import unrender

HERE = Path(__file__).parent / "corpus"
W, H = 24, 20


def ball() -> Image.Image:
    """A light disc on dark ground."""
    y, x = np.mgrid[:H, :W] + 0.5
    disc = np.hypot(x - W / 2, y - H / 2) < 7
    return Image.fromarray(np.where(disc[:, :, None], (230, 200, 40), (20, 30, 60)).astype(np.uint8))


def saved(image: Image.Image, form: str, **options: Any) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, form, **options)
    return buffer.getvalue()


def pictures() -> Iterator[tuple[str, bytes]]:
    """One file for each format that Pillow writes, and variants of those that have many."""
    rgb, other = ball(), ball().transpose(Image.Transpose.ROTATE_180)
    grey, palette, alpha = rgb.convert("L"), rgb.quantize(8), rgb.convert("RGBA")
    alpha.putalpha(grey)
    exif = Image.Exif()
    exif[0x0112] = 6
    deep = Image.fromarray(np.asarray(grey).astype(np.uint16) * 257)
    for form in ("AVIF", "BMP", "DDS", "DIB", "IM", "JPEG2000", "PCX", "PPM", "QOI", "SGI", "TGA"):
        yield f"rgb.{form.lower()}", saved(rgb, form)
    yield "palette.blp", saved(palette, "BLP")
    yield "float.spider", saved(grey.convert("F"), "SPIDER")
    for form in ("MSP", "XBM"):
        yield f"bit.{form.lower()}", saved(rgb.convert("1"), form)
    yield "rle.tga", saved(rgb, "TGA", compression="tga_rle")
    yield "palette.bmp", saved(palette, "BMP")
    yield "grey.pgm", saved(grey, "PPM")
    yield "plain.ppm", b"P3 24 20 255\n" + b" ".join(b"%d" % value for value in np.asarray(rgb).ravel())
    for name, image in {"rgb": rgb, "palette": palette, "alpha": alpha, "deep": deep}.items():
        yield f"{name}.png", saved(image, "PNG")
    yield "film.png", saved(rgb, "PNG", save_all=True, append_images=[other])
    yield "text.png", saved(palette, "PNG", exif=exif, transparency=0, dpi=(72, 72))
    yield "still.gif", saved(palette, "GIF", transparency=1)
    yield "film.gif", saved(rgb, "GIF", save_all=True, append_images=[other])
    yield "plain.jpg", saved(rgb, "JPEG", quality=60)
    yield "turned.jpg", saved(grey, "JPEG", quality=60, progressive=True, exif=exif)
    yield "cmyk.jpg", saved(rgb.convert("CMYK"), "JPEG", quality=60)
    for compression in (None, "tiff_lzw", "tiff_adobe_deflate", "jpeg", "packbits"):
        yield f"{compression or 'plain'}.tif", saved(rgb, "TIFF", compression=compression)
    yield "deep.tif", saved(deep, "TIFF")
    yield "lossy.webp", saved(rgb, "WEBP", quality=50)
    yield "alpha.webp", saved(alpha, "WEBP", lossless=True)
    yield "film.webp", saved(rgb, "WEBP", save_all=True, append_images=[other], exif=exif)
    small = saved(rgb.resize((16, 16)), "ICO", bitmap_format="bmp")
    yield "rgb.ico", small
    icon = saved(rgb.resize((16, 16)), "PNG")
    yield "hand.icns", struct.pack(">4sI4sI", b"icns", len(icon) + 16, b"icp4", len(icon) + 8) + icon
    yield from by_hand(np.asarray(rgb), small, saved(rgb, "PCX"))


def by_hand(rgb: np.ndarray, icon: bytes, pcx: bytes) -> Iterator[tuple[str, bytes]]:
    """Formats that Pillow only reads."""
    pixels = rgb.tobytes()
    yield "hand.cur", icon[:2] + b"\2" + icon[3:]
    yield "hand.dcx", struct.pack("<III", 987654321, 12, 0) + pcx
    yield (
        "hand.ras",
        struct.pack(">8I", 0x59A66A95, W, H, 24, len(pixels), 1, 0, 0) + rgb[..., ::-1].tobytes(),
    )
    planes = b"".join(rgb[..., k].tobytes() for k in range(3))
    head = struct.pack(">4sH6xHIIHH", b"8BPS", 1, 3, H, W, 8, 3)
    yield "hand.psd", head + bytes(12) + b"\0\0" + planes
    cards = [
        "SIMPLE  =                    T",
        "BITPIX  =                    8",
        "NAXIS   =                    2",
    ]
    cards += [f"NAXIS1  = {W:>20}", f"NAXIS2  = {H:>20}", "END"]
    yield (
        "hand.fits",
        "".join(f"{card:80}" for card in cards).ljust(2880).encode() + pixels[: W * H].ljust(2880),
    )
    colours = sorted({tuple(pixel) for row in rgb.tolist() for pixel in row})
    legend = "".join(f'"{k} c #{r:02x}{g:02x}{b:02x}",\n' for k, (r, g, b) in enumerate(colours))
    rows = ",\n".join('"' + "".join(str(colours.index(tuple(p))) for p in row) + '"' for row in rgb.tolist())
    start = f'/* XPM */\nstatic char *ball[] = {{\n"{W} {H} {len(colours)} 1",\n'
    yield "hand.xpm", f"{start}{legend}{rows}\n}};\n".encode()
    yield "hand.gbr", struct.pack(">IIIII4sI", 33, 2, W, H, 1, b"GIMP", 10) + b"ball\0" + pixels[: W * H]
    fli = bytearray(128)
    struct.pack_into("<IHHHHH", fli, 0, 128 + 16 + 10, 0xAF12, 1, W, H, 8)
    frame = struct.pack("<IHH8x", 26, 0xF1FA, 1) + struct.pack("<IH4x", 10, 13)
    yield "hand.fli", bytes(fli) + frame


def arranged() -> list[unrender.Scene]:
    """Scenes with everything that a scene can have."""
    from unrender.worlds.asteroids import Asteroids

    world = Asteroids(64, 64, ships=(1, 1), asteroids=(1, 1), loose=(1, 2))
    scenes = [world.sample(np.random.default_rng(seed)).scene for seed in (1, 2)]
    with unrender.open() as brain:
        first = brain.see(HERE / "images" / "rgb.bmp")
        follow = brain.see(HERE / "images" / "rgb.bmp", after=first)
    return [*scenes, follow]


def taught(path: Path) -> None:
    """A brain with an object that was taught, one of a grammar, an attribute and a question."""
    with unrender.open(path) as brain:
        picture = brain.draw("circle", position=(26, 42), size=(24, 24), red=0.9)
        picture = brain.draw("square", position=(54, 42), size=(20, 20), green=0.8, canvas=picture)
        scene = brain.see(picture)
        assert scene.question is not None
        brain.answer(scene.question, "lamp")
        scene = brain.see(picture)
        brain.teach_attribute(scene, scene.axioms[0], "bright", 1.0)
        brain.learn_grammar("[tower] -> [square] [top]\n    [square] y = height / 3\n[top] -> [circle]\n")
    with sqlite3.connect(path) as connection:  # small pages make a small file
        connection.execute("PRAGMA page_size = 512")
        connection.execute("VACUUM")


GRAMMARS = {
    "house": (Path(__file__).parents[2] / "examples" / "house.grammar").read_text(),
    "small": "[lamp] -> [circle] [square]\n    [square] y = height, height = 2 * height\n",
    "rich": 'axiom [ship]\nattribute "half open": verb -1..2.5 period 360 default 0.5\n'
    '[ship] has "half open", red\n'
    '[ship] -> [triangle] [belt scene] as viewpoint "front"  # why\n'
    "    [triangle] x = -(width + 1e-3) * sin(30) ^ 2 / max(1, height), red = min(1, sqrt(abs(red)))\n"
    "[belt scene] -> [circle] [circle]\n    [circle] y = -height / 4\n    [circle] y = height / 4\n",
}


def write(kind: str, name: str, content: bytes) -> None:
    (HERE / kind).mkdir(parents=True, exist_ok=True)
    (HERE / kind / name).write_bytes(content)


def main() -> None:
    shutil.rmtree(HERE, ignore_errors=True)
    for name, content in pictures():
        write("images", name, content)
    for number, scene in enumerate(arranged(), start=1):
        text = json.dumps(scene.to_dict(), separators=(",", ":"))
        write("scenes", f"scene{number}.json", text.encode())
    for name, text in GRAMMARS.items():
        write("grammars", f"{name}.grammar", text.encode())
    (HERE / "brains").mkdir()
    taught(HERE / "brains" / "taught.brain")


if __name__ == "__main__":
    main()
