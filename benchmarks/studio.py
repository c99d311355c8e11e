"""How long a person waits in the studio, measured in Chromium.

    python benchmarks/studio.py [--runs 10]

From choosing a 256x256 picture to its overlay: under 1 s. From moving a slider to the new picture: under
150 ms. Both are read from the browser's own clock. `--picture FILE` also saves what the page looks like.
"""

from __future__ import annotations

import shutil
import tempfile
import time
from pathlib import Path

import numpy as np
from PIL import Image
from playwright.sync_api import Page, sync_playwright
from report import Line, Table, milliseconds, parser, publish, run

from unrender import Answer, UnrenderError
from unrender.studio.desk import lessons
from unrender.studio.server import Studio
from unrender.worlds.asteroids import Asteroids

OPEN, MOVE = 1.0, 0.150  # seconds at most
SIDE = 256
ABOUT = (
    "How long a person waits, read from the clock of the browser (Chromium, which runs on the same cores)."
)

OPENED = """(name) => {
  const sheet = document.querySelector(".pane.left .canvas");
  window.opened = new Promise((done) => {
    window.addEventListener("change", () => {
      const start = performance.now();
      const look = () => {
        const image = sheet.querySelector("img"), shape = sheet.querySelector("[data-node]");
        const shown = document.querySelector(".filename").textContent === name && image && shape;
        const there = shown && image.getAttribute("src") === sheet.dataset.src;
        there ? done((performance.now() - start) / 1000) : requestAnimationFrame(look);
      };
      look();
    }, { capture: true, once: true });
  });
}"""

MOVED = """() => {
  const canvas = document.querySelector(".pane.right .canvas");
  window.moved = new Promise((done) => {
    window.addEventListener("pointerdown", () => {
      const start = performance.now();
      canvas.addEventListener("load", (event) => {
        if (event.target.className === "over") done((performance.now() - start) / 1000);
      }, { capture: true, once: true });
    }, { capture: true, once: true });
  });
}"""


def opening(page: Page, path: Path) -> float:
    """Seconds from a file's choice to its overlay."""
    page.evaluate(OPENED, path.name)
    page.locator('[data-open="files"]').set_input_files(path)
    return float(page.evaluate("window.opened"))


def moving(page: Page, share: float) -> float:
    """Seconds from pressing on a slider to the new picture."""
    slider = page.get_by_role("slider", name="rotation")
    box = slider.bounding_box()
    assert box is not None
    page.evaluate(MOVED)
    page.mouse.click(box["x"] + share * box["width"], box["y"] + box["height"] / 2)
    seconds = float(page.evaluate("window.moved"))
    page.wait_for_timeout(300)
    return seconds


def pictures(folder: Path, count: int, seed: int) -> list[Path]:
    """Pictures of a ship among asteroids."""
    world = Asteroids(SIDE, SIDE, ships=(1, 1), asteroids=(2, 2), loose=(2, 2))
    paths = [folder / f"{i}.png" for i in range(count)]
    for i, path in enumerate(paths):
        Image.fromarray(world.sample(np.random.default_rng(seed + i)).image).save(path)
    return paths


def teach(studio: Studio, folder: Path) -> None:
    """One ship, so that there is a tree to turn."""
    world = Asteroids(SIDE, SIDE, ships=(1, 1), asteroids=(0, 0), loose=(0, 0))
    path = folder / "ship.png"
    Image.fromarray(world.sample(np.random.default_rng(1)).image).save(path)
    desk = studio.desk
    picture = desk.add(path)
    desk.look(picture)
    assert picture.asked is not None
    lessons.answer(desk, picture, list(picture.asked.parts), Answer("ship"))


def measure(page: Page, studio: Studio, folder: Path, runs: int, seed: int) -> dict[str, list[float]]:
    """All waits, in seconds."""
    teach(studio, folder)
    page.goto(studio.url)
    page.locator(".tag").first.wait_for()
    opened, seen = [], []
    for path in pictures(folder, runs, seed):
        opened.append(opening(page, path))
        page.locator('.thumb.on:not([data-state="not seen yet"])').wait_for()
        start = time.perf_counter()
        studio.desk.brain.see(path)
        seen.append(time.perf_counter() - start)
    page.locator(".line", has_text="ship").first.click()
    page.locator(".knob", has_text="rotation").wait_for()
    moved = [moving(page, share) for share in np.linspace(0.1, 0.9, runs)]
    return {
        f"a {SIDE}x{SIDE} picture opened to its overlay": opened,
        "a slider moved to the new picture": moved,
        "for comparison, brain.see of the same pictures without a browser": seen,
    }


def main() -> None:
    made = parser(__doc__, "studio")
    made.add_argument("--runs", type=int, default=10)
    made.add_argument("--picture", type=Path, help="file for what the page looks like")
    options = made.parse_args()
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    if browser is None:
        raise UnrenderError('The studio is measured in Chromium: install the package "chromium".')
    runs = 1 if options.quick else options.runs
    with tempfile.TemporaryDirectory() as name, Studio(port=0) as studio, sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox", "--disable-gpu"])
        page = opened.new_page(viewport={"width": 1280, "height": 800})
        waits = measure(page, studio, Path(name), runs, options.seed)
        if options.picture:
            page.screenshot(path=options.picture)
        opened.close()
    lines = [
        waited(what, seconds, goal)
        for (what, seconds), goal in zip(waits.items(), (OPEN, MOVE, None), strict=True)
    ]
    publish(options.out, "The studio", ABOUT, Table(lines, "from, to", "median"))


def waited(what: str, seconds: list[float], goal: float | None) -> Line:
    median = float(np.median(seconds))
    text = "" if goal is None else f"under {milliseconds(goal)}"
    passed = None if goal is None else median < goal
    return Line(what, text, milliseconds(median), passed, {"worst": milliseconds(max(seconds))})


if __name__ == "__main__":
    run(main)
