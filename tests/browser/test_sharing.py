"""Two tabs on one brain, the brain's own view, and names that are no markup."""

from pathlib import Path

from playwright.sync_api import Page, expect

import unrender
from unrender.studio.server import Studio

from .conftest import teach

EVIL = "<img src=x onerror=document.title='owned'>"


def test_what_one_tab_teaches_the_other_shows(studio: Studio, pictures: Path, page: Page) -> None:
    studio.open([pictures / "one.png", pictures / "two.png"])
    other = page.context.new_page()
    page.goto(studio.url)
    other.goto(studio.url)
    other.locator(".thumb").nth(1).click()
    expect(other.locator(".filename")).to_have_text("two.png")
    expect(other.locator(".pane.left [data-node]").first).to_be_visible()
    page.get_by_label("answer").fill("ship")
    page.get_by_label("answer").press("Enter")
    expect(page.get_by_role("status")).to_contain_text("I now know a new object, ship.")
    expect(other.locator(".tag")).to_have_text("ship")
    other.locator("body").press("u")
    expect(other.locator(".tag")).to_have_count(0)
    expect(page.locator(".tag")).to_have_count(0)
    assert not studio.desk.brain.symbols


def test_a_lesson_of_another_process_is_not_overlooked(studio: Studio, pictures: Path, page: Page) -> None:
    studio.open([pictures / "one.png"])
    page.goto(studio.url)
    expect(page.get_by_label("answer")).to_be_visible()
    with unrender.open(studio.desk.path) as brain:
        brain.teach(brain.see(pictures / "one.png"), "ship")
    page.get_by_label("answer").fill("boat")
    page.get_by_label("answer").press("Enter")
    expect(page.get_by_role("status")).to_contain_text("I now know a new object, boat.")
    assert set(studio.desk.brain.symbols) == {"ship", "boat"}


def test_a_name_that_looks_like_markup_is_shown_as_text(studio: Studio, pictures: Path, page: Page) -> None:
    path = pictures.parent / EVIL.replace("/", "")
    path.write_bytes((pictures / "one.png").read_bytes())
    teach(studio, path, "ship")
    (picture,) = studio.desk.pictures.values()
    picture.seen().axioms[0].symbol = EVIL  # no lesson takes such a name, but a file may hold anything
    page.goto(studio.url)
    expect(page.locator(".tag")).to_have_text(EVIL)
    expect(page.locator(".line b").first).to_have_text(EVIL)
    expect(page.locator(".filename")).to_have_text(path.name)
    page.locator(".pane.left [data-node]").first.hover()
    expect(page.locator(".tip b")).to_have_text(EVIL)
    page.locator(".line").first.click()
    expect(page.locator(".who .strong")).to_have_text(EVIL)
    page.get_by_label("look").fill(EVIL)
    page.get_by_label("look").press("Enter")
    expect(page.locator(".q-notification")).to_be_visible()
    page.get_by_role("button", name="Brain").click()
    expect(page.locator(".symbol .strong").first).to_be_visible()
    expect(page.locator("img[src=x]")).to_have_count(0)
    assert page.title() == "unrender studio"


def test_the_brain_shows_its_network_symbols_matrix_and_lessons(
    studio: Studio, pictures: Path, page: Page
) -> None:
    teach(studio, pictures / "one.png", "ship")
    page.goto(studio.url)
    expect(page.locator(".tag")).to_have_text("ship")
    page.locator("body").press("b")
    expect(page.locator(".symbol", has_text="ship/1")).to_contain_text("seen 1×")
    expect(page.locator(".symbol", has_text="ship/1").locator("img")).to_have_js_property("naturalWidth", 72)
    expect(page.locator(".matrix")).to_contain_text("not the same parent")
    page.wait_for_function("document.querySelector('img.graph').naturalWidth > 100")
    page.get_by_role("button", name="Save a copy").click()
    page.get_by_role("textbox", name="name").fill("copy")
    page.get_by_role("textbox", name="name").press("Enter")
    expect(page.locator(".q-notification")).to_contain_text("Saved as copy.brain.")
    page.get_by_role("button", name="Undo the last").click()
    expect(page.locator(".lessons")).to_contain_text("Nothing has been taught yet.")
    expect(page.locator(".symbol", has_text="ship/1")).to_have_count(0)
    page.get_by_role("button", name="Open another").click()
    page.locator(".offer", has_text="copy.brain").click()
    expect(page.locator(".symbol", has_text="ship/1")).to_have_count(1)
