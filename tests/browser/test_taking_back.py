"""Ctrl+Z: edits and lessons, the latest first; the page says what was taken back."""

from pathlib import Path

from playwright.sync_api import Page, expect

from unrender.studio.server import Studio

from .conftest import teach


def test_ctrl_z_takes_back_edits_and_then_lessons(studio: Studio, pictures: Path, page: Page) -> None:
    teach(studio, pictures / "one.png", "ship")
    page.goto(studio.url)
    page.locator(".line").first.click()
    value = page.locator(".knob", has_text="rotation").locator(".value")
    before = value.inner_text()
    slider = page.get_by_role("slider", name="rotation")
    moved = []
    for x in (20, 60):
        slider.click(position={"x": x, "y": 8})
        expect(value).not_to_have_text(moved[-1] if moved else before)
        moved.append(value.inner_text())
    told = page.get_by_role("status")
    page.keyboard.press("Control+z")
    expect(told).to_have_text("Took back: rotation of ship in one.png.")
    expect(value).to_have_text(moved[0])
    page.keyboard.press("Control+z")
    expect(value).to_have_text(before)
    expect(page.get_by_role("button", name="Reset")).to_be_hidden()
    page.keyboard.press("Control+z")
    expect(told).to_contain_text("Took back: new object ship")
    expect(page.locator(".tag")).to_have_count(0)
    assert not studio.desk.brain.symbols
    page.keyboard.press("Control+z")
    expect(page.locator(".q-notification")).to_contain_text("no lesson")


def test_a_slider_that_is_dragged_is_taken_back_at_once(studio: Studio, pictures: Path, page: Page) -> None:
    teach(studio, pictures / "one.png", "ship")
    page.goto(studio.url)
    page.locator(".line").first.click()
    slider = page.get_by_role("slider", name="rotation")
    value = page.locator(".knob", has_text="rotation").locator(".value")
    before = value.inner_text()
    box = slider.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 10, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 10, box["y"] + box["height"] / 2, steps=15)
    page.mouse.up()
    expect(page.get_by_role("button", name="Reset")).to_be_visible()
    expect(value).not_to_have_text(before)
    page.keyboard.press("Control+z")
    expect(value).to_have_text(before)
    expect(page.get_by_role("button", name="Reset")).to_be_hidden()


def test_after_undo_the_one_question_of_before_is_asked(studio: Studio, pictures: Path, page: Page) -> None:
    studio.open([pictures / "one.png"])
    page.goto(studio.url)
    sentence = page.locator(".sentence")
    expect(sentence).to_contain_text("What new noun best describes them?")
    before = sentence.inner_text()
    page.get_by_label("answer").fill("ship")
    page.get_by_label("answer").press("Enter")
    expect(sentence).to_have_text("I understand this picture.")
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(sentence).to_have_text(before)
    expect(page.locator(".chip")).to_have_count(5)
    expect(page.get_by_role("status")).to_contain_text("Took back: new object ship")


def test_in_a_field_ctrl_z_belongs_to_what_is_typed(studio: Studio, pictures: Path, page: Page) -> None:
    teach(studio, pictures / "one.png", "ship")
    page.goto(studio.url)
    page.locator(".line").first.click()
    page.get_by_label("look").fill("dam")
    page.get_by_label("look").press("Control+z")
    expect(page.get_by_label("look")).to_have_value("")
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="keys")).to_be_visible()
    assert set(studio.desk.brain.symbols) == {"ship"}
