"""A film in the browser: watched, played, a verb taught by marking a stretch, and a world made otherwise."""

import re
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from unrender.studio.server import Studio

from .test_accessibility import AT_REST, CUT_OFF, NARROW


def accessible(page: Page) -> None:
    page.wait_for_function(AT_REST)
    violations = Axe().run(page).response["violations"]
    assert [own for own in violations if own["impact"] in ("serious", "critical")] == []
    assert page.evaluate(CUT_OFF) == []


def test_a_verb_is_taught_by_marking_a_stretch_of_the_timeline(
    studio: Studio, robots: Path, page: Page
) -> None:
    studio.desk.brain.teach(studio.desk.brain.see(robots / "robot.png"), "robot")
    page.goto(studio.url)
    page.locator('[data-open="files"]').set_input_files(robots / "wave.gif")
    expect(page.locator(".pane.left [data-node]").first).to_be_visible()  # before all of it is watched
    question = page.get_by_role("region", name="question").get_by_role("heading")
    expect(question).to_contain_text("What verb describes this?")
    ruler = page.locator(".ruler").bounding_box()
    assert ruler is not None
    page.mouse.move(ruler["x"] + 9, ruler["y"] + 10)
    page.mouse.down()
    page.mouse.move(ruler["x"] + ruler["width"] - 9, ruler["y"] + 10, steps=3)
    page.mouse.up()
    expect(question).to_contain_text("What does the robot do from 0.00 to 1.00 s?")
    page.get_by_role("textbox", name="verb").fill("wave")
    page.keyboard.press("Enter")
    bar = page.get_by_role("group", name="verbs of robot.1").get_by_role("button")
    expect(bar).to_have_attribute("aria-label", re.compile(r"robot\.1 is waving, from 0\.00 to \d"))
    expect(page.get_by_role("status").first).to_contain_text("a robot is waving")
    bar.click()
    expect(page.get_by_role("img", name="position of robot.1")).to_be_visible()
    accessible(page)
    page.locator("body").press("[")  # the same with the keyboard
    expect(question).to_contain_text("What does the robot do")
    page.get_by_role("button", name="Unmark").click()
    page.locator("body").press("u")
    expect(bar).to_have_count(0)


def test_a_body_is_removed_and_the_film_goes_on(studio: Studio, falling: Path, page: Page) -> None:
    studio.open([falling])
    page.goto(studio.url)
    slider = page.get_by_role("slider", name="frame")
    expect(slider).to_be_visible()
    page.locator(".pane.left [data-node]").last.click()
    expect(page.get_by_role("img", name="speed of circle")).to_be_visible()
    page.locator("body").press("p")
    expect(slider).to_have_value("19")
    expect(page.get_by_role("button", name="play", exact=True)).to_be_visible()
    page.get_by_role("button", name="Find out").click()
    expect(page.get_by_role("region", name="world")).to_contain_text("Gravity pulls down")
    expect(page.get_by_role("region", name="world")).to_contain_text("The film cannot tell")
    expect(page.get_by_role("group", name="contacts").get_by_role("button").first).to_be_visible()
    slider.focus()
    page.keyboard.press("End")
    expect(slider).to_have_attribute("aria-valuetext", "1.76 s, frame 45 of 45, would happen")
    page.get_by_role("button", name="Remove it and watch").click()
    without = page.get_by_role("radio", name="without circle")
    expect(without).to_have_attribute("aria-checked", "true")
    expect(page.locator(".line")).to_have_count(1)
    page.set_viewport_size(NARROW)  # type: ignore[arg-type]
    page.emulate_media(color_scheme="dark")
    accessible(page)
    page.get_by_role("radio", name="as filmed").click()
    expect(page.locator(".line")).to_have_count(2)
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save the world for Godot").click()
    assert saved.value.suggested_filename == "falling-world.tscn"
