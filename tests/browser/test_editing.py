"""What is selected can be changed, and what is shown can be saved."""

import json
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from PIL import Image
from playwright.sync_api import Locator, Page, expect

from unrender import Scene
from unrender.studio.server import Studio

from .conftest import teach


@pytest.fixture
def taught(studio: Studio, pictures: Path, page: Page) -> Studio:
    """A studio that knows a ship and shows it."""
    teach(studio, pictures / "one.png", "ship")
    page.goto(studio.url)
    expect(page.locator(".tag")).to_have_text("ship")
    return studio


def slider(page: Page, name: str) -> Locator:
    return page.get_by_role("slider", name=name)


def drawn(page: Page) -> bytes:
    """The redrawn picture that the page shows now."""
    source = page.locator(".pane.right img.over").get_attribute("src")
    return page.request.get(page.url.rstrip("/") + str(source)).body()


def test_a_slider_changes_the_redrawn_pixels_and_reset_brings_them_back(taught: Studio, page: Page) -> None:
    page.locator('.tree [role="treeitem"]').first.click()
    expect(slider(page, "rotation")).to_be_visible()
    before = drawn(page)
    over = page.locator(".pane.right img.over")
    source = over.get_attribute("src")
    slider(page, "rotation").click(position={"x": 20, "y": 8})
    expect(over).not_to_have_attribute("src", str(source))
    assert drawn(page) != before
    page.get_by_role("button", name="Reset").click()
    expect(page.get_by_role("button", name="Reset")).to_be_hidden()
    expect(page.locator(".knob", has_text="rotation").locator(".value")).to_have_text("0.00")
    assert drawn(page) == before


def test_blending_and_the_difference_show_the_picture_below(taught: Studio, page: Page) -> None:
    over = page.locator(".pane.right img.over")
    expect(over).to_have_css("opacity", "1")
    page.get_by_label("blend").click(position={"x": 4, "y": 8})
    expect(over).not_to_have_css("opacity", "1")
    page.locator("body").press("d")
    expect(over).to_have_css("mix-blend-mode", "difference")


def test_every_export_can_be_downloaded_and_read(taught: Studio, page: Page, tmp_path: Path) -> None:
    kinds = {"SVG": ".svg", "Godot": ".tscn", "COCO": ".coco.json", "JSON": ".json", "PNG": ".png"}
    for kind, suffix in kinds.items():
        page.get_by_role("button", name="Export").click()
        with page.expect_download() as download:
            page.locator(".q-menu").get_by_text(f"{kind} {suffix}", exact=True).click()
        assert download.value.suggested_filename == f"one{suffix}"
        download.value.save_as(tmp_path / f"one{suffix}")
    ET.parse(tmp_path / "one.svg")
    scene = Scene.from_dict(json.loads((tmp_path / "one.json").read_text()))
    assert [axiom.symbol for axiom in scene.axioms] == ["ship"]
    assert json.loads((tmp_path / "one.coco.json").read_text())["annotations"]
    assert (tmp_path / "one.tscn").read_text().startswith("[gd_scene")
    with Image.open(tmp_path / "one.png") as picture:
        assert picture.size == (96, 96)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Export").click()
    page.get_by_text("Copy as JSON").click()
    expect(page.locator(".q-notification")).to_contain_text("clipboard")
    page.wait_for_function("async () => (await navigator.clipboard.readText()).length > 0")
    assert json.loads(page.evaluate("navigator.clipboard.readText()")) == scene.to_dict()


def test_pointing_goes_both_ways_between_picture_and_tree(taught: Studio, page: Page) -> None:
    circle = page.locator('.pane.left [data-symbol="circle"]')
    circle.hover()
    expect(page.locator(".tip")).to_contain_text("ship")
    expect(page.locator(".line.hot b")).to_have_text("ship")
    circle.click()
    expect(page.locator(".line.selected b")).to_have_text("ship")
    circle.click()  # once more goes one level down
    expect(page.locator(".line.selected b")).to_have_text("circle")
    page.locator(".line", has_text="square").hover()
    expect(page.locator('.pane.left [data-symbol="square"]')).to_have_class("shape hot")


def test_dragging_selects_a_region(taught: Studio, page: Page) -> None:
    box = page.locator(".pane.left .sheet").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 2, box["y"] + 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 2, box["y"] + box["height"] - 2, steps=4)
    expect(page.locator(".region")).to_be_visible()
    page.mouse.up()
    expect(page.locator(".line.selected b")).to_have_text("ship")


def test_a_word_for_how_it_looks_is_taught_in_the_inspector(taught: Studio, page: Page) -> None:
    page.locator('.tree [role="treeitem"]').first.click()
    page.get_by_label("look").fill("damaged")
    page.get_by_role("button", name="Teach").click()
    expect(page.get_by_role("status")).to_contain_text("I now know that ship can be damaged.")
    assert "damaged" in (taught.desk.brain.knows("ship") or ())
