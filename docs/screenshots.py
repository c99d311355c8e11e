"""Takes the pictures of the studio with Chromium: python docs/screenshots.py [folder]"""

from __future__ import annotations

import shutil
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from unrender.cli.story.mechanics import SETTING, drawn
from unrender.studio.server import Studio

PICTURES = Path(__file__).with_name("pictures")


def lesson(page: Page, word: str) -> None:
    """Answer the open question."""
    page.get_by_label("answer").fill(word)
    page.get_by_label("answer").press("Enter")
    page.locator(".told", has_text=word).wait_for()


def walk(page: Page, folder: Path) -> None:
    """The whole first lesson, with a picture where it is worth one."""
    page.locator(".pane.left [data-node]").first.wait_for()
    lesson(page, "ship")
    page.locator(".thumb").nth(1).click()
    page.locator(".tag").nth(1).wait_for()
    page.get_by_label("answer").wait_for()
    page.locator(".description", has_text="ship").wait_for()
    page.locator(".line", has_text="ship").first.click()
    page.locator(".knob", has_text="rotation").wait_for()
    page.mouse.move(1270, 790)
    page.wait_for_timeout(1500)
    page.screenshot(path=folder / "studio.png")
    lesson(page, "asteroid")
    page.keyboard.press("Escape")
    page.keyboard.press("b")
    page.keyboard.press("t")
    page.locator(".symbol", has_text="asteroid").first.wait_for()
    page.wait_for_function("document.querySelector('img.graph').naturalWidth > 100")
    page.wait_for_timeout(1500)
    page.screenshot(path=folder / "studio-brain.png")


def watch(page: Page, folder: Path) -> None:
    """A film, the world found in it, and the same without one ball."""
    page.get_by_role("slider", name="frame").wait_for()
    page.get_by_role("button", name="Skip").click()
    page.locator(".told", has_text="Skipped").wait_for()
    page.get_by_role("button", name="Find out").click()
    page.locator(".bar.contact").first.wait_for()
    page.locator(".pane.left [data-node]").nth(1).click()
    page.get_by_role("button", name="Remove it and watch").click()
    page.get_by_role("radio", name="without").wait_for()
    page.wait_for_function("document.querySelector('.scrub').value === '44'")
    page.locator(".line").first.click()
    page.mouse.move(1270, 790)
    page.wait_for_timeout(1500)
    page.screenshot(path=folder / "studio-film.png")


def clip(path: Path) -> None:
    """The film of the demo."""
    first, *others = (Image.fromarray(drawn(SETTING, states)) for states in SETTING.run().states)
    first.save(path, save_all=True, append_images=others, duration=round(1000 / SETTING.fps), loop=0)


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else PICTURES
    folder.mkdir(parents=True, exist_ok=True)
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    with tempfile.TemporaryDirectory() as home, Studio(Path(home) / "my.brain", port=0) as studio:
        studio.open([PICTURES / "ship.png", PICTURES / "asteroids.png"])
        with sync_playwright() as playwright:
            opened = playwright.chromium.launch(
                executable_path=browser, args=["--no-sandbox", "--disable-gpu"]
            )
            page = opened.new_page(viewport={"width": 1280, "height": 800}, color_scheme="light")
            page.goto(studio.url)
            walk(page, folder)
            clip(Path(home) / "balls.gif")
            page.keyboard.press("t")
            page.keyboard.press("b")
            page.locator('[data-open="files"]').set_input_files(Path(home) / "balls.gif")
            watch(page, folder)
            opened.close()


if __name__ == "__main__":
    main()
