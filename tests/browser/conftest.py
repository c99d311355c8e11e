"""A studio in a thread of its own, and Debian's Chromium in front of it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

from unrender import Answer
from unrender.studio.desk import lessons
from unrender.studio.desk.desk import Desk
from unrender.studio.server import Studio
from unrender.worlds.asteroids import Asteroids

WAIT = 20_000  # ms: the machine may be busy
expect.set_options(timeout=WAIT)


def teach(studio: Studio, path: Path, name: str) -> None:
    """Lay a picture on the desk and answer what is asked about it."""
    desk = studio.desk
    picture = desk.add(path)
    desk.look(picture)
    assert picture.asked is not None
    lessons.answer(desk, picture, list(picture.asked.parts), Answer(name))


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    found = shutil.which("chromium") or shutil.which("chromium-browser")
    assert found, 'the browser tests need Chromium: run "make browser"'
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=found, args=["--no-sandbox", "--disable-gpu"])
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def server() -> Iterator[Studio]:
    with Studio(port=0) as studio:
        yield studio


@pytest.fixture
def studio(server: Studio, tmp_path: Path) -> Iterator[Studio]:
    """The studio with an empty desk and a new brain."""
    server.desk = Desk(tmp_path / "test.brain")
    yield server
    server.desk.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A tab; it fails the test if the page has an error or asks another machine for anything."""
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    context.set_default_timeout(WAIT)
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on(
        "request",
        lambda request: (
            errors.append(request.url)
            if not request.url.startswith(("http://127.0.0.1:", "data:", "blob:", "about:"))
            else None
        ),
    )
    yield page
    context.close()
    assert errors == []


@pytest.fixture(scope="session")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one ship alone, and another with a loose circle beside it."""
    folder = tmp_path_factory.mktemp("pictures")
    for name, seed, loose in (("one.png", 3, 0), ("two.png", 5, 1)):
        world = Asteroids(96, 96, ships=(1, 1), asteroids=(0, 0), loose=(loose, loose), part=(19.0, 21.0))
        Image.fromarray(np.asarray(world.sample(np.random.default_rng(seed)).image)).save(folder / name)
    return folder
