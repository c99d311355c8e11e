"""Primitives of another package are taught as parts, stored, found again and exported like those of this
one."""

import io
import math
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
import resvg_py
from PIL import Image
from skimage.metrics import structural_similarity

import unrender
from unrender import Observation, Scene
from unrender.primitives import registry
from unrender.scene.outline import Outline

sys.path.insert(0, str(Path(__file__).parents[2] / "perception"))
sys.path.insert(0, str(Path(__file__).parent))
from cairo_pictures import Drawing, disc, drawn, polygon, stroke
from test_foreign import HERE, outline, plus, polyline

BLUE, RED, GREEN = (0.1, 0.2, 0.8), (0.8, 0.1, 0.1), (0.1, 0.5, 0.1)
PLACES = [(110.0, 92.0, 1.3, 0.6), (80.0, 75.0, 0.8, 1.75), (100.0, 90.0, 1.0, -1.3), (95.0, 85.0, 1.1, 2.9)]
"""x, y (px), scale and turn (radians) at which an object is shown again."""
TRUTH = (24.0, 18.0, 0.3, 0.4)  # a, b, upright and level of the plus
ZIGZAG = np.array([(-30.0, -25.0), (0.0, -15.0), (-15.0, 15.0), (10.0, 28.0)])
ANGLE = np.array([(-28.0, -20.0), (-28.0, 22.0), (8.0, 22.0)])
SLASH = np.array([(-25.0, 20.0), (-15.0, -20.0), (0.0, 20.0), (10.0, -20.0)])


@pytest.fixture(autouse=True)
def _known(monkeypatch: pytest.MonkeyPatch) -> None:
    registry.primitives()
    for primitive in (plus.plus, polyline.polyline):
        monkeypatch.setitem(registry._REGISTRY, primitive.name, primitive)


def put(points: Sequence[Sequence[float]], x: float, y: float, scale: float, turn: float) -> np.ndarray:
    """Points of an object, where it is shown."""
    cos, sin = math.cos(turn), math.sin(turn)
    return scale * np.asarray(points) @ np.array([[cos, sin], [-sin, cos]]) + (x, y)


def fan(x: float, y: float, scale: float, turn: float, ink: tuple = BLUE) -> list[Drawing]:
    """A plus beside a disc."""
    (px, py), (dx, dy) = put([(-15, 0), (30, 8)], x, y, scale, turn)
    a, b, upright, level = TRUTH
    corners = outline(px, py, a * scale, b * scale, turn + 0.3, upright, level)
    return [polygon(corners, ink), disc(dx, dy, 11 * scale, RED)]


def sign(line: np.ndarray, x: float, y: float, scale: float, turn: float, ink: tuple = BLUE) -> list[Drawing]:
    """A line beside a disc."""
    ((dx, dy),) = put([(34, -6)], x, y, scale, turn)
    return [stroke(put(line, x, y, scale, turn), 4 * scale, ink, round_=True), disc(dx, dy, 11 * scale, RED)]


def saved(folder: Path, name: str, *drawings: Drawing) -> Path:
    pixels = drawn((200, 180), *drawings)
    Image.fromarray((pixels * 255).round().astype(np.uint8)).save(folder / name)
    return folder / name


def taught(folder: Path, *drawings: Drawing) -> Path:
    """A brain file that knows what is drawn as a "thing"."""
    path = folder / "my.brain"
    with unrender.open(path) as brain:
        scene = brain.see(saved(folder, "lesson.png", *drawings))
        assert len(scene.axioms) == 2
        brain.teach(scene, "thing")
    return path


def exported(scene: Scene, picture: Path) -> float:
    """How like the picture its SVG is, if resvg draws it."""
    scene.save(picture.with_suffix(".svg"))
    pixels = resvg_py.svg_to_bytes(svg_path=str(picture.with_suffix(".svg")))
    drawn_again = np.asarray(Image.open(io.BytesIO(bytes(pixels))).convert("RGB"))
    return float(structural_similarity(drawn_again, np.asarray(Image.open(picture)), channel_axis=2))


def part_of(thing: Observation, symbol: str) -> Observation:
    (part,) = (part for part in thing.parts if part.symbol == symbol)
    return part


def path_points(path: str) -> np.ndarray:
    """The points of a path of straight lines."""
    numbers = [float(word) for word in path.split() if word not in "MLZ"]
    return np.array(numbers).reshape(-1, 2)


def apart(corners: np.ndarray, seen: np.ndarray) -> float:
    """How far (px) any of the corners lies from all points of a path."""
    return float(np.hypot(*(corners[:, None] - seen).transpose(2, 0, 1)).min(1).max())


def seen_turned(brain_file: Path, picture: Path, turn: float) -> unrender.Scene:
    """The scene of a picture in which a brain finds the object, turned so (radians), and nothing else."""
    with unrender.open(brain_file) as brain:
        scene = brain.see(picture)
    assert [thing.symbol for thing in scene.axioms] == ["thing"]
    (thing,) = scene.axioms
    assert thing.p > 0.9
    assert abs(math.remainder(thing.rotation - math.degrees(turn), 360)) < 3
    return scene


@pytest.mark.parametrize("ink", [BLUE, GREEN])
@pytest.mark.parametrize("place", PLACES)
def test_an_object_with_a_plus_is_found_elsewhere(place: tuple, ink: tuple, tmp_path: Path) -> None:
    brain_file = taught(tmp_path, *fan(90, 80, 1.0, 0.0))
    picture = saved(tmp_path, "again.png", *fan(*place, ink))
    scene = seen_turned(brain_file, picture, place[3])
    part = part_of(scene.axioms[0], "plus")
    a, b, upright, level = TRUTH
    own = part.attributes["upright"], part.attributes["level"]
    quarter = part.size[1] > part.size[0]  # read from its other side
    assert sorted(part.size) == pytest.approx([2 * b * place[2], 2 * a * place[2]], rel=0.05)
    assert own == pytest.approx((level, upright) if quarter else (upright, level), rel=0.05)
    assert [part.attributes[name] for name in ("red", "green", "blue")] == pytest.approx(ink, abs=0.02)
    (x, y), *_ = put([(-15, 0)], *place)
    truth = outline(x, y, a * place[2], b * place[2], place[3] + 0.3, upright, level)
    assert apart(np.array(truth), path_points(part.path)) < 1.0
    assert exported(scene, picture) > 0.98


@pytest.mark.parametrize("line", [ZIGZAG, ANGLE], ids=["zigzag", "angle"])
@pytest.mark.parametrize("place", PLACES)
def test_an_object_with_a_polyline_is_found_elsewhere(line: np.ndarray, place: tuple, tmp_path: Path) -> None:
    brain_file = taught(tmp_path, *sign(line, 90, 80, 1.0, 0.0))
    picture = saved(tmp_path, "again.png", *sign(line, *place, GREEN))
    scene = seen_turned(brain_file, picture, place[3])
    part = part_of(scene.axioms[0], "polyline")
    assert part.form is not None
    assert len(part.form) == line.size
    assert apart(put(line, *place), path_points(part.path)) < 1.0
    width = part.attributes["thickness"] * max(part.size)
    assert width == pytest.approx(4 * place[2], rel=0.08)
    assert exported(scene, picture) > 0.98


def test_another_line_at_the_same_place_is_another_object(tmp_path: Path) -> None:
    brain_file = taught(tmp_path, *sign(ZIGZAG, 90, 80, 1.0, 0.0))
    picture = saved(tmp_path, "other.png", *sign(SLASH, 90, 80, 1.0, 0.0))
    with unrender.open(brain_file) as brain:
        scene = brain.see(picture)
    assert sorted(thing.symbol for thing in scene.axioms) == ["circle", "polyline"]


@pytest.mark.parametrize("shown", ["plus", "polyline"])
def test_a_brain_draws_what_it_was_taught(shown: str, tmp_path: Path) -> None:
    show = fan if shown == "plus" else lambda *place: sign(ZIGZAG, *place)
    brain_file = taught(tmp_path, *show(90, 80, 1.0, 0.0))
    with unrender.open(brain_file) as brain:
        (thing,) = brain.see(tmp_path / "lesson.png").axioms
        image = brain.draw(
            "thing",
            position=thing.position,
            size=thing.size,
            rotation=thing.rotation,
            canvas=np.full((180, 200, 3), 204, np.uint8),
        )
    lesson = np.asarray(Image.open(tmp_path / "lesson.png"))
    assert structural_similarity(image, lesson, channel_axis=2) > 0.98


def test_a_description_and_distances_know_how_far_they_reach() -> None:
    looks = {"red": 0.0, "green": 0.0, "blue": 1.0, "thickness": 0.1, "filled": 0.0}
    corner = Observation("polyline", (20, 20), (20, 20), 0.0, looks, form=(-1.0, -1.0, -1.0, 1.0, 1.0, 1.0))
    assert Outline.of(corner).box == pytest.approx((10, 10, 30, 30), abs=0.1)
    up_right = Outline.of(corner).hull[56]  # the direction in which nothing of it lies
    assert up_right == pytest.approx(0.0, abs=0.1)
    scene = Scene(60, 40, [corner, Observation("circle", (45, 20), (10, 10), 0.0, {"red": 1.0})])
    assert "polyline" in scene.describe()


PROGRAM = """
import sys
sys.path[:0] = sys.argv[1].split(":")
import unrender
with unrender.open(sys.argv[2]) as brain:
    scene = brain.see(sys.argv[3])
    print(*(thing.symbol for thing in scene.axioms))
    print(*scene.axioms[0].parts[0].form)
    scene.save(sys.argv[4])
"""


def installed(folder: Path) -> Path:
    """A folder with the foreign primitives as an installed package has them."""
    info = folder / "lines-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: lines\nVersion: 1.0\n")
    names = "polyline = polyline:polyline\nplus = plus:plus\n"
    (info / "entry_points.txt").write_text(f"[unrender.primitives]\n{names}")
    for name in ("polyline", "plus"):
        (folder / f"{name}.py").write_text((HERE / f"{name}.py").read_text())
    return folder


def run(folder: Path, brain_file: Path, picture: Path) -> subprocess.CompletedProcess[str]:
    words = [str(folder), str(brain_file), str(picture), str(picture.with_suffix(".svg"))]
    command = [sys.executable, "-c", PROGRAM, *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def test_another_process_finds_it_if_the_package_is_installed(tmp_path: Path) -> None:
    brain_file = taught(tmp_path, *sign(ZIGZAG, 90, 80, 1.0, 0.0))
    picture = saved(tmp_path, "again.png", *sign(ZIGZAG, *PLACES[0]))
    (tmp_path / "site").mkdir()
    done = run(installed(tmp_path / "site"), brain_file, picture)
    assert done.returncode == 0, done.stderr
    symbols, form = done.stdout.splitlines()
    assert symbols == "thing"
    assert len(form.split()) == ZIGZAG.size
    assert picture.with_suffix(".svg").exists()
    without = run(tmp_path / "nowhere", brain_file, picture)
    assert "[polyline]; install the package" in without.stderr
