"""Pictures that are not made of shapes: photographs and web pages, and what it costs to look at them."""

from __future__ import annotations

import base64
import io
import math
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.random import Generator
from PIL import Image, ImageOps
from rasterise import Floats
from scipy.ndimage import gaussian_filter
from seer_drawing import Pixels, svg_pixels

from unrender.errors import UnrenderError

PHOTOGRAPH, PAGE = (427, 640), (800, 1280)  # height, width in px
PHOTOGRAPHS = ("rocket.jpg", "coffee.png", "chelsea.png", "astronaut.png")  # that scikit-image carries along
CLOCKS: dict[str, Callable[[], float]] = {"wall": time.perf_counter, "cpu": time.process_time}
ALARMS = {"wall": (signal.ITIMER_REAL, signal.SIGALRM), "cpu": (signal.ITIMER_PROF, signal.SIGPROF)}
CHILD = "import seer_pictures, sys; seer_pictures.child(*sys.argv[1:])"
TEXT = """the picture of a scene is read from left to right and whatever has no name stays what it was until
someone asks where colours begin or how many edges meet in 24 places under Monday light with 3,75 litres"""


def photographs(rng: Generator, size: tuple[int, int] = PHOTOGRAPH) -> Iterator[tuple[str, Pixels]]:
    """A landscape made of noise, then those of scikit-image, cut to size (height, width)."""
    yield "landscape", landscape(rng, *size)
    import skimage

    for name in PHOTOGRAPHS:
        with Image.open(Path(skimage.__file__).parent / "data" / name) as file:
            fitted = ImageOps.fit(file.convert("RGB"), size[::-1], Image.Resampling.LANCZOS)
            yield Path(name).stem, np.asarray(fitted)


def landscape(rng: Generator, height: int, width: int) -> Pixels:
    """Sky with clouds, hills one behind the other, each with its own grain and haze, light from one side, a
    lens that is a little soft, and a sensor with noise."""
    y, x = np.mgrid[0 : 1 : height * 1j, 0 : 1 : width * 1j]
    clouds = np.clip(_clouds(rng, height, width) - 0.3, 0, None)[..., None]
    picture = (0.35, 0.55, 0.85) + y[..., None] * np.array((0.5, 0.35, 0.1)) + 0.25 * clouds
    for k in range(4):
        ridge = 0.4 + 0.13 * k + 0.08 * _clouds(rng, 1, width, (0.0, 40.0 / (k + 1)))[0]
        ground = rng.uniform(0.1, 0.5, 3) * (0.6 + 0.4 * (3 - k) / 3)
        grain = 1 + 0.35 * _clouds(rng, height, width, (1.0 + k, 2.0 + 2 * k))[..., None]
        haze = 0.6 * (3 - k) / 3
        hill = (1 - haze) * ground * grain + haze * np.array((0.7, 0.75, 0.8))
        picture = np.where((y > ridge)[..., None], hill, picture)
    light = 1 - 0.5 * np.hypot(x - rng.uniform(0, 1), y - 0.3)
    soft = gaussian_filter(picture * light[..., None], (0.8, 0.8, 0))
    noisy = soft + rng.normal(0, 0.015, soft.shape)
    return np.round(noisy.clip(0, 1) * 255).astype(np.uint8)


def _clouds(rng: Generator, height: int, width: int, sigma: tuple[float, float] | None = None) -> Floats:
    """Noise of one scale, or of many; standard deviation 1."""
    scales = [sigma] if sigma else [(0.5 * s, s) for s in (2.0, 8.0, 32.0, 64.0)]
    total = np.zeros((height, width))
    for scale in scales:
        smooth = gaussian_filter(rng.standard_normal((height, width)), scale, mode="reflect")
        total += math.sqrt(max(scale)) * smooth / smooth.std()
    return total / total.std()


# Web pages


def pages(rng: Generator, size: tuple[int, int] = PAGE) -> Iterator[tuple[str, Pixels]]:
    """One as Chromium shows it, where it is installed, and a simpler one drawn by resvg."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    if browser is not None:
        yield "Chromium", by_chromium(browser, html(rng), *size)
    yield "resvg", svg_pixels(page_svg(rng, *size), *size)


def by_chromium(browser: str, text: str, height: int, width: int) -> Pixels:
    """A page as it looks in the browser."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox", "--disable-gpu"])
        page = opened.new_page(viewport={"width": width, "height": height})
        page.set_content(text)
        shot = page.screenshot()
        opened.close()
    with Image.open(io.BytesIO(shot)) as file:
        return np.asarray(file.convert("RGB"))


def sentence(rng: Generator, count: int) -> str:
    return " ".join(rng.choice(TEXT.split(), count)).capitalize()


def html(rng: Generator) -> str:
    """A page with a bar, cards with a photograph, running text, a table, buttons and icons."""
    file = io.BytesIO()
    Image.fromarray(landscape(rng, 120, 240)).save(file, "JPEG", quality=85)
    photograph = base64.b64encode(file.getvalue()).decode("ascii")
    hue = int(rng.integers(360))
    bar = "".join(f"<a>{sentence(rng, 1)}</a>" for _ in range(6))
    cards = "".join(
        f"<div class=card><img src='data:image/jpeg;base64,{photograph}'><h3>{sentence(rng, 4)}</h3>"
        f"<p>{sentence(rng, 22)}.</p><button>{sentence(rng, 2)}</button></div>"
        for _ in range(4)
    )
    rows = "".join(
        f"<tr>{''.join(f'<td>{sentence(rng, 2)}' for _ in range(4))}<td>{rng.integers(10000)}"
        f"<td><svg width=16 height=16><circle cx=8 cy=8 r=6 fill='hsl({hue},60%,50%)'/></svg>"
        for _ in range(9)
    )
    text = "".join(f"<p>{sentence(rng, 60)}.</p>" for _ in range(2))
    return (
        "<!doctype html><meta charset=utf-8><style>body{font:15px/1.5 'DejaVu Sans',sans-serif;margin:0}"
        f"nav{{background:hsl({hue},50%,35%);padding:14px 24px}}nav a{{color:#fff;margin-right:28px}}"
        "main{padding:10px 24px}.cards{display:flex;gap:18px}.card{flex:1;border:1px solid #ccc;padding:12px;"
        "border-radius:8px;box-shadow:0 2px 6px #0003}img{width:100%;border-radius:4px}p{margin:8px 0}"
        f"button{{background:hsl({hue},60%,45%);color:#fff;border:0;border-radius:5px;padding:7px 14px}}"
        "table{border-collapse:collapse;width:100%}td{border:1px solid #ddd;padding:3px 10px}"
        f"tr:nth-child(even){{background:#f4f4f6}}</style><nav>{bar}</nav><main><h1>{sentence(rng, 5)}</h1>"
        f"{text}<div class=cards>{cards}</div><h2>{sentence(rng, 3)}</h2><table>{rows}</table></main>"
    )


def page_svg(rng: Generator, height: int, width: int) -> str:
    """A bar, boxes with borders and lines of text, as SVG."""
    hue = f"hsl({int(rng.integers(360))},50%,40%)"
    size = f'width="{width}" height="{height}"'
    parts = [f'<rect {size} fill="#fff"/><rect width="{width}" height="48" fill="{hue}"/>']
    for k in range(max(width // 320, 1)):
        place = f'x="{k * 320 + 16}" y="70" width="280" height="150" rx="8"'
        parts.append(f'<rect {place} fill="#f4f4f6" stroke="#bbb"/>')
        parts.append(f'<circle cx="{k * 320 + 60}" cy="120" r="24" fill="{hue}"/>')
    for top in range(250, height, 22):
        words = sentence(rng, width // 64)
        parts.append(f'<text x="16" y="{top}" font-family="DejaVu Sans" font-size="14">{words}</text>')
    return "".join(parts)


PICTURES: dict[str, Callable[[Generator], Iterator[tuple[str, Pixels]]]] = {
    "photograph 640x427": photographs,
    "web page 1280x800": pages,
}


# What looking costs


@dataclass(frozen=True)
class Cost:
    """Of one picture in a process of its own."""

    seconds: float  # per megapixel
    memory: float  # GB at the peak, imports included
    ended: bool = True  # or it was given up after those seconds

    def pace(self) -> str:
        return f"{'' if self.ended else 'over '}{self.seconds:.2f}"


def cost(image: Pixels, clock: str, patience: float) -> Cost:
    """Of seeing one picture, in a process that has seen small ones before.

    clock: what counts, "wall" or "cpu". patience: seconds on that clock after which the picture is given up.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "picture.npy"
        np.save(path, image)
        command = [sys.executable, "-c", CHILD, clock, str(path), str(patience)]
        done = subprocess.run(command, capture_output=True, text=True, cwd=Path(__file__).parent)
    if done.returncode:
        said = done.stderr.strip().splitlines() or ["nothing"]
        raise UnrenderError(f"The process that saw a picture ended with {done.returncode}: {said[-1]}")
    seconds, memory, ended = map(float, done.stdout.split()[-3:])
    return Cost(seconds / (image.shape[0] * image.shape[1] / 1e6), memory, bool(ended))


def child(clock: str, path: str, patience: str) -> None:
    """See one picture; print seconds, the peak memory in GB, and 1 if it was seen or 0 if given up."""
    from scenes import speed_scene
    from seer_sight import Seer

    look = Seer.of().look
    look(speed_scene(0, 96, 3).image)
    look(landscape(np.random.default_rng(0), 24, 32))  # what is compiled on texture only
    image, now = np.load(path), CLOCKS[clock]
    start = now()

    def say(ended: int) -> None:
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2
        print(now() - start, peak, ended, flush=True)
        os._exit(0)

    timer, ring = ALARMS[clock]
    signal.signal(ring, lambda *_: say(0))
    signal.setitimer(timer, float(patience))
    look(image)
    say(1)
