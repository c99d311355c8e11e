"""unrender see: a tree on the screen; with -o the redrawn picture or the scene graph in a file."""

import io
import json
import os
import re
from pathlib import Path

import numpy as np
import pytest
from PIL import Image, ImageDraw
from rich.cells import cell_len
from rich.console import Console

from unrender import Observation, Scene
from unrender.cli import main
from unrender.cli.tree import show, tree

from .conftest import PICTURES


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
    assert front == "├── 1 square.1 p 1.00  26.0,30.0  30.0x24.0  20.0°  #ffcc00"
    assert back == "└── 2 circle.1 p 1.00  68.0,32.0  36.0x36.0   0.0°  #3366ff line 5.4"


def test_the_tree_shows_parts_below_their_whole_and_attributes_of_their_own() -> None:
    roof = Observation("triangle", (10, 6), (8, 8), 0, {"filled": 0.5}, depth=0)
    body = Observation("square", (10, 12), (8, 8), 0, {"roundness": 0.25}, depth=1)
    house = Observation("house", (10, 9), (8, 14), 0, {}, 0.875, "house/1", [roof, body])
    lines = words(Scene(20, 20, [house])).splitlines()
    assert "1 object" in lines[0]
    assert lines[1].startswith("└── 1 house.1 p 0.88")
    assert "#" not in lines[1]
    assert lines[2].startswith("    ├── 2 square.1   p 1.00")
    assert lines[2].endswith("roundness 0.25")
    assert lines[3].startswith("    └── 3 triangle.1 p 1.00")
    assert lines[3].endswith("50% filled")


def deep(levels: int) -> Scene:
    """A tree of so many levels in a large picture, with long names, every value known and a part hidden."""
    looks = {"red": 0.1, "green": 0.2, "blue": 0.3, "filled": 0.0, "thickness": 0.25, "damaged": 0.5}
    node = Observation("triangle", (1023.25, 1999.5), (1500.0, 1234.5), -179.96, looks, depth=0)
    hidden = Observation("triangle", (0, 0), (9, 9))
    for level in range(levels):
        twin = Observation("circle", (1.0, 2.0), (3.0, 4.0), -0.01, dict(looks), depth=1 + level)
        name = f"assembly-number-{level}"
        node = Observation(name, (1000.0, 1000.0), (2000.0, 2000.0), 9.0, looks, parts=[node, twin])
        node.hidden = [hidden]
    return Scene(2048, 2048, [node])


@pytest.mark.parametrize("levels", [0, 2, 9])
def test_lines_of_the_tree_fit_into_80_columns_where_no_terminal_is_wider(levels: int) -> None:
    screen = Console(file=io.StringIO(), width=400, highlight=False)
    show(screen, deep(levels), "a-name-of-a-file-that-is-itself-longer-than-all-of-the-eighty-columns" * 2)
    lines = screen.file.getvalue().splitlines()  # type: ignore[attr-defined]
    assert max(map(cell_len, lines)) <= 80
    assert "1023.2,1999.5" in "".join(lines)


def test_the_tree_of_a_picture_with_known_objects_needs_no_second_line(
    brain: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(PICTURES / "asteroids.png", "-b", brain) == 0
    _, *lines = capsys.readouterr().out.splitlines()
    assert all(re.match(r"(│   |    )?[├└]── \d+ +\w+\.\d+ +p \d", line) for line in lines), lines
    names = re.findall(r"\w+\.\d+(?= +p )", "\n".join(lines))
    assert len(names) == len(lines) == len(set(names)) > 20


def test_every_name_that_see_prints_is_one_that_edit_takes(
    brain: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(PICTURES / "asteroids.png", "-b", brain) == 0
    names = re.findall(r"\w+\.\d+(?= +p )", capsys.readouterr().out)
    words = [*(f"{name}.x+=0" for name in names), "-b", str(brain), "-o", str(tmp_path / "same.json")]
    with pytest.raises(SystemExit) as ended:
        main(["edit", str(PICTURES / "asteroids.png"), *words])
    assert ended.value.code == 0
    assert capsys.readouterr().out.splitlines()[0] == f"Changed {', '.join(names)}"


def test_the_colour_is_shown_as_a_swatch_on_a_terminal() -> None:
    console = Console(width=120, force_terminal=True, color_system="truecolor", highlight=False)
    with console.capture() as captured:
        console.print(tree(drawn(), "frame.png"))
    assert "\x1b[48;2;255;204;0m \x1b[0m#ffcc00" in captured.get()


def test_see_prints_what_it_found_and_writes_nothing_unless_asked(
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
    assert "Wrote" not in told.out
    assert picture.read_bytes() == before
    assert list(picture.parent.iterdir()) == [picture]


def test_see_writes_the_scene_graph_as_json_into_a_new_folder(picture: Path) -> None:
    graph = picture.parent / "new" / "scene.JSON"
    assert run(picture, "-o", graph) == 0
    scene = Scene.from_dict(json.loads(graph.read_text(encoding="utf-8")))
    assert (scene.width, scene.height) == (96, 64)
    assert {node.symbol for node in scene.axioms} >= {"circle", "square"}


def test_see_writes_the_redrawn_picture_to_the_file_that_is_named(
    picture: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = picture.with_name("again.png")
    assert run(picture, "--output", other) == 0
    assert f"Wrote {other}" in capsys.readouterr().out
    with Image.open(other) as image:
        assert np.abs(np.asarray(image).astype(int) - drawn().image).mean() < 4


def test_what_was_scaled_down_or_not_read_to_the_end_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    large = Image.new("RGB", (4200, 200), (20, 30, 60))
    ImageDraw.Draw(large).ellipse((3800, 50, 3900, 150), fill=(230, 200, 40))
    large.save(tmp_path / "large.png")
    assert run(tmp_path / "large.png") == 0
    told = capsys.readouterr().out.splitlines()
    assert "2100x100 pixels" in told[0]
    assert told[-1] == "The picture was seen at 1/2 of its size, 2100x100 pixels."
    assert run(tmp_path / "large.png", "--max-seconds", "0.001") == 0
    assert capsys.readouterr().out.splitlines()[-1] == "Time was up before all of it was read."
    assert run(tmp_path / "large.png", "--max-seconds", "0.001", "--json") == 0
    scene = json.loads(capsys.readouterr().out)
    assert (scene["scale"], scene["complete"]) == (0.5, False)
    Image.new("RGB", (48, 40)).save(tmp_path / "small.png")
    assert run(tmp_path, "--max-seconds", "0.000001") == 0
    told = capsys.readouterr().out.splitlines()
    assert "2100x100 at 1/2" in told[1]
    assert told[1].endswith("when time was up")
    assert told[-1] == "Time was up before all was read in 2 of them"
    assert run(tmp_path / "large.png", "--max-seconds", "0") == 2


def test_a_picture_in_which_nothing_is_found_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Image.new("RGB", (48, 40), (90, 120, 60)).save(tmp_path / "blank [1].png")
    assert run(tmp_path / "blank [1].png") == 0
    assert "Nothing was found in blank [1].png (48x40 pixels)." in capsys.readouterr().out
    assert run(tmp_path / "blank [1].png", "-o", tmp_path / "again.png") == 0
    with Image.open(tmp_path / "again.png") as image:
        assert np.abs(np.asarray(image).astype(int) - (90, 120, 60)).max() <= 1


def test_the_image_itself_is_never_written_over(
    picture: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    before = picture.read_bytes()
    (tmp_path / "link.png").symlink_to(picture)
    os.link(picture, tmp_path / "hard.png")
    (tmp_path / "inside").mkdir()
    roundabout = tmp_path / "inside" / ".." / "frame.png"
    attempts: list[tuple[str | Path, ...]] = [
        (picture, "-o", picture),
        (picture, "-o", roundabout),
        (picture, "-o", tmp_path / "hard.png"),
    ]
    attempts += [(picture, "-o", tmp_path / "link.png"), (tmp_path / "link.png", "-o", picture)]
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
