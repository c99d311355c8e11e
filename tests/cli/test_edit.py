"""unrender edit: the picture again, with some of it changed and the rest as it was."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from .conftest import drawn

Run = Callable[..., int]
Capture = pytest.CaptureFixture[str]


def pixels(path: Path) -> np.ndarray:
    with Image.open(path) as image:
        return np.asarray(image.convert("RGB")).astype(int)


def test_attributes_change_and_objects_go(run: Run, folder: Path, tmp_path: Path, capsys: Capture) -> None:
    out = tmp_path / "new" / "out.png"
    words = ("square.1.red=0", "square.1.green=1", "square.1.x+=4", "remove circle.1")
    assert run("edit", folder / "one.png", *words, "-o", out) == 0
    assert capsys.readouterr().out == f"Changed square.1, circle.1\nWrote {out}\n"
    expected = drawn()
    circle, square = expected.axioms
    expected.axioms.remove(circle)
    square.attributes |= {"red": 0.0, "green": 1.0}
    square.position = (26.0, 30.0)
    assert np.abs(pixels(out) - expected.image).mean() < 1


def test_what_was_not_understood_stays_in_the_picture(run: Run, tmp_path: Path) -> None:
    image = drawn().image.copy()
    noise = np.random.default_rng(1).integers(0, 40, (64, 96, 1), np.uint8)
    image[image.sum(axis=2) < 60] = 10
    image = np.maximum(image, noise)
    Image.fromarray(image).save(tmp_path / "noisy.png")
    assert run("edit", tmp_path / "noisy.png", "square.1.colour=red", "-o", tmp_path / "out.png") == 0
    after = pixels(tmp_path / "out.png")
    assert np.array_equal(after[:, 90:], image[:, 90:].astype(int))
    assert np.abs(after[30, 22] - (255, 0, 0)).max() <= 1


def test_a_ship_turns_with_all_its_parts(run: Run, ship: Path, brain: Path, tmp_path: Path) -> None:
    for edit, name in (("ship.1.rotation+=90", "turned.png"), ("ship.*.colour=#ff0000", "red.png")):
        assert run("edit", ship, edit, "-b", brain, "-o", tmp_path / name) == 0
    before, turned, red = (pixels(path) for path in (ship, tmp_path / "turned.png", tmp_path / "red.png"))
    assert np.abs(turned - before).mean() > 5
    assert np.abs(turned.sum() / before.sum() - 1) < 0.05
    assert red[..., 0].max() > 250
    assert red[..., 1:].max() < 10


def test_other_formats_are_written_by_suffix(run: Run, folder: Path, tmp_path: Path) -> None:
    assert run("edit", folder / "one.png", "remove circle", "-o", tmp_path / "out.svg") == 0
    text = (tmp_path / "out.svg").read_text()
    assert "square" in text
    assert "circle" not in text


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("square.1.reed=1",), 'square.1 has no attribute "reed". Did you mean "red"'),
        (("sqare.1.red=1",), 'Did you mean "square"'),
        (("square.7.red=1",), "There is no square.7"),
        (("square.1.red=2",), "must lie between 0 and 1"),
        (("square.1.red",), "An edit is written like"),
        (("square.1.colour=gren",), 'Did you mean "green"'),
        (("square.1.size=0",), "must be above 0"),
        (("square.1.red=1", "-o", "{folder}/out.docx"), "use a name that ends in"),
        (("square.1.red=1", "-o", "{folder}/one.png"), "is the picture itself"),
        (("square.1.red=1", "-o", "{folder}/one.png/x.png"), "Cannot write"),
    ],
)
def test_a_wrong_edit_is_one_line_and_nothing_is_written(
    run: Run, folder: Path, words: tuple[str, ...], complaint: str, capsys: Capture
) -> None:
    goal = () if "-o" in words else ("-o", folder / "out.png")
    before = (folder / "one.png").read_bytes()
    assert run("edit", folder / "one.png", *(word.format(folder=folder) for word in words), *goal) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 1
    assert complaint in told.err
    assert not (folder / "out.png").exists()
    assert (folder / "one.png").read_bytes() == before
