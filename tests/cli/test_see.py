"""unrender see: a tree on the screen, the redrawn picture or the scene graph in a file."""

import json
import os
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from rich.console import Console

from unrender import Observation, Scene
from unrender.cli import main
from unrender.cli.tree import tree


def run(*words: str | Path) -> int:
    """The exit code of `unrender see` with these words."""
    with pytest.raises(SystemExit) as ended:
        main(["see", *(str(word) for word in words)])
    assert isinstance(ended.value.code, int)
    return ended.value.code


def drawn() -> Scene:
    """A large yellow square before a blue ring, far apart: nobody can miss them."""
    yellow = {"red": 1.0, "green": 0.8, "blue": 0.0, "filled": 1.0, "thickness": 0.0}
    ring = {"red": 0.2, "green": 0.4, "blue": 1.0, "filled": 0.0, "thickness": 0.15}
    return Scene(
        96,
        64,
        [
            Observation("circle", (68.0, 32.0), (36.0, 36.0), 0.0, ring, depth=0),
            Observation("square", (26.0, 30.0), (30.0, 24.0), 20.0, yellow, depth=1),
        ],
        (10, 12, 20),
    )


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    path = tmp_path / "frame.png"
    Image.fromarray(drawn().image).save(path)
    return path


def words(scene: Scene) -> str:
    """The tree as plain text."""
    console = Console(width=120, color_system=None, highlight=False)
    with console.capture() as captured:
        console.print(tree(scene, "frame.png"))
    return captured.get()


def test_the_tree_says_all_about_every_observation_the_front_most_first() -> None:
    title, front, back = words(drawn()).splitlines()
    assert title == "frame.png  96x64 pixels, 2 objects, the front-most first"
    for word in ("square", "p 1.00", "at  26.0,  30.0", "30.0 x  24.0 px", "20.0°", "#ffcc00", "filled"):
        assert word in front
    for word in ("circle", "at  68.0,  32.0", "36.0 x  36.0 px", "0.0°", "#3366ff", "outlined 5.4 px"):
        assert word in back


def test_the_tree_shows_parts_below_their_whole_and_attributes_of_their_own() -> None:
    roof = Observation("triangle", (10, 6), (8, 8), 0, {"filled": 0.5}, depth=0)
    body = Observation("square", (10, 12), (8, 8), 0, {"roundness": 0.25}, depth=1)
    house = Observation("house", (10, 9), (8, 14), 0, {}, 0.875, "house/1", [roof, body])
    lines = words(Scene(20, 20, [house])).splitlines()
    assert "1 object" in lines[0]
    assert lines[1].startswith("└── 1  house.1    p 0.88")
    assert "#" not in lines[1]
    assert lines[2].startswith("    ├── 2  square.1")
    assert lines[2].endswith("roundness 0.25")
    assert lines[3].startswith("    └── 3  triangle.1")
    assert lines[3].endswith("50% filled")


def test_the_colour_is_shown_as_a_swatch_on_a_terminal() -> None:
    console = Console(width=120, force_terminal=True, color_system="truecolor", highlight=False)
    with console.capture() as captured:
        console.print(tree(drawn(), "frame.png"))
    assert "\x1b[48;2;255;204;0m  \x1b[0m #ffcc00" in captured.get()


def test_see_prints_what_it_found_and_writes_the_redrawn_picture_beside_the_image(
    picture: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = picture.read_bytes()
    assert run(picture) == 0
    told = capsys.readouterr()
    assert "frame.png  96x64 pixels" in told.out
    assert "square" in told.out
    assert "circle" in told.out
    assert "\x1b" not in told.out
    assert told.err == ""
    redrawn = picture.with_name("frame.redrawn.png")
    assert f"Wrote {redrawn}" in told.out
    with Image.open(redrawn) as image:
        assert np.abs(np.asarray(image).astype(int) - drawn().image).mean() < 4
    assert picture.read_bytes() == before
    assert sorted(path.name for path in picture.parent.iterdir()) == ["frame.png", "frame.redrawn.png"]


def test_see_writes_the_scene_graph_as_json_into_a_new_folder(picture: Path) -> None:
    graph = picture.parent / "new" / "scene.JSON"
    assert run(picture, "-o", graph) == 0
    scene = Scene.from_dict(json.loads(graph.read_text(encoding="utf-8")))
    assert (scene.width, scene.height) == (96, 64)
    assert {node.symbol for node in scene.axioms} >= {"circle", "square"}
    assert not picture.with_name("frame.redrawn.png").exists()


def test_see_writes_the_redrawn_picture_to_the_file_that_is_named(picture: Path) -> None:
    other = picture.with_name("again.png")
    assert run(picture, "--output", other) == 0
    with Image.open(other) as image:
        assert image.size == (96, 64)
    assert not picture.with_name("frame.redrawn.png").exists()


def test_a_picture_in_which_nothing_is_found_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Image.new("RGB", (48, 40), (90, 120, 60)).save(tmp_path / "blank [1].png")
    assert run(tmp_path / "blank [1].png") == 0
    assert "Nothing was found in blank [1].png (48x40 pixels)." in capsys.readouterr().out
    with Image.open(tmp_path / "blank [1].redrawn.png") as image:
        assert np.abs(np.asarray(image).astype(int) - (90, 120, 60)).max() <= 1


def test_the_image_itself_is_never_written_over(
    picture: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    before = picture.read_bytes()
    (tmp_path / "link.png").symlink_to(picture)
    os.link(picture, tmp_path / "hard.png")
    (tmp_path / "link.redrawn.png").symlink_to(picture)
    (tmp_path / "inside").mkdir()
    roundabout = tmp_path / "inside" / ".." / "frame.png"
    attempts: list[tuple[str | Path, ...]] = [
        (picture, "-o", picture),
        (picture, "-o", roundabout),
        (picture, "-o", tmp_path / "hard.png"),
    ]
    attempts += [(picture, "-o", tmp_path / "link.png"), (tmp_path / "link.png",)]
    for attempt in attempts:
        assert run(*attempt) == 2
        assert "is the picture itself" in capsys.readouterr().err
    assert picture.read_bytes() == before


@pytest.mark.parametrize(
    ("output", "complaint"),
    [
        ("scene.docx", "use a name that ends in .coco.json, .json, .png, .svg or .tscn"),
        ("file", "use a name that ends in"),
        ("file/scene.json", "Cannot write"),
        ("pipe.png", "what is there may not be replaced"),
    ],
)
def test_an_output_that_cannot_be_written_is_one_line_and_exit_code_2(
    output: str, complaint: str, picture: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (picture.parent / "file").write_text("")
    os.mkfifo(picture.parent / "pipe.png")
    assert run(picture, "-o", picture.parent / output) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith("unrender: ")
    assert told.err.count("\n") == 1
    assert complaint in told.err
