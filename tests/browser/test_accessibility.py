"""Everybody can use the page: readers of the screen, the keyboard alone, a phone, light and dark."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from unrender.studio.server import Studio

from .conftest import teach

WIDE, NARROW = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
AT_REST = """document.getAnimations().every((own) => own.playState !== 'running')
  && !document.querySelector("[class*=-enter-], [class*=-leave-]")"""
CUT_OFF = """() => [...document.querySelectorAll(".studio *, .q-dialog *")]
  .filter((own) => own.checkVisibility() && !own.closest(".strip, svg, .block"))
  .map((own) => [own.getBoundingClientRect(), own.tagName + "." + own.className])
  .filter(([box]) => box.width && (box.right > innerWidth + 1 || box.left < -1)).map(([_, name]) => name)"""


def states(page: Page) -> Iterator[str]:
    """The page in all that it can show, one after the other; it begins with a question."""
    press = page.locator("body").press
    page.locator('.cause[data-cause="B.2"]').click()
    expect(page.get_by_role("slider", name="how much")).to_be_visible()
    yield "question"
    page.locator(".line", has_text="ship").click()
    expect(page.get_by_role("slider", name="rotation")).to_be_visible()
    yield "selection"
    press("?")
    expect(page.get_by_role("dialog", name="keys")).to_be_visible()
    yield "help"
    page.get_by_role("button", name="Close").click()
    expect(page.locator(".q-dialog")).to_have_count(0)
    press("b")
    expect(page.locator(".symbol", has_text="ship/1")).to_be_visible()
    yield "brain"
    page.get_by_role("button", name="change ship").click()
    expect(page.get_by_role("menuitem").first).to_be_visible()
    yield "menu"
    page.keyboard.press("Escape")
    expect(page.locator(".q-menu")).to_have_count(0)
    page.get_by_role("button", name="Open another").click()
    expect(page.get_by_role("textbox", name="name")).to_be_visible()
    yield "dialog"
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator(".q-dialog")).to_have_count(0)


@pytest.fixture
def known(studio: Studio, pictures: Path) -> Studio:
    """A studio that knows a ship, and shows another one."""
    teach(studio, pictures / "one.png", "ship")
    studio.open([pictures / "two.png"])
    return studio


def shown(page: Page, studio: Studio) -> None:
    """Open the page with a ship, two parts of which are asked about."""
    page.goto(studio.url)
    page.locator(".thumb").nth(1).click()
    expect(page.locator(".filename")).to_have_text("two.png")
    parts = page.locator('.line[aria-level="2"]')
    expect(parts).to_have_count(5)
    parts.first.click()
    parts.last.click(modifiers=["Shift"])
    expect(page.locator(".chip")).to_have_count(2)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["wide", "narrow"])
def test_axe_finds_no_serious_violation_and_nothing_is_cut_off(
    known: Studio, page: Page, size: dict[str, int], scheme: str
) -> None:
    page.set_viewport_size(size)  # type: ignore[arg-type]
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # type: ignore[arg-type]
    shown(page, known)
    for state in states(page):
        if state in ("menu", "dialog") and size is NARROW:  # these are no wider
            continue
        page.wait_for_function(AT_REST)
        violations = Axe().run(page).response["violations"]
        bad = [
            (own["id"], node["html"], node["failureSummary"])
            for own in violations
            if own["impact"] in ("serious", "critical")
            for node in own["nodes"]
        ]
        assert bad == [], state
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"], state
        assert page.evaluate(CUT_OFF) == [], state


def test_an_empty_desk_is_accessible_too(studio: Studio, page: Page) -> None:
    page.set_viewport_size(NARROW)  # type: ignore[arg-type]
    page.goto(studio.url)
    expect(page.get_by_role("button", name="Choose files")).to_be_visible()
    page.wait_for_function(AT_REST)
    violations = Axe().run(page).response["violations"]
    assert [own["id"] for own in violations if own["impact"] in ("serious", "critical")] == []


def test_on_a_phone_the_question_comes_right_after_the_picture(known: Studio, page: Page) -> None:
    page.set_viewport_size(NARROW)  # type: ignore[arg-type]
    shown(page, known)
    page.evaluate("scrollTo(0, 0)")
    tops = {}
    for name in (".left", ".question", ".right", ".tree", ".bottom"):
        box = page.locator(name).bounding_box()
        assert box is not None
        tops[name] = box["y"]
    assert tops[".left"] < tops[".question"] < tops[".right"] < tops[".tree"]
    field = page.get_by_label("answer").bounding_box()
    assert field is not None
    assert field["y"] + field["height"] < tops[".bottom"]  # on the first screen


def test_there_is_one_main_one_heading_and_one_live_region(known: Studio, page: Page) -> None:
    shown(page, known)
    expect(page.get_by_role("main")).to_have_count(1)
    expect(page.get_by_role("heading", level=1)).to_have_text("unrender")
    region = page.get_by_role("status")
    region.evaluate("(own) => { own.dataset.mark = 'the same'; }")
    page.get_by_label("answer").fill("pair")
    page.get_by_label("answer").press("Enter")
    expect(region).to_contain_text("I now know")
    assert region.evaluate("(own) => own.dataset.mark") == "the same"  # only so is it read aloud


def test_sliders_have_names_and_are_moved_with_the_keyboard(known: Studio, page: Page) -> None:
    shown(page, known)
    page.locator(".line", has_text="ship").click()
    names = ["blend", "x", "y", "width", "height", "rotation"]
    for name in names:
        expect(page.get_by_role("slider", name=name, exact=True)).to_have_count(1)
    slider = page.get_by_role("slider", name="rotation")
    value = page.locator(".knob", has=slider).locator(".value")
    before = float(value.inner_text())
    slider.focus()
    page.keyboard.press("ArrowRight")
    expect(value).not_to_have_text(f"{before:.2f}")
    expect(page.locator(".filename")).to_have_text("two.png")  # the arrow moved the slider alone
    expect(page.get_by_role("button", name="Reset")).to_be_visible()


def test_the_page_behind_a_dialog_is_out_of_reach_and_gets_the_focus_back(known: Studio, page: Page) -> None:
    shown(page, known)
    button = page.get_by_role("button", name="keys (?)")
    button.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog", name="keys")).to_be_visible()
    expect(page.locator(".studio")).to_have_js_property("inert", True)
    page.keyboard.press("Escape")
    expect(page.locator(".studio")).to_have_js_property("inert", False)
    expect(button).to_be_focused()


def test_the_tree_is_walked_with_the_keyboard(known: Studio, page: Page) -> None:
    shown(page, known)
    page.locator(".line").nth(0).click()
    page.locator(".line").nth(0).focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator(".line").nth(1)).to_be_focused()
    expect(page.locator(".line").nth(1)).to_have_attribute("aria-selected", "true")


def test_plain_words_name_what_is_asked_for_and_the_papers_are_in_the_tooltip(
    known: Studio, page: Page
) -> None:
    shown(page, known)
    for cause in page.get_by_role("radio").all():
        assert cause.inner_text() in ("known object", "new object", "known look", "new look")
        code = cause.get_attribute("data-cause")
        assert str(cause.get_attribute("title")).endswith(f"{code} in the paper")
    page.locator("body").press("b")
    expect(page.locator(".lessons li")).to_contain_text("new object ship")
    expect(page.locator(".matrix tr").first).to_have_text("featureknown objectnew objectknown looknew look")


def test_the_progress_of_a_job_covers_nothing(known: Studio, pictures: Path, page: Page) -> None:
    page.goto(known.url)
    expect(page.locator(".tag")).to_have_text("ship")
    page.locator(".job").evaluate(
        "(own) => own.classList.remove('hidden')"
    )  # as while pictures are looked at
    for size in (WIDE, NARROW):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        job = page.locator(".job").bounding_box()
        assert job is not None
        assert job["height"] > 10
        for other in (".scene", ".strip"):
            box = page.locator(other).bounding_box()
            assert box is not None
            apart = (
                job["y"] >= box["y"] + box["height"] - 1
                or box["y"] >= job["y"] + job["height"] - 1
                or job["x"] >= box["x"] + box["width"] - 1
            )
            assert apart or (other == ".scene" and size is NARROW), other
