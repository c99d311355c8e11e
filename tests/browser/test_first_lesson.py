"""The whole first lesson, with the mouse and without it."""

from pathlib import Path

from playwright.sync_api import Page, expect

from unrender.studio.server import Studio


def test_a_person_teaches_a_ship_by_pointing_and_the_next_picture_is_recognised(
    studio: Studio, pictures: Path, page: Page
) -> None:
    studio.open([pictures / "one.png", pictures / "two.png"])
    page.goto(studio.url)
    shapes = page.locator(".pane.left [data-node]")
    expect(shapes).to_have_count(5)
    expect(page.locator(".sentence")).to_contain_text("What new noun best describes them?")

    for i in range(5):  # the parts, one by one
        box = shapes.nth(i).bounding_box()
        assert box is not None
        modifiers = ["Shift"] if i else []
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        for key in modifiers:
            page.keyboard.down(key)
        page.mouse.down()
        page.mouse.up()
        for key in modifiers:
            page.keyboard.up(key)
        expect(page.locator('.tree [aria-selected="true"]')).to_have_count(i + 1)
    expect(page.locator(".chip")).to_have_count(5)

    page.get_by_label("answer").fill("ship")
    page.get_by_role("button", name="Answer").click()
    told = page.get_by_role("status")
    expect(told).to_contain_text("I now know a new object, ship.")
    expect(told).to_contain_text("became one ship")
    expect(page.locator(".tag")).to_have_text("ship")
    expect(page.locator(".sentence")).to_have_text("I understand this picture.")

    page.locator(".thumb").nth(1).click()
    expect(page.locator(".filename")).to_have_text("two.png")
    expect(page.locator(".tag")).to_have_text("ship")
    assert set(studio.desk.brain.symbols) == {"ship"}


def test_the_first_lesson_needs_no_mouse(studio: Studio, pictures: Path, page: Page) -> None:
    studio.open([pictures / "one.png", pictures / "two.png"])
    page.goto(studio.url)
    expect(page.locator(".sentence")).to_contain_text("What new noun best describes them?")
    press = page.keyboard.press
    press("?")
    expect(page.locator(".keys dt").first).to_be_visible()
    press("Escape")
    expect(page.locator(".q-dialog")).to_have_count(0)
    press("ArrowDown")
    for count in range(2, 6):
        press("Shift+ArrowDown")
        expect(page.locator('.tree [aria-selected="true"]')).to_have_count(count)
    press("x")
    expect(page.locator(".chip")).to_have_count(4)
    press("x")
    expect(page.locator(".chip")).to_have_count(5)
    press("a")
    expect(page.get_by_label("answer")).to_be_focused()
    page.keyboard.type("ship")
    press("Enter")
    expect(page.get_by_role("status")).to_contain_text("I now know a new object, ship.")
    press("Escape")
    press("ArrowRight")
    expect(page.locator(".filename")).to_have_text("two.png")
    expect(page.locator(".tag")).to_have_text("ship")
    press("u")
    expect(page.get_by_role("status")).to_contain_text("Took back: new object ship")
    expect(page.locator(".tag")).to_have_count(0)
    assert not studio.desk.brain.symbols
