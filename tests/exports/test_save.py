"""Saving: the suffix says which format, a failure is one sentence, and no half file is left."""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from unrender import Observation, Scene, UnrenderError
from unrender.exports.registry import exporter, suffixes


def small() -> Scene:
    return Scene(20, 16, [Observation("circle", (9.0, 8.0), (8.0, 8.0), 0.0, {"red": 1.0, "filled": 1.0})])


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("a.svg", b"<svg"),
        ("a.json", b"{"),
        ("a.coco.json", b'{"info"'),
        ("a.tscn", b"[gd_scene"),
        ("a.png", b"\x89PNG"),
        ("A.PNG", b"\x89PNG"),
        ("b.Coco.JSON", b'{"info"'),
        ("coco.json", b'{\n "width"'),
        ("two.dots.svg", b"<svg"),
        ("ünï 船 <&.svg", b"<svg"),
    ],
)
def test_the_suffix_says_which_format(name: str, start: bytes, tmp_path: Path) -> None:
    small().save(str(tmp_path / name))
    assert (tmp_path / name).read_bytes().startswith(start)
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_a_png_is_the_picture(tmp_path: Path) -> None:
    small().save(tmp_path / "a.png")
    with Image.open(tmp_path / "a.png") as image:
        assert np.array_equal(np.asarray(image), small().image)


@pytest.mark.parametrize("name", ["scene.xyz", "scene", "svg", "scene.", "scene.svg.gz"])
def test_an_unknown_suffix_is_told_with_those_that_are_known(name: str, tmp_path: Path) -> None:
    with pytest.raises(UnrenderError) as error:
        small().save(tmp_path / name)
    assert f'"{name}"' in str(error.value)
    assert str(error.value).endswith("ends in .coco.json, .json, .png, .svg or .tscn.")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("no/such/folder/a.svg", r"create the folder .* first"),
        ("a.svg", "it is a folder"),
        ("file.txt/a.svg", r"create the folder .* first"),
        ("x" * 300 + ".svg", "File name too long"),
        ("nul\0.svg", "null"),
        ("pipe.svg", "may not be replaced"),
    ],
)
def test_a_place_that_cannot_be_written_is_one_sentence(path: str, reason: str, tmp_path: Path) -> None:
    (tmp_path / "a.svg").mkdir()
    (tmp_path / "file.txt").write_text("here")
    os.mkfifo(tmp_path / "pipe.svg")
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(UnrenderError, match=reason) as error:
        small().save(tmp_path / path)
    assert str(error.value).startswith("Cannot write ")
    assert str(error.value).endswith(".")
    assert sorted(tmp_path.rglob("*")) == before


def test_a_folder_that_the_system_keeps_is_one_sentence() -> None:
    with pytest.raises(UnrenderError, match=r'^Cannot write "/proc/scene\.svg": .*\.$'):
        small().save("/proc/scene.svg")


FULL = """
import resource, signal, sys
import numpy as np
from unrender import Scene, UnrenderError

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)  # as on a full disk: writing stops in the middle
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
noise = np.random.default_rng(0).integers(0, 256, (64, 64, 3), np.uint8)
try:
    Scene(64, 64, [], noise).save("scene.png")
except UnrenderError as error:
    print(error)
"""


@pytest.mark.parametrize("old", [None, "what was there"])
def test_a_disk_that_fills_up_leaves_what_was_there(old: str | None, tmp_path: Path) -> None:
    if old is not None:
        (tmp_path / "scene.png").write_text(old)
    done = subprocess.run(
        [sys.executable, "-B", "-c", FULL],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout.startswith("Cannot write "), done.stderr
    assert "File too large" in done.stdout
    left = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert left == ({} if old is None else {"scene.png": old})


def test_a_scene_that_cannot_be_drawn_leaves_what_was_there(tmp_path: Path) -> None:
    (tmp_path / "a.svg").write_text("old")
    with pytest.raises(UnrenderError, match=r"no primitive called \[blob\]"):
        Scene(9, 9, [Observation("blob", (4.0, 4.0), (2.0, 2.0))]).save(tmp_path / "a.svg")
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("a.svg", "old")]


def test_a_link_stays_a_link_and_a_new_file_has_the_usual_rights(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "link.svg").symlink_to(tmp_path / "there" / "real.svg")
    small().save(tmp_path / "link.svg")
    assert (tmp_path / "link.svg").is_symlink()
    assert (tmp_path / "there" / "real.svg").read_text().startswith("<svg")
    (tmp_path / "usual").touch()
    rights = [path.stat().st_mode for path in (tmp_path / "usual", tmp_path / "there" / "real.svg")]
    assert rights[0] == rights[1]


def test_two_packages_cannot_write_the_same_suffix() -> None:
    with pytest.raises(UnrenderError, match=r"exporter for \.svg exists already"):
        exporter(".svg")(lambda scene, name: "")


@pytest.mark.parametrize("suffix", ["", ".", "svg", ".SVG"])
def test_a_suffix_starts_with_a_dot_and_is_small(suffix: str) -> None:
    with pytest.raises(UnrenderError, match=r'written like "\.svg"'):
        exporter(suffix)
    assert suffix not in suffixes()


PLUGIN = """
from unrender.exports.registry import exporter

@exporter(".list.txt")
def listed(scene, name):
    return name + ": " + " ".join(node.symbol for node in scene.observations)
"""


def test_an_installed_package_brings_its_format_by_entry_point(tmp_path: Path) -> None:
    (tmp_path / "lists.py").write_text(PLUGIN)
    info = tmp_path / "lists-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: lists\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[unrender.exports]\nlists = lists\n")
    program = f"""
        import sys; sys.path.insert(0, {str(tmp_path)!r})
        from unrender import Observation, Scene
        Scene(9, 9, [Observation("circle", (4.0, 4.0), (2.0, 2.0))]).save("mine.list.txt")
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(program)], cwd=tmp_path, check=True, timeout=60)
    assert (tmp_path / "mine.list.txt").read_text() == "mine: circle"


def test_saving_a_graph_needs_no_heavy_import_before_it_is_asked_for() -> None:
    program = (
        "import sys, unrender.scene; print([m for m in sys.modules if m.startswith('unrender.exports')])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
