"""What a page leaves behind in the studio when nobody looks at it any more: nothing."""

import gc
import time
from pathlib import Path
from urllib.request import Request, urlopen

from playwright.sync_api import Page, expect

from unrender.studio.panels.tab import Tab
from unrender.studio.server import Studio


def tabs(studio: Studio) -> int:
    """How many tabs of this desk are alive."""
    gc.collect()
    return sum(type(own) is Tab and own.desk is studio.desk for own in gc.get_objects())


def test_pages_that_a_program_reads_are_never_built(studio: Studio) -> None:
    asked = Request(studio.address, headers={"Authorization": f"Bearer {studio.token}"})
    for _ in range(30):
        with urlopen(asked) as reply:
            assert "unrender studio" in reply.read().decode()
    assert tabs(studio) == 0
    assert not studio.desk.watchers


def test_a_tab_is_forgotten_when_its_page_is_left(studio: Studio, pictures: Path, page: Page) -> None:
    studio.open([pictures / "one.png"])
    for _ in range(3):
        page.goto(studio.url)
        expect(page.locator(".pane.left [data-node]")).to_have_count(5)
    assert tabs(studio) > 0
    page.goto("about:blank")
    end = time.monotonic() + 30
    while tabs(studio) and time.monotonic() < end:
        time.sleep(0.2)
    assert tabs(studio) == 0
    assert not studio.desk.watchers
