"""How pictures come to the desk, and what becomes of those that are none."""

import base64
from pathlib import Path

from playwright.sync_api import Page, expect

from unrender.studio.server import Studio

DROP = """([text, kind]) => {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const data = new DataTransfer();
  data.items.add(new File([bytes], kind + ".png", { type: "image/png" }));
  const event = kind === "drop" ? new DragEvent("drop", { dataTransfer: data, bubbles: true })
    : new ClipboardEvent("paste", { clipboardData: data, bubbles: true });
  document.body.dispatchEvent(event);
}"""


def test_files_are_chosen_and_the_first_is_shown(studio: Studio, pictures: Path, page: Page) -> None:
    page.goto(studio.url)
    expect(page.locator(".welcome")).to_be_visible()
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Open").click()
    chooser.value.set_files([pictures / "one.png", pictures / "two.png"])
    expect(page.locator(".filename")).to_have_text("one.png")
    expect(page.locator(".pane.left [data-node]")).to_have_count(5)
    expect(page.locator(".thumb")).to_have_count(2)
    expect(page.locator('.thumb[data-state="has a question"]')).to_have_count(2)


def test_a_folder_is_opened(studio: Studio, pictures: Path, page: Page) -> None:
    page.goto(studio.url)
    page.locator('[data-open="folder"]').set_input_files(pictures)
    expect(page.locator('.thumb[data-state="has a question"]')).to_have_count(2)


def test_a_picture_is_dropped_and_another_one_pasted(studio: Studio, pictures: Path, page: Page) -> None:
    page.goto(studio.url)
    expect(page.locator(".welcome")).to_be_visible()
    for i, kind in enumerate(("drop", "paste")):
        page.evaluate(DROP, [base64.b64encode((pictures / "one.png").read_bytes()).decode(), kind])
        expect(page.locator(".thumb")).to_have_count(i + 1)
        expect(page.locator(".filename")).to_have_text(f"{kind}.png")


def test_a_broken_file_says_what_is_wrong_and_the_rest_goes_on(
    studio: Studio, pictures: Path, page: Page, tmp_path: Path
) -> None:
    broken = tmp_path / "broken.png"
    broken.write_bytes((pictures / "one.png").read_bytes()[:200])
    page.goto(studio.url)
    page.locator('[data-open="files"]').set_input_files([broken, pictures / "one.png"])
    expect(page.locator(".q-notification")).to_contain_text('"broken.png" is damaged or cut off')
    expect(page.locator(".filename")).to_have_text("one.png")
    expect(page.locator(".pane.left [data-node]")).to_have_count(5)
    expect(page.locator(".thumb")).to_have_count(1)


def test_a_file_of_the_command_line_that_cannot_be_seen_says_why(
    studio: Studio, page: Page, tmp_path: Path
) -> None:
    (tmp_path / "broken.png").write_bytes(b"nothing")
    studio.open([tmp_path / "broken.png"])
    page.goto(studio.url)
    expect(page.locator(".sentence.bad")).to_contain_text('"broken.png" is not a picture')
    expect(page.locator('.thumb[data-state="cannot be seen"]')).to_have_count(1)
    assert (tmp_path / "broken.png").exists()


def test_a_picture_is_removed_from_the_desk(studio: Studio, pictures: Path, page: Page) -> None:
    studio.open([pictures / "two.png"])
    page.goto(studio.url)
    page.locator('[data-open="files"]').set_input_files(pictures / "one.png")
    expect(page.locator(".filename")).to_have_text("one.png")
    expect(page.locator(".pane.left [data-node]")).to_have_count(5)
    (upload,) = (own.path for own in studio.desk.pictures.values() if own.stored)
    page.get_by_role("button", name="remove one.png").click()
    expect(page.locator(".filename")).to_have_text("two.png")
    expect(page.locator(".thumb")).to_have_count(1)
    assert not upload.exists()
    page.locator("body").press("Delete")
    expect(page.locator(".welcome")).to_be_visible()
    assert (pictures / "two.png").exists()  # the file itself is not the studio's


def test_a_picture_that_another_tab_shows_can_be_removed(studio: Studio, pictures: Path, page: Page) -> None:
    studio.open([pictures / "one.png", pictures / "two.png"])
    page.goto(studio.url)
    expect(page.locator(".filename")).to_have_text("one.png")
    other = page.context.new_page()
    other.goto(studio.url)
    other.get_by_role("button", name="remove one.png").click()
    expect(page.locator(".filename")).to_have_text("two.png")
    expect(page.locator(".pane.left [data-node]").first).to_be_visible()
