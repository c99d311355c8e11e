"""Icons of two npm packages, drawn by resvg and by Chromium; the truth is what stands in their files."""

from __future__ import annotations

import io
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from PIL import Image
from strokes_svg import Drawing, Mark, drawing, marks

from unrender.errors import UnrenderError

Pixels = NDArray[np.uint8]
Render = Callable[[str, int], Pixels]
"""An SVG file and a side in px to the picture uint8 HxWx3, on white."""

SVG = "http://www.w3.org/2000/svg"
HOW = "npm install --prefix FOLDER heroicons @tabler/icons, then --icons FOLDER"
PLACES = ("heroicons/24/outline", "@tabler/icons/icons/outline", "heroicons/24/solid")
DARK = 90  # the brightest that a channel of an icon's colour may be


@dataclass(frozen=True)
class Case:
    """A picture whose lines are known."""

    name: str
    image: Pixels
    marks: tuple[Mark, ...]
    numbers: int  # that the drawing needs
    colour: tuple[int, int, int] = (0, 0, 0)
    ground: tuple[int, int, int] = (255, 255, 255)
    clean: Pixels | None = None  # as it was drawn, if something has happened to it since


@dataclass(frozen=True)
class Icon:
    """A file of a package."""

    name: str  # package/style/icon
    text: str
    drawing: Drawing

    @property
    def row(self) -> str:
        """Which of the rows of the table it belongs to, by what its lines are."""
        if self.drawing.filled:
            return "solid"
        if "path" in self.drawing.kinds:
            return "paths"
        return "lines" if "line" in self.drawing.kinds else "circles"


def icons(folder: Path, rng: Generator, wanted: Mapping[str, int]) -> dict[str, list[Icon]]:
    """As many random icons of each row as are wanted, from the packages in turn.

    What could be told in two ways, being filled and stroked, is left out.
    """
    modules = folder / "node_modules" if (folder / "node_modules").is_dir() else folder
    queues = []
    for place in PLACES:
        files = sorted((modules / place).glob("*.svg"))
        if not files:
            raise UnrenderError(f'There are no icons in "{modules / place}": {HOW}.')
        queues.append([files[k] for k in rng.permutation(len(files))])
    found: dict[str, list[Icon]] = {row: [] for row in wanted}
    for file in (file for some in zip_longest(*queues) for file in some if file is not None):
        if all(len(found[row]) >= count for row, count in wanted.items()):
            break
        icon = read(file, modules)
        room = len(found.get(icon.row, [])) < wanted.get(icon.row, 0)
        if icon.drawing.plain and icon.drawing.kinds and room:
            found[icon.row].append(icon)
    return found


def read(file: Path, modules: Path) -> Icon:
    text = file.read_text(encoding="utf-8")
    package = file.relative_to(modules).parts[0].lstrip("@")
    return Icon(f"{package}/{file.parent.name}/{file.stem}", text, drawing(text))


def case(icon: Icon, side: int, render: Render, rng: Generator) -> Case:
    """An icon in a random dark colour on white."""
    red, green, blue = (int(value) for value in rng.integers(0, DARK, 3))
    text = coloured(icon.text, f"#{red:02x}{green:02x}{blue:02x}", side)
    return Case(
        icon.name, render(text, side), marks(icon.text, side), icon.drawing.numbers, (red, green, blue)
    )


def coloured(text: str, colour: str, side: int) -> str:
    """The file with this colour and size."""
    ET.register_namespace("", SVG)
    root = ET.fromstring(text.replace("currentColor", colour))
    root.set("width", str(side))
    root.set("height", str(side))
    return ET.tostring(root, encoding="unicode")


def by_resvg(text: str, side: int) -> Pixels:
    """On white."""
    import resvg_py

    return on_white(bytes(resvg_py.svg_to_bytes(svg_string=text)))


def on_white(png: bytes) -> Pixels:
    """The picture of a PNG file, over white."""
    with Image.open(io.BytesIO(png)) as file:
        seen = file.convert("RGBA")
        return np.asarray(Image.alpha_composite(Image.new("RGBA", seen.size, "white"), seen).convert("RGB"))


@contextmanager
def chromium() -> Iterator[Render | None]:
    """A browser that draws; None where there is none."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    if browser is None:
        yield None
        return
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox", "--disable-gpu"])
        page = opened.new_page()

        def render(text: str, side: int) -> Pixels:
            page.set_viewport_size({"width": side, "height": side})
            page.set_content(f"<style>body{{margin:0}}svg{{display:block}}</style>{text}")
            return on_white(page.screenshot())

        yield render
        opened.close()
